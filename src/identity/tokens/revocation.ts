/** Revoking a token before it expires (RFC 7009). */

import type { Client } from "../accounts/clients.js";
import { InvalidClient } from "../errors.js";
import type { SignInSessions } from "../sign-in/sign-in-sessions.js";
import { type Bearer, ownIfValid } from "./bearer.js";
import { isRefreshToken, type RefreshTokens } from "./refresh-token.js";
import type { RevocationList } from "./revocation-list.js";
import { isScriptToken, type ScriptTokens } from "./script-tokens.js";

interface RevocationParts {
  readonly bearer: Bearer;
  readonly refreshTokens: RefreshTokens;
  readonly revoked: RevocationList;
  readonly sessions: SignInSessions;
  readonly scriptTokens: ScriptTokens;
}

export class Revocation {
  readonly #parts: RevocationParts;

  constructor(parts: RevocationParts) {
    this.#parts = parts;
  }

  /**
   * Revokes a token. An invalid token is not an error.
   *
   * @throws InvalidClient when it was issued to another client
   */
  async revoke(token: string, client: Client, issuer: string): Promise<void> {
    const allow = (clientId: string): void => {
      if (clientId !== client.id) throw new InvalidClient();
    };
    if (isScriptToken(token)) {
      // A script token was issued to no client, so every holder may revoke it.
      await this.#parts.scriptTokens.giveUp(token);
      return;
    }
    if (isRefreshToken(token)) {
      const { refreshTokens, sessions } = this.#parts;
      const ended = await refreshTokens.revoke(token, ({ clientId }) => allow(clientId));
      // Otherwise the next reload of the page would sign in again.
      if (ended?.browser !== undefined) await sessions.end(ended.browser);
      return;
    }
    const found = await ownIfValid(this.#parts.bearer, token, issuer);
    if (found === undefined) return;
    allow(found.principal.clientId);
    await this.#parts.revoked.add(found.jti, found.principal.expires);
  }
}
