/** Revoking a token before it expires (RFC 7009). */
import type { Client } from "../accounts/clients.js";
import { InvalidClient } from "../errors.js";
import type { SignInSessions } from "../sign-in/sign-in-sessions.js";
import { type Bearer, ifValid } from "./bearer.js";
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

/**
 * Revokes a token. An invalid token is not an error.
 *
 * @throws InvalidClient when it was issued to another client
 */
export async function revoke(
  { bearer, refreshTokens, revoked, sessions, scriptTokens }: RevocationParts,
  token: string,
  client: Client,
  issuer: string,
): Promise<void> {
  const allow = (clientId: string): void => {
    if (clientId !== client.id) throw new InvalidClient();
  };
  // A script token was issued to no client, so every holder may revoke it.
  if (isScriptToken(token)) return scriptTokens.giveUp(token);
  if (isRefreshToken(token)) {
    const ended = await refreshTokens.revoke(token, ({ clientId }) => allow(clientId));
    // Otherwise the next reload of the page would sign in again.
    if (ended?.browser !== undefined) await sessions.end(ended.browser);
    return;
  }
  const found = await ifValid(bearer.own(token, issuer));
  if (found === undefined) return;
  allow(found.principal.clientId);
  await revoked.add(found.jti, found.principal.expires);
}
