/** Questions about data to a service: one GET each below its `databrowser`. */
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import type { components } from "../../../generated/openapi.js";
import { UserError } from "../../platform/errors.js";
import { reasonOf } from "./request-token.js";
import { apiAddress } from "./service-address.js";

/** The service did not answer what was asked. The message is a sentence for the person who asked. */
export class BrowseError extends UserError {
  override readonly name = "BrowseError";
  constructor(message: string, options?: ErrorOptions & BrowseRefusal) {
    super(message, options);
    this.status = options?.status;
    this.type = options?.type;
  }
  /** The HTTP status, where the service answered. */
  readonly status: number | undefined;
  /** What kind of problem the service calls it. */
  readonly type: string | undefined;
}

interface BrowseRefusal {
  readonly status?: number;
  readonly type?: string | undefined;
}

export interface BrowseQuestion {
  /** The words of the path below `databrowser`. */
  readonly path: readonly string[];
  readonly parameters?: URLSearchParams;
  /** What the answer must be, such as `text/plain`. */
  readonly type: string;
  /** An access token. */
  readonly token?: string | undefined;
  readonly signal?: AbortSignal;
}

type Problem = Partial<components["schemas"]["Problem"]>;

/**
 * Asks a service, and gives its answer before its body has come.
 *
 * @param service its address, without the prefix of the API
 * @throws BrowseError with the service's own sentence where it refuses
 */
export async function browse(
  service: string,
  { path, parameters, type, token, signal }: BrowseQuestion,
): Promise<Response> {
  const query = parameters === undefined || parameters.size === 0 ? "" : `?${parameters}`;
  const where = ["databrowser", ...path].map(encodeURIComponent).join("/");
  const response = await fetch(`${apiAddress(service)}/${where}${query}`, {
    headers: { Accept: type, ...(token !== undefined && { Authorization: `Bearer ${token}` }) },
    // A redirect could carry the token to another host.
    redirect: "error",
    ...(signal && { signal }),
  }).catch((cause) => {
    throw new BrowseError(`${service} cannot be reached (${reasonOf(cause)}).`, { cause });
  });
  const { status, headers } = response;
  const given = headers.get("content-type") ?? "";
  if (response.ok && given.startsWith(type)) return response;
  const problem = given.startsWith("application/problem+json")
    ? ((await response.json().catch(() => ({}))) as Problem)
    : {};
  await response.body?.cancel().catch(() => {});
  const nobody = `There is no climate-nextgen that knows of this at ${service} (HTTP ${status}).`;
  throw new BrowseError(problem.detail ?? nobody, { status, type: problem.type });
}

/** What is in the body of an answer, as it comes. @throws BrowseError where it does not come to its end */
export async function* bodyOf(response: Response): AsyncGenerator<Uint8Array> {
  try {
    if (response.body) yield* Readable.fromWeb(response.body as ReadableStream<Uint8Array>);
  } catch (cause) {
    throw new BrowseError(`The transfer broke off (${reasonOf(cause)}): what came is not all.`, {
      cause,
    });
  }
}

/** The answer as a value. @throws BrowseError as `browse` and `bodyOf` do, and where it is no JSON */
export async function browseJson<T>(
  service: string,
  question: Omit<BrowseQuestion, "type">,
): Promise<T> {
  const response = await browse(service, { ...question, type: "application/json" });
  const pieces: Uint8Array[] = [];
  for await (const piece of bodyOf(response)) pieces.push(piece);
  try {
    return JSON.parse(Buffer.concat(pieces).toString("utf8")) as T;
  } catch (cause) {
    throw new BrowseError(`${service} answers with what is no JSON.`, { cause });
  }
}
