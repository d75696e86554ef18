/** The `Authorization` header -> who sends the request (RFC 6750, 2.1). */
import { decodeJwt } from "jose";
import { InvalidGrant, InvalidToken } from "../errors.js";
import type { OutsideIssuer } from "../outside/outside-issuer.js";
import type { Principal } from "../principal.js";
import type { AccessToken, AccessTokens } from "./access-token.js";
import type { RevocationList } from "./revocation-list.js";
import { isScriptToken, type ScriptTokens } from "./script-tokens.js";

export interface BearerParts {
  readonly accessTokens: AccessTokens;
  readonly revoked: RevocationList;
  readonly scriptTokens: Pick<ScriptTokens, "verify">;
  readonly outside: OutsideIssuer | undefined;
}

/** A longer one is no token of anybody's. */
const MAX_LENGTH = 8192;

export class Bearer {
  readonly #parts: BearerParts;

  constructor(parts: BearerParts) {
    this.#parts = parts;
  }

  /**
   * @param authorization the header; a token is taken from nowhere else, in particular not from an address
   * @param issuer this service's own name in tokens
   * @returns undefined when there is no bearer token
   * @throws InvalidToken; IdentityUnavailable when the provider's keys are not known yet
   */
  async principal(
    authorization: string | undefined,
    issuer: string,
  ): Promise<Principal | undefined> {
    const [, scheme, token = ""] = /^([\w-]+)(?: +(.*))?$/s.exec(authorization ?? "") ?? [];
    if (scheme?.toLowerCase() !== "bearer") return undefined;
    if (isScriptToken(token)) return this.script(token, issuer);
    if (token.length > MAX_LENGTH || !/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) {
      throw new InvalidToken("The access token is not valid.");
    }
    const { outside } = this.#parts;
    // The claim only chooses who verifies; whoever it is insists on its own name.
    if (outside !== undefined && issuerOf(token) !== issuer) return outside.verify(token);
    return (await this.own(token, issuer)).principal;
  }

  /** Whom a token for scripts speaks for. @throws as ScriptTokens.verify */
  script(token: string, issuer: string): Promise<Principal> {
    return this.#parts.scriptTokens.verify(token, issuer);
  }

  /** An access token of this service that was not revoked. @throws InvalidToken */
  async own(token: string, issuer: string): Promise<AccessToken> {
    const verified = await this.#parts.accessTokens.verify(token, issuer);
    if (this.#parts.revoked.has(verified.jti)) {
      throw new InvalidToken("The access token was revoked.", "revoked");
    }
    return verified;
  }
}

/** The same, or undefined for a token that is not valid. */
export const ownIfValid = (
  bearer: Bearer,
  token: string,
  issuer: string,
): Promise<AccessToken | undefined> => ifValid(bearer.own(token, issuer));

/** What a look at a token gives; undefined where the token is not valid. */
export async function ifValid<T>(looking: Promise<T>): Promise<T | undefined> {
  try {
    return await looking;
  } catch (error) {
    if (error instanceof InvalidToken || error instanceof InvalidGrant) return undefined;
    throw error;
  }
}

function issuerOf(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}
