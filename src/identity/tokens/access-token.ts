/** Access tokens: JSON Web Tokens as in RFC 9068, verified as in RFC 8725. */
import { randomUUID } from "node:crypto";
import { errors, jwtVerify, SignJWT } from "jose";
import { LRUCache } from "lru-cache";
import { InvalidToken } from "../errors.js";
import { ALGORITHM, type KeyRing, type VerifyingKey } from "../keys/keys.js";
import type { Principal } from "../principal.js";
import { keyIdOf, text } from "./unverified.js";

/** The `typ` of a token's header (RFC 9068, 2.1), which no other kind of token has. */
export const ACCESS_TOKEN_TYPE = "at+jwt";

/** Seconds. A disabled account can read for as long, and clients fetch the next token by themselves. */
export const ACCESS_TOKEN_LIFETIME = 600;

/** Seconds by which the clocks of instances may differ. */
const EARLY = 30;

type AccessTokenContent = Pick<
  Principal,
  "issuer" | "sub" | "username" | "email" | "clientId" | "scope"
>;

/** The claims of a verified token. */
export interface AccessToken {
  readonly principal: Principal;
  readonly jti: string;
  /** The id of the key that has signed it. */
  readonly kid: string;
}

/** Verified tokens kept in memory, so that the next request needs no signature check. */
const MAX_REMEMBERED = 2000;

export class AccessTokens {
  readonly #verified = new LRUCache<string, AccessToken>({ max: MAX_REMEMBERED });
  readonly #keys: KeyRing;
  readonly #clock: () => number;

  /** @param lifetime seconds */
  constructor(
    keys: KeyRing,
    readonly lifetime: number,
    clock: () => number = Date.now,
  ) {
    this.#keys = keys;
    this.#clock = clock;
  }

  /** Signs a token. @param jti the identifier by which it can be revoked */
  async issue(
    content: AccessTokenContent,
    jti: string = randomUUID(),
  ): Promise<{ token: string; expires: number }> {
    const key = await this.#keys.signing();
    const now = Math.floor(this.#clock() / 1000);
    const expires = now + this.lifetime;
    const { issuer, sub, username, email, clientId, scope } = content;
    const claims = { client_id: clientId, scope, email, preferred_username: username };
    const token = await new SignJWT(claims)
      .setProtectedHeader({ typ: ACCESS_TOKEN_TYPE, alg: ALGORITHM, kid: key.kid })
      .setIssuer(issuer)
      .setAudience(issuer)
      .setSubject(sub)
      .setIssuedAt(now)
      .setNotBefore(now - EARLY)
      .setExpirationTime(expires)
      .setJti(jti)
      .sign(key.privateKey);
    return { token, expires };
  }

  /**
   * Verifies a token of this service: key, algorithm, type, issuer and audience must match. Header parameters that bring or
   * name a key (jwk, jku, x5u) have no effect.
   */
  async verify(token: string, issuer: string): Promise<AccessToken> {
    const now = this.#clock();
    const known = this.#verified.get(token);
    const kid = known?.kid ?? keyIdOf(token);
    const key = await this.#keys.verifying(kid, now);
    if (key === undefined) throw new InvalidToken("The access token is not valid.");
    if (known?.principal.issuer === issuer) {
      if (known.principal.expires * 1000 > now) return known;
      throw new InvalidToken("The access token has expired.", "expired");
    }
    const verified = await this.#verify(token, issuer, key, now);
    this.#verified.set(token, verified);
    return verified;
  }

  async #verify(
    token: string,
    issuer: string,
    { kid, publicKey }: VerifyingKey,
    now: number,
  ): Promise<AccessToken> {
    if (!isCanonical(token)) throw new InvalidToken("The access token is not valid.");
    try {
      const { payload } = await jwtVerify(token, publicKey, {
        issuer,
        audience: issuer,
        typ: ACCESS_TOKEN_TYPE,
        algorithms: [ALGORITHM],
        requiredClaims: ["sub", "exp", "iat", "jti", "client_id"],
        currentDate: new Date(now),
      });
      const { iat = 0, exp = 0 } = payload;
      // A stolen key must not sign tokens that outlive the key.
      if (exp - iat > this.lifetime || iat > now / 1000 + EARLY) {
        throw new TypeError("it was not issued for such a time");
      }
      return {
        principal: {
          sub: text(payload.sub),
          username: text(payload.preferred_username),
          email: text(payload.email),
          scope: text(payload.scope),
          clientId: text(payload.client_id),
          issuer,
          expires: exp,
          issuedAt: iat,
        },
        jti: text(payload.jti),
        kid,
      };
    } catch (cause) {
      throw rejected(cause);
    }
  }
}

/** The error for a failed verification. It says only whether the token has expired. */
export function rejected(cause: unknown): Error {
  if (cause instanceof errors.JWTExpired) {
    return new InvalidToken("The access token has expired.", "expired", { cause });
  }
  if (cause instanceof errors.JOSEError || cause instanceof TypeError) {
    return new InvalidToken("The access token is not valid.", "invalid", { cause });
  }
  return cause instanceof Error ? cause : new Error(String(cause));
}

/**
 * Whether each part is canonical base64url. The last character can have unused bits, so several texts would otherwise be
 * the same token.
 */
export function isCanonical(token: string): boolean {
  const parts = token.split(".");
  return (
    parts.length === 3 &&
    parts.every((part) => Buffer.from(part, "base64url").toString("base64url") === part)
  );
}
