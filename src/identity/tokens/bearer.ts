/** The `Authorization` header -> the principal of a request (RFC 6750, 2.1). */
import { InvalidToken } from "../errors.js";
import type { OutsideIssuer } from "../outside/outside-issuer.js";
import type { Principal } from "../principal.js";
import type { AccessToken, AccessTokens } from "./access-token.js";
import type { RevocationList } from "./revocation-list.js";
import { isScriptToken, type ScriptTokens } from "./script-tokens.js";
import { unverifiedClaims } from "./unverified.js";

interface BearerParts {
  readonly accessTokens: AccessTokens;
  readonly revoked: RevocationList;
  readonly scriptTokens: Pick<ScriptTokens, "verify">;
  readonly outside: OutsideIssuer | undefined;
}

/** Maximum length of a token, in characters. */
const MAX_LENGTH = 8192;

export class Bearer {
  readonly #parts: BearerParts;

  constructor(parts: BearerParts) {
    this.#parts = parts;
  }

  /**
   * The principal of a bearer token.
   *
   * @param authorization the header; tokens are accepted from nowhere else, in particular not from the address
   * @returns undefined without a bearer token
   * @throws IdentityUnavailable if the provider's keys are not known yet
   */
  async principal(
    authorization: string | undefined,
    issuer: string,
  ): Promise<Principal | undefined> {
    const [, scheme, token = ""] = /^([\w-]+)(?: +(.*))?$/s.exec(authorization ?? "") ?? [];
    if (scheme?.toLowerCase() !== "bearer") return undefined;
    if (isScriptToken(token)) return this.#parts.scriptTokens.verify(token, issuer);
    if (token.length > MAX_LENGTH || !/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) {
      throw new InvalidToken("The access token is not valid.");
    }
    const { outside } = this.#parts;
    // The unverified claim only selects the verifier, which checks its own issuer.
    if (outside !== undefined && unverifiedClaims(token).iss !== issuer)
      return outside.verify(token);
    return (await this.own(token, issuer)).principal;
  }

  /** Verifies an access token of this service that is not revoked. */
  async own(token: string, issuer: string): Promise<AccessToken> {
    const verified = await this.#parts.accessTokens.verify(token, issuer);
    if (this.#parts.revoked.has(verified.jti)) {
      throw new InvalidToken("The access token was revoked.", "revoked");
    }
    return verified;
  }
}

/** The result of a verification; undefined for an invalid token. */
export async function ifValid<T>(looking: Promise<T>): Promise<T | undefined> {
  try {
    return await looking;
  } catch (error) {
    if (error instanceof InvalidToken) return undefined;
    throw error;
  }
}
