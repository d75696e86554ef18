/** The holder of an access token that was just issued. */
import { decodeJwt } from "jose";

/** A claim that should be a text; "" where it is not. */
export const text = (value: unknown): string => (typeof value === "string" ? value : "");

/**
 * Reads the holder's claims without verification, so never for tokens that come from a client. Tokens of an outside provider
 * may have any form.
 *
 * @param name of the user who signed in, used if the token contains none
 */
export function holderOf(token: string, name = "") {
  try {
    const { sub, iss, preferred_username: called } = decodeJwt(token);
    return { sub: text(sub), name: text(called) || name, issuer: text(iss) };
  } catch {
    return { sub: "", name, issuer: "" };
  }
}
