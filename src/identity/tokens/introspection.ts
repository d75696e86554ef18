/** Token introspection (RFC 7662). */
import type { Users } from "../accounts/users.js";
import type { Principal } from "../principal.js";
import { isStillSignedIn, type SignInSessions } from "../sign-in/sign-in-sessions.js";
import { type Bearer, ifValid, ownIfValid } from "./bearer.js";
import { isRefreshToken, type RefreshTokens } from "./refresh-token.js";
import { isScriptToken } from "./script-tokens.js";

/** The claims of an active token. */
interface ActiveToken {
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

interface IntrospectionParts {
  readonly bearer: Bearer;
  readonly refreshTokens: RefreshTokens;
  readonly sessions: SignInSessions;
  readonly users: Users;
}

export class Introspection {
  readonly #parts: IntrospectionParts;

  constructor(parts: IntrospectionParts) {
    this.#parts = parts;
  }

  /** The claims of a token; undefined if it is not active. */
  async introspect(token: string, issuer: string): Promise<ActiveToken | undefined> {
    if (isScriptToken(token)) return this.#scriptToken(token, issuer);
    return isRefreshToken(token)
      ? await this.#refreshToken(token, issuer)
      : await this.#accessToken(token, issuer);
  }

  async #scriptToken(token: string, issuer: string): Promise<ActiveToken | undefined> {
    const found = await ifValid(this.#parts.bearer.script(token, issuer));
    if (found === undefined) return undefined;
    return { ...active(found, issuer), token_type: "Bearer", exp: found.expires };
  }

  async #accessToken(token: string, issuer: string): Promise<ActiveToken | undefined> {
    const found = await ownIfValid(this.#parts.bearer, token, issuer);
    if (found === undefined) return undefined;
    const { principal, jti } = found;
    const { issuedAt: iat = 0 } = principal;
    const claims = active(principal, issuer);
    return { ...claims, token_type: "Bearer", jti, iat, exp: principal.expires };
  }

  async #refreshToken(token: string, issuer: string): Promise<ActiveToken | undefined> {
    const found = await this.#parts.refreshTokens.look(token);
    if (found === undefined) return undefined;
    const { sub, username, clientId, scope, browser } = found.session;
    const { sessions, users } = this.#parts;
    if (browser !== undefined && (await sessions.wasEnded(browser))) return undefined;
    const user = await users.bySub(sub, username);
    if (!isStillSignedIn(user, found.session)) return undefined;
    const claims = active({ sub, username: user.name, clientId, scope }, issuer);
    return { ...claims, token_type: "refresh_token", exp: Math.floor(found.expires / 1000) };
  }
}

/** The claims that every kind of active token has. */
const active = (
  { sub, username, clientId, scope }: Pick<Principal, "sub" | "username" | "clientId" | "scope">,
  issuer: string,
) => ({ active: true, iss: issuer, sub, username, client_id: clientId, scope }) as const;
