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

export interface Holder {
  readonly sub: string;
  /** "" if unknown. */
  readonly name: string;
  readonly issuer: string;
}

/** The holder of an access token that an outside provider has just issued. It may have any form. */
export function holderOf(token: string): Holder {
  const { sub, iss, preferred_username: name } = unverifiedClaims(token);
  return { sub: text(sub), name: text(name), issuer: text(iss) };
}
