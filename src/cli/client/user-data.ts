/** Registers and deletes user data on a service. */
import type { components } from "../../../generated/openapi.js";
import { UserError } from "../../platform/errors.js";
import { accessToken, type Credentials } from "./authenticate.js";
import { apiAddress, DEFAULT_HOST, serviceAddress } from "./service-address.js";

/** The request failed. The message is for the user, with one line for each reason. */
export class UserDataError extends UserError {
  override readonly name = "UserDataError";

  /** @param issues what the service says of single fields, such as `user_metadata[3].file` */
  constructor(
    message: string,
    { issues = [], ...options }: ErrorOptions & { readonly issues?: readonly Issue[] } = {},
  ) {
    super(message, options);
    this.issues = issues;
  }

  readonly issues: readonly Issue[];
}

interface Issue {
  readonly name: string;
  readonly reason: string;
}

export type UserDataRequest = components["schemas"]["UserDataRequest"];
export type UserDataSelection = components["schemas"]["UserDataSelection"];

/** Long, because Solr needs time for a large body. */
const TIMEOUT_MS = 600_000;

/**
 * Registers entries; if one is invalid, none is registered.
 *
 * @returns the service's message
 * @throws AuthenticationError, UserDataError
 */
export function addUserData(request: UserDataRequest, options: Credentials = {}): Promise<string> {
  return send("POST", request, options);
}

/**
 * Deletes the user's entries that match the whole selection; `{}` deletes all of them.
 *
 * @returns the service's message
 * @throws AuthenticationError, UserDataError
 */
export function deleteUserData(
  selection: UserDataSelection,
  options: Credentials = {},
): Promise<string> {
  return send("DELETE", selection, options);
}

async function send(method: string, body: object, options: Credentials): Promise<string> {
  const service = serviceAddress(options.host ?? DEFAULT_HOST);
  // Called for each request, because the cached token may expire between two of them.
  const token = await accessToken(options);
  const response = await fetch(`${apiAddress(service)}/databrowser/userdata`, {
    method,
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    body: JSON.stringify(body),
    redirect: "error",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((cause) => {
    throw new UserDataError(`${service} cannot be reached.`, { cause });
  });
  const answer = (await response.json().catch(() => ({}))) as Answer;
  if (response.status === 202 && typeof answer.status === "string") return answer.status;
  const issues = answer.errors ?? [];
  const reasons = issues.map(({ name, reason }) => `${name}: ${reason}`);
  const sentence = answer.detail ?? `${service} answers with HTTP ${response.status}.`;
  throw new UserDataError(reasons.length > 0 ? reasons.join("\n") : sentence, { issues });
}

interface Answer {
  readonly status?: string | number;
  readonly detail?: string;
  readonly errors?: readonly Issue[];
}
