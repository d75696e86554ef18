/** Administrators: accounts of this service with that right, and users whom the outside provider marks as such. */
import type { JWTPayload } from "jose";
import { isObject } from "../domain/text/json-object.js";
import type { Users } from "./accounts/users.js";
import type { Principal } from "./principal.js";

/** The claim that marks administrators in the outside provider's access tokens. */
export interface AdministratorClaim {
  /** The claim's name, or its path with dots between names. */
  readonly path: string;
  /** Its value, or an element of its list. */
  readonly value: string;
}

/**
 * Whether the principal is an administrator. An account of this service is looked up each time, so a withdrawn right ends at
 * once. For others the token decides, as long as it is valid.
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

/** Whether a token has the claim. Claim names may contain dots: some providers use addresses. */
export function hasClaim(payload: JWTPayload, { path, value }: AdministratorClaim): boolean {
  return valuesAt(payload, path).some((found) => {
    // Scopes are one text, separated by spaces (RFC 9068, 2.2.3).
    if (path === "scope" && typeof found === "string") return found.split(" ").includes(value);
    return [found].flat().some((one) => String(one) === value && typeof one !== "object");
  });
}

/** The values of a claim. */
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
