import { MissingToken } from "../../../identity/errors.js";
import type { Principal } from "../../../identity/principal.js";

/**
 * Names are half of what it takes to sign in as somebody.
 *
 * @param fields that are told
 * @throws MissingToken where names of users are among them, and nobody is signed in
 */
export function guardUserNames(fields: readonly string[], principal: Principal | undefined): void {
  if (fields.includes("user") && principal === undefined) throw new MissingToken();
}
