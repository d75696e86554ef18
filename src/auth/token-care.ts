/** What can be done with a token besides using it: give it up (RFC 7009), ask what it is worth (RFC 7662). */
import { InvalidClient, InvalidGrant, InvalidToken } from "../errors.js";
import type { Bearer } from "./bearer.js";
import type { Client } from "./clients.js";
import { isRefreshToken, type RefreshTokens } from "./refresh-token.js";
import type { RevokedTokens } from "./revoked-tokens.js";
import type { Users } from "./users.js";

/** What a valid token says. */
export interface ActiveToken {
  readonly active: true;
  readonly iss: string;
  readonly sub: string;
  readonly username?: string;
  readonly client_id: string;
  readonly scope: string;
  readonly token_type: "Bearer" | "refresh_token";
  readonly jti?: string;
  readonly iat?: number;
  readonly exp: number;
}

export interface TokenCareParts {
  readonly bearer: Bearer;
  readonly refreshTokens: RefreshTokens;
  readonly revoked: RevokedTokens;
  readonly users: Users;
}

export class TokenCare {
  constructor(private readonly parts: TokenCareParts) {}

  /**
   * Ends a token; one that is not valid is ended already.
   *
   * @throws InvalidClient when it was issued to another client; SolrUnavailable, SolrTimeout
   */
  async revoke(token: string, client: Client, issuer: string): Promise<void> {
    const allow = (clientId: string): void => {
      if (clientId !== client.id) throw new InvalidClient();
    };
    if (isRefreshToken(token)) {
      await this.parts.refreshTokens.revoke(token, ({ clientId }) => allow(clientId));
      return;
    }
    const found = await this.#own(token, issuer);
    if (found === undefined) return;
    allow(found.principal.clientId);
    await this.parts.revoked.add(found.jti, found.principal.expires);
  }

  /** @returns undefined for a token that is not valid. @throws SolrUnavailable, SolrTimeout */
  async introspect(token: string, issuer: string): Promise<ActiveToken | undefined> {
    return isRefreshToken(token)
      ? await this.#refreshToken(token, issuer)
      : await this.#accessToken(token, issuer);
  }

  async #accessToken(token: string, issuer: string): Promise<ActiveToken | undefined> {
    const found = await this.#own(token, issuer);
    if (found === undefined) return undefined;
    const { sub, username, clientId, scope, expires } = found.principal;
    return {
      ...{ active: true, iss: issuer, sub, username, client_id: clientId, scope },
      ...{ token_type: "Bearer", jti: found.jti, iat: found.issuedAt, exp: expires },
    };
  }

  async #refreshToken(token: string, issuer: string): Promise<ActiveToken | undefined> {
    const found = await this.parts.refreshTokens.look(token);
    if (found === undefined) return undefined;
    const { sub, clientId, scope, signedIn } = found.session;
    const user = await this.parts.users.bySub(sub);
    if (user === undefined || user.disabled || user.passwordSet > signedIn) return undefined;
    return {
      ...{ active: true, iss: issuer, sub, username: user.name, client_id: clientId, scope },
      ...{ token_type: "refresh_token", exp: Math.floor(found.expires / 1000) },
    };
  }

  async #own(token: string, issuer: string) {
    try {
      return await this.parts.bearer.own(token, issuer);
    } catch (error) {
      if (error instanceof InvalidToken || error instanceof InvalidGrant) return undefined;
      throw error;
    }
  }
}
