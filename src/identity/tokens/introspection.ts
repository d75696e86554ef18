/** Token introspection (RFC 7662). */
import type { components } from "../../../generated/openapi.js";
import type { Users } from "../accounts/users.js";
import type { Principal } from "../principal.js";
import { isStillSignedIn, type SignInSessions } from "../sign-in/sign-in-sessions.js";
import { type Bearer, ifValid } from "./bearer.js";
import { isRefreshToken, type RefreshTokens } from "./refresh-token.js";
import { isScriptToken, type ScriptTokens } from "./script-tokens.js";

type ActiveToken = components["schemas"]["Introspection"];

interface IntrospectionParts {
  readonly bearer: Bearer;
  readonly refreshTokens: RefreshTokens;
  readonly scriptTokens: ScriptTokens;
  readonly sessions: SignInSessions;
  readonly users: Users;
}

/** The claims of a token; undefined if it is not active. */
export async function introspect(
  parts: IntrospectionParts,
  token: string,
  issuer: string,
): Promise<ActiveToken | undefined> {
  if (isRefreshToken(token)) return ofRefreshToken(parts, token, issuer);
  if (isScriptToken(token)) {
    const found = await ifValid(parts.scriptTokens.verify(token, issuer));
    return found && { ...active(found, issuer), token_type: "Bearer", exp: found.expires };
  }
  const found = await ifValid(parts.bearer.own(token, issuer));
  if (found === undefined) return undefined;
  const { principal, jti } = found;
  const { issuedAt: iat = 0, expires: exp } = principal;
  return { ...active(principal, issuer), token_type: "Bearer", jti, iat, exp };
}

async function ofRefreshToken(
  { refreshTokens, sessions, users }: IntrospectionParts,
  token: string,
  issuer: string,
): Promise<ActiveToken | undefined> {
  const found = await refreshTokens.look(token);
  if (found === undefined) return undefined;
  const { sub, username, clientId, scope, browser } = found.session;
  if (browser !== undefined && (await sessions.wasEnded(browser))) return undefined;
  const user = await users.bySub(sub, username);
  if (!isStillSignedIn(user, found.session)) return undefined;
  const claims = active({ sub, username: user.name, clientId, scope }, issuer);
  return { ...claims, token_type: "refresh_token", exp: Math.floor(found.expires / 1000) };
}

/** The claims that every kind of active token has. */
const active = (
  { sub, username, clientId, scope }: Pick<Principal, "sub" | "username" | "clientId" | "scope">,
  issuer: string,
) => ({ active: true, iss: issuer, sub, username, client_id: clientId, scope });
