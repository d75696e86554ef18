/**
 * Tickets that let anybody read one data set until they expire.
 *
 * A signed JSON Web Token of a type of its own (RFC 8725, 3.11), so that it is never taken for an
 * access token, nor an access token for it.
 */
import { decodeProtectedHeader, jwtVerify, SignJWT } from "jose";
import { InvalidToken } from "../errors.js";
import { isCanonical } from "./access-token.js";
import { ALGORITHM, type KeyRing } from "./keys.js";

const TYPE = "share+jwt";

export interface ShareTicket {
  /** Identifier of the data set. */
  readonly dataset: string;
  /** Who shared it: what is theirs can be read with it as long as it is theirs. */
  readonly by: { readonly id: string; readonly user: string };
}

/**
 * @param issuer the service's own name
 * @param expires seconds since 1970
 */
export async function issueTicket(
  keys: KeyRing,
  issuer: string,
  { dataset, by }: ShareTicket,
  expires: number,
): Promise<string> {
  const key = await keys.signing();
  return new SignJWT({ by: by.id, user: by.user })
    .setProtectedHeader({ typ: TYPE, alg: ALGORITHM, kid: key.kid })
    .setIssuer(issuer)
    .setAudience(issuer)
    .setSubject(dataset)
    .setExpirationTime(expires)
    .sign(key.privateKey);
}

/** @throws InvalidToken when it is not of this service, was changed, has expired or its key is gone */
export async function verifyTicket(
  keys: KeyRing,
  issuer: string,
  ticket: string,
): Promise<ShareTicket> {
  try {
    const { kid = "" } = decodeProtectedHeader(ticket);
    const key = isCanonical(ticket) ? await keys.verifying(kid) : undefined;
    if (key === undefined) throw new TypeError("no such key");
    const options = { issuer, audience: issuer, typ: TYPE, algorithms: [ALGORITHM] };
    const { payload } = await jwtVerify(ticket, key.publicKey, {
      ...options,
      requiredClaims: ["sub", "exp", "by", "user"],
    });
    return {
      dataset: String(payload.sub),
      by: { id: String(payload.by), user: String(payload.user) },
    };
  } catch (cause) {
    throw new InvalidToken("The address is not valid, or has expired.", { cause });
  }
}
