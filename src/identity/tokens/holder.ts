/** Whom an access token speaks for that was just made. */
import { decodeJwt } from "jose";

/** A claim that should be a text; "" where it is not. */
export const text = (value: unknown): string => (typeof value === "string" ? value : "");

/**
 * Not for tokens that come from a caller: nothing is verified. One of an outside provider may be of any kind.
 *
 * @param name of whoever signed in, where it is known and the token has none
 */
export function holderOf(token: string, name = "") {
  try {
    const { sub, iss, preferred_username: called } = decodeJwt(token);
    return { sub: text(sub), name: text(called) || name, issuer: text(iss) };
  } catch {
    return { sub: "", name, issuer: "" };
  }
}
