/** Who may change what is for all: accounts that are said to be, and those of whom the outside provider says so. */
import type { JWTPayload } from "jose";
import { isObject } from "../domain/text/json-object.js";
import type { Users } from "./accounts/users.js";
import type { Principal } from "./principal.js";

/** What the outside provider's access tokens say of administrators. */
export interface AdministratorClaim {
  /** Where in a token: the claim's name, or the names on the way to it with dots between them. */
  readonly path: string;
  /** What stands there, or in the list there. */
  readonly value: string;
}

/**
 * Whether somebody is an administrator now. An account of this service is looked up each time, so that the right is gone
 * as soon as it is taken away; of others the token says so, for as long as it is valid.
 *
 * @param issuer this service's own name in tokens
 */
export async function isAdministrator(
  principal: Principal,
  issuer: string,
  users: Users,
): Promise<boolean> {
  if (principal.issuer !== issuer) return principal.isAdministrator === true;
  const account = await users.current(principal.username);
  return account?.sub === principal.sub && account.administrator === true && !account.disabled;
}

/** Whether a token has the claim. Names may have dots themselves: those of some providers are addresses. */
export function hasClaim(payload: JWTPayload, { path, value }: AdministratorClaim): boolean {
  return valuesAt(payload, path).some((found) => {
    // Scopes are one text with spaces (RFC 9068, 2.2.3).
    if (path === "scope" && typeof found === "string") return found.split(" ").includes(value);
    return [found].flat().some((one) => String(one) === value && typeof one !== "object");
  });
}

/** What stands in a claim. @param path as AdministratorClaim has it */
export const claimsAt = (payload: JWTPayload, path: string): unknown[] =>
  valuesAt(payload, path).flat();

function valuesAt(object: unknown, path: string): unknown[] {
  if (!isObject(object)) return [];
  const own = (name: string): unknown[] => (Object.hasOwn(object, name) ? [object[name]] : []);
  const found = own(path);
  for (let dot = path.indexOf("."); dot >= 0; dot = path.indexOf(".", dot + 1)) {
    const [inner] = own(path.slice(0, dot));
    found.push(...valuesAt(inner, path.slice(dot + 1)));
  }
  return found;
}
