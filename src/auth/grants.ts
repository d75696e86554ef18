/** The token endpoint: a name and a password, or a refresh token -> both tokens (RFC 6749, 4.3 and 6). */
import { InvalidGrant, InvalidTokenRequest } from "../errors.js";
import type { AccessTokens } from "./access-token.js";
import type { Client } from "./clients.js";
import type { Job } from "./fair-queue.js";
import type { IssuedTokens } from "./issued-tokens.js";
import type { LoginLimiter } from "./login-limiter.js";
import { network } from "./network.js";
import type { OutsideGrants } from "./outside-grants.js";
import type { PasswordHasher } from "./password-hash.js";
import { isRefreshToken, type RefreshToken, type RefreshTokens } from "./refresh-token.js";
import type { User, Users } from "./users.js";

/** What an access token may be used for; there is nothing finer yet. */
export const SCOPES = ["profile", "email"] as const;

export interface TokenRequest {
  readonly grantType?: string | undefined;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  readonly refreshToken?: string | undefined;
  readonly scope?: string | undefined;
}

/** Where a request comes from, and for whom. */
export interface TokenContext {
  readonly client: Client;
  /** The service's own name in tokens. */
  readonly issuer: string;
  /** The network address of the caller. */
  readonly address: string;
  /** When the request was whole, in milliseconds since 1970. */
  readonly arrived: number;
}

export interface GrantParts {
  readonly users: Users;
  readonly hasher: PasswordHasher;
  readonly accessTokens: AccessTokens;
  readonly refreshTokens: RefreshTokens;
  readonly limiter: LoginLimiter;
  /** The outside identity provider, where there is one. */
  readonly outside: OutsideGrants | undefined;
}

/** One sentence for every reason, or names could be found out. */
const rejected = (): InvalidGrant => new InvalidGrant("The user name or the password is wrong.");

export class Grants {
  readonly #parts: GrantParts;

  constructor(parts: GrantParts) {
    this.#parts = parts;
  }

  /**
   * Answers a token request.
   *
   * @throws InvalidTokenRequest when it is not clear what is asked for; InvalidGrant when it is refused;
   *   TooManyAttempts; SolrUnavailable, SolrTimeout, IdentityUnavailable
   */
  async issue(request: TokenRequest, context: TokenContext): Promise<IssuedTokens> {
    const wanted = grantOf(request);
    return wanted.type === "password"
      ? await this.#password(wanted, grantedScope(request.scope), context)
      : await this.#refresh(wanted.refreshToken, context);
  }

  async #password(
    { username, password }: { username: string; password: string },
    scope: string,
    context: TokenContext,
  ): Promise<IssuedTokens> {
    const { outside, limiter, refreshTokens, users } = this.#parts;
    const { address, client } = context;
    const by = { address: network(address), name: username };
    const found = await limiter.guard(username, address, async (isKnown) => {
      // Of every name as it is now: asked for some alone, it could be told which are known.
      const user = await users.current(username);
      const own = await this.#check(user, password, by, isKnown);
      if (own !== undefined || outside === undefined) return own;
      // Both ways, or it could be told which names are of this service: by the time, and while the provider fails.
      if (user === undefined) return outside.password(username, password, by.address);
      return void (await outside.pretend(username, by.address));
    });
    if (found === undefined) throw rejected();
    if ("accessToken" in found) return found;
    const next = await refreshTokens.start({
      sub: found.sub,
      username: found.name,
      clientId: client.id,
      scope,
      signedIn: Date.now(),
    });
    return this.#tokens(found, scope, next, context);
  }

  /** A disabled account is refused after the same work as a wrong password. */
  async #check(
    user: User | undefined,
    password: string,
    by: Job,
    isKnown: boolean,
  ): Promise<User | undefined> {
    const right = await this.#parts.hasher.verify(password, user?.password, by, isKnown);
    return right && user !== undefined && !user.disabled ? user : undefined;
  }

  async #refresh(token: string, context: TokenContext): Promise<IssuedTokens> {
    const { outside, refreshTokens, users } = this.#parts;
    if (!isRefreshToken(token) && outside !== undefined) {
      return outside.refresh(token, network(context.address));
    }
    const { next, session, allowed } = await refreshTokens.rotate(
      token,
      context.arrived,
      async (session) => {
        if (session.clientId !== context.client.id) return undefined;
        const user = await users.bySub(session.sub, session.username);
        const gone = user === undefined || user.disabled || user.passwordSet > session.signedIn;
        return gone ? undefined : user;
      },
    );
    return this.#tokens(allowed, session.scope, next, context);
  }

  async #tokens(
    { sub, name, email }: User,
    scope: string,
    next: RefreshToken,
    { client, issuer }: TokenContext,
  ): Promise<IssuedTokens> {
    const content = { issuer, sub, username: name, email, clientId: client.id, scope };
    const { token, expires } = await this.#parts.accessTokens.issue(content);
    return {
      accessToken: token,
      expires,
      refreshToken: next.token,
      refreshExpires: next.expires,
      scope,
    };
  }
}

type Wanted =
  | { readonly type: "password"; readonly username: string; readonly password: string }
  | { readonly type: "refresh"; readonly refreshToken: string };

/** What a request asks for; an empty parameter counts as left out (RFC 6749, 3.2). */
function grantOf(request: TokenRequest): Wanted {
  const { grantType, username, password, refreshToken } = request;
  if (grantType && grantType !== "password" && grantType !== "refresh_token") {
    throw new InvalidTokenRequest(
      "grant_type must be password or refresh_token.",
      "unsupported_grant_type",
    );
  }
  if (refreshToken && (username || password)) {
    throw new InvalidTokenRequest("Give a refresh token or a user name and password, not both.");
  }
  if (refreshToken) {
    if (grantType === "password") {
      throw new InvalidTokenRequest(
        "grant_type is password, but there is a refresh token instead.",
      );
    }
    return { type: "refresh", refreshToken };
  }
  if (grantType === "refresh_token") {
    throw new InvalidTokenRequest("grant_type is refresh_token, but there is no refresh token.");
  }
  if (!username || !password) {
    throw new InvalidTokenRequest("Either username and password or a refresh token is needed.");
  }
  return { type: "password", username, password };
}

/** The wanted scopes as far as there are such, all where nothing is wanted (RFC 6749, 3.3). */
function grantedScope(wanted: string | undefined): string {
  const names = wanted?.split(" ") ?? [];
  const granted = SCOPES.filter((name) => names.includes(name));
  return (granted.length > 0 ? granted : SCOPES).join(" ");
}
