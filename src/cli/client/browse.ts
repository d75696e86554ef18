/** Sends requests about data to a service. */
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import type { components } from "../../../generated/openapi.js";
import { UserError } from "../../platform/errors.js";
import { reasonOf } from "./request-token.js";
import { apiAddress } from "./service-address.js";

/** The service did not answer the request. The message is one sentence for the user. */
export class BrowseError extends UserError {
  override readonly name = "BrowseError";
  constructor(
    message: string,
    options?: ErrorOptions & Partial<Pick<BrowseError, "status" | "type" | "retryAfter">>,
  ) {
    super(message, options);
    this.status = options?.status;
    this.type = options?.type;
    this.retryAfter = options?.retryAfter;
  }
  /** The HTTP status, if the service answered. */
  readonly status: number | undefined;
  /** The problem type in the service's answer. */
  readonly type: string | undefined;
  /** Seconds after which the service expects the request again. */
  readonly retryAfter: number | undefined;
}

export interface BrowseRequest {
  /** The segments of the path below `area`. */
  readonly path: readonly string[];
  /** `databrowser` by default. */
  readonly area?: "data-portal";
  /** Sent as JSON by POST; GET without one. */
  readonly body?: object;
  readonly parameters?: URLSearchParams;
  /** Required media type of the answer, such as `text/plain`. */
  readonly type: string;
  readonly token?: string | undefined;
  readonly signal?: AbortSignal;
}

type Problem = Partial<components["schemas"]["Problem"]>;

/**
 * Sends a request, and returns the response as soon as its headers arrive.
 *
 * @param service its address, without the prefix of the API
 * @throws BrowseError with the service's own message if it refuses
 */
export async function browse(
  service: string,
  { path, area, body, parameters, type, token, signal }: BrowseRequest,
): Promise<Response> {
  const query = parameters === undefined || parameters.size === 0 ? "" : `?${parameters}`;
  const where = [area ?? "databrowser", ...path].map(encodeURIComponent).join("/");
  const response = await fetch(`${apiAddress(service)}/${where}${query}`, {
    headers: {
      Accept: type,
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      ...(body && { "Content-Type": "application/json" }),
    },
    ...(body && { method: "POST", body: JSON.stringify(body) }),
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
  const noService = `No climate-nextgen service at ${service} offers this (HTTP ${status}).`;
  const retryAfter = Number(headers.get("retry-after") ?? Number.NaN);
  throw new BrowseError(problem.detail ?? noService, {
    status,
    type: problem.type,
    ...(retryAfter >= 0 && { retryAfter }),
  });
}

/** Streams the body of a response. @throws BrowseError if the transfer breaks off */
export async function* bodyOf(response: Response): AsyncGenerator<Uint8Array> {
  try {
    if (response.body) yield* Readable.fromWeb(response.body as ReadableStream<Uint8Array>);
  } catch (cause) {
    throw new BrowseError(
      `The transfer broke off (${reasonOf(cause)}): the answer is incomplete.`,
      {
        cause,
      },
    );
  }
}

/** The parsed JSON answer. @throws BrowseError as `browse` and `bodyOf` do, and if it is no JSON */
export async function browseJson<T>(
  service: string,
  request: Omit<BrowseRequest, "type">,
): Promise<T> {
  const response = await browse(service, { ...request, type: "application/json" });
  const pieces: Uint8Array[] = [];
  for await (const piece of bodyOf(response)) pieces.push(piece);
  try {
    return JSON.parse(Buffer.concat(pieces).toString("utf8")) as T;
  } catch (cause) {
    throw new BrowseError(`${service} sent an answer that is no JSON.`, { cause });
  }
}
