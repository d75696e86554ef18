/** Registering and deleting user data on a service. */

import type { components } from "../../../generated/openapi.js";
import { UserError } from "../../platform/errors.js";
import { type AuthenticateOptions, authenticate } from "./authenticate.js";
import { apiAddress, DEFAULT_HOST, serviceAddress } from "./service-address.js";

/** The service did not do what was asked. The message is for the person who asked, a line a reason. */
export class UserDataError extends UserError {
  override readonly name = "UserDataError";
}

export type UserDataRequest = components["schemas"]["UserDataRequest"];
export type UserDataSelection = components["schemas"]["UserDataSelection"];

/** A large body takes Solr a while. */
const TIMEOUT_MS = 600_000;

/**
 * Registers entries, all of them or, where one is not right, none.
 *
 * @returns the service's message
 * @throws AuthenticationError, UserDataError
 */
export function addUserData(
  request: UserDataRequest,
  options: AuthenticateOptions = {},
): Promise<string> {
  return send("POST", request, options);
}

/**
 * Deletes those of the user's own entries for which all of the selection holds; `{}` means all of them.
 *
 * @returns the service's message
 * @throws AuthenticationError, UserDataError
 */
export function deleteUserData(
  selection: UserDataSelection,
  options: AuthenticateOptions = {},
): Promise<string> {
  return send("DELETE", selection, options);
}

async function send(method: string, body: object, options: AuthenticateOptions): Promise<string> {
  const service = serviceAddress(options.host ?? DEFAULT_HOST);
  // Each time: it gives the token that is kept, and renews it in time.
  const { access_token: token } = await authenticate(options);
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
  const reasons = (answer.errors ?? []).map(({ name, reason }) => `${name}: ${reason}`);
  const sentence = answer.detail ?? `${service} answers with HTTP ${response.status}.`;
  throw new UserDataError(reasons.length > 0 ? reasons.join("\n") : sentence);
}

interface Answer {
  readonly status?: string | number;
  readonly detail?: string;
  readonly errors?: readonly { readonly name: string; readonly reason: string }[];
}
