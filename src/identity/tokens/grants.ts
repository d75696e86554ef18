/** The token endpoint: a code, a password or a refresh token -> both tokens (RFC 6749, 4.1.3, 4.3 and 6). */
import type { Client } from "../accounts/clients.js";
import type { Passwords } from "../accounts/passwords.js";
import type { User, Users } from "../accounts/users.js";
import { InvalidGrant } from "../errors.js";
import type { OutsideGrants } from "../outside/outside-grants.js";
import {
  type AuthorizationCodes,
  invalidCode,
  isCode,
  type Proof,
} from "../sign-in/authorization-codes.js";
import { isReturnAddress, PAGE_CLIENT } from "../sign-in/authorization-request.js";
import { network } from "../sign-in/network.js";
import {
  isStillSignedIn,
  SESSION_LIFETIME,
  type SignInSessions,
  signedInAt,
} from "../sign-in/sign-in-sessions.js";
import type { AccessTokens } from "./access-token.js";
import { type GrantRequest, grantOf, type WantedGrant } from "./grant-request.js";
import type { IssuedTokens } from "./issued-tokens.js";
import { grantedScope } from "./issued-tokens.js";
import { isRefreshToken, type RefreshToken, type RefreshTokens } from "./refresh-token.js";

/** The client and the origin of a token request. */
interface TokenContext {
  readonly client: Client;
  /** This service's issuer name. */
  readonly issuer: string;
  /** The network address of the caller. */
  readonly address: string;
  /** When the request was complete, in milliseconds since 1970. */
  readonly arrived: number;
  /** Redirect address of codes for the service's own page. */
  readonly page: string;
}

interface GrantParts {
  readonly users: Users;
  readonly passwords: Passwords;
  readonly codes: AuthorizationCodes;
  readonly sessions: SignInSessions;
  readonly accessTokens: AccessTokens;
  readonly refreshTokens: RefreshTokens;
  /** The outside identity provider; undefined if none is configured. */
  readonly outside: OutsideGrants | undefined;
}

/** The same sentence for every reason: the answer must not reveal which user names exist. */
const rejected = (): InvalidGrant => new InvalidGrant("The user name or the password is wrong.");

export class Grants {
  readonly #parts: GrantParts;

  constructor(parts: GrantParts) {
    this.#parts = parts;
  }

  /**
   * Answers a token request.
   *
   * @throws InvalidTokenRequest if the grant is not clear; InvalidGrant if it is refused
   */
  async issue(request: GrantRequest, context: TokenContext): Promise<IssuedTokens> {
    const wanted = grantOf(request);
    switch (wanted.type) {
      case "code":
        return this.#code(wanted, context);
      case "password":
        return this.#password(wanted, grantedScope(request.scope), context);
      case "refresh":
        return this.#refresh(wanted.refreshToken, context);
    }
  }

  async #password(
    { username, password }: WantedGrant<"password">,
    scope: string,
    context: TokenContext,
  ): Promise<IssuedTokens> {
    const { outside, passwords, refreshTokens } = this.#parts;
    const { address, client } = context;
    // Both are checked in any case: otherwise timing, or an outage of the provider, would reveal which names are local.
    const elsewhere = async (user: User | undefined, from: string) =>
      user === undefined
        ? outside?.password(username, password, from)
        : void (await outside?.pretend(username, from));
    const issue = async (found: User | IssuedTokens): Promise<IssuedTokens> => {
      if ("accessToken" in found) return found;
      const { sub, name } = found;
      const signedIn = signedInAt(found, context.arrived);
      const session = { sub, username: name, clientId: client.id, scope, signedIn };
      return this.#tokens(found, scope, await refreshTokens.start(session), context);
    };
    const fallback = outside && elsewhere;
    const tokens = await passwords.check(username, password, address, fallback, issue);
    if (tokens === undefined) throw rejected();
    return tokens;
  }

  async #code(wanted: WantedGrant<"code">, context: TokenContext): Promise<IssuedTokens> {
    const { code, verifier, redirectUri } = wanted;
    const proof: Proof = { clientId: context.client.id, redirectUri, verifier };
    const { outside, codes, refreshTokens, users } = this.#parts;
    if (outside !== undefined && !isCode(code)) {
      return this.#codeFromOutside(outside, wanted, context);
    }
    const { authorized, family, jti } = await codes.use(code, proof);
    const { sub, username, clientId, scope, signedIn, session } = authorized;
    const user = await users.current(username);
    if (!isStillSignedIn(user, authorized)) throw invalidCode();
    const isPage = clientId === PAGE_CLIENT;
    const next = await refreshTokens.start(
      {
        sub,
        username,
        clientId,
        scope,
        signedIn,
        // A token in a browser lives shorter than one in a private file.
        ...(isPage && { browser: session, lifetime: SESSION_LIFETIME }),
      },
      family,
    );
    await codes.confirm(code);
    return this.#tokens(user, scope, next, context, jti);
  }

  /** Exchanges a code of the provider. Only for the page: other clients ask the provider directly. */
  async #codeFromOutside(
    outside: OutsideGrants,
    { code, verifier, redirectUri }: WantedGrant<"code">,
    { client, address, page }: TokenContext,
  ): Promise<IssuedTokens> {
    const isOurs = client.id === PAGE_CLIENT && isReturnAddress(client.id, redirectUri, page);
    if (!isOurs) throw invalidCode();
    return outside.code({ code, verifier, redirectUri }, network(address));
  }

  async #refresh(token: string, context: TokenContext): Promise<IssuedTokens> {
    const { outside, refreshTokens, sessions, users } = this.#parts;
    if (!isRefreshToken(token) && outside !== undefined) {
      return outside.refresh(token, network(context.address));
    }
    const { next, session, allowed } = await refreshTokens.rotate(
      token,
      context.arrived,
      async (session) => {
        if (session.clientId !== context.client.id) return undefined;
        const { browser } = session;
        if (browser !== undefined && (await sessions.wasEnded(browser))) return undefined;
        const user = await users.bySub(session.sub, session.username);
        return isStillSignedIn(user, session) ? user : undefined;
      },
    );
    return this.#tokens(allowed, session.scope, next, context);
  }

  async #tokens(
    { sub, name, email }: User,
    scope: string,
    next: RefreshToken,
    { client, issuer }: TokenContext,
    jti?: string,
  ): Promise<IssuedTokens> {
    const content = { issuer, sub, username: name, email, clientId: client.id, scope };
    const { token, expires } = await this.#parts.accessTokens.issue(content, jti);
    return {
      accessToken: token,
      expires,
      refreshToken: next.token,
      refreshExpires: next.expires,
      scope,
      holder: { sub, name, issuer },
    };
  }
}
