/** Reads JSON Web Tokens without verification. A malformed token has no claims. */
import { decodeJwt, decodeProtectedHeader, type JWTPayload } from "jose";

/** A claim that should be a text; "" where it is not. */
export const text = (value: unknown): string => (typeof value === "string" ? value : "");

export function unverifiedClaims(token: string): JWTPayload {
  try {
    return decodeJwt(token);
  } catch {
    return {};
  }
}

/** The name of the key that is to verify a token. */
export function keyIdOf(token: string): string {
  try {
    return text(decodeProtectedHeader(token).kid);
  } catch {
    return "";
  }
}

/**
 * The holder of an access token that was just issued, so never for tokens that come from a client. Tokens of an outside
 * provider may have any form.
 *
 * @param name of the user who signed in, used if the token contains none
 */
export function holderOf(token: string, name = "") {
  const { sub, iss, preferred_username: called } = unverifiedClaims(token);
  return { sub: text(sub), name: text(called) || name, issuer: text(iss) };
}
