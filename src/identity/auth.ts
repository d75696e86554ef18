/** Tokens and accounts, wired for the handlers and the contract's authentication. */
import { PREFIX } from "../../generated/prefix.js";
import type { StateCopy } from "../index/state/state-copy.js";
import type { Accounts } from "./accounts/accounts.js";
import type { Client, Clients } from "./accounts/clients.js";
import { PasswordHasher } from "./accounts/password-hash.js";
import { Passwords } from "./accounts/passwords.js";
import type { Users } from "./accounts/users.js";
import { Authorization } from "./authorization.js";
import { KeyRing } from "./keys/keys.js";
import type { StateKeySetting } from "./keys/state-key.js";
import { type OutsideClient, OutsideGrants } from "./outside/outside-grants.js";
import { OutsideIssuer, type OutsideOptions } from "./outside/outside-issuer.js";
import { isAdministrator, type Principal } from "./principal.js";
import { AuthorizationCodes } from "./sign-in/authorization-codes.js";
import { LOGIN_LIMITS, LoginLimiter, type LoginLimits } from "./sign-in/login-limiter.js";
import { SignInSessions } from "./sign-in/sign-in-sessions.js";
import { ACCESS_TOKEN_LIFETIME, AccessTokens } from "./tokens/access-token.js";
import { Bearer } from "./tokens/bearer.js";
import { Grants } from "./tokens/grants.js";
import { introspect } from "./tokens/introspection.js";
import { RefreshTokens } from "./tokens/refresh-token.js";
import { revoke } from "./tokens/revocation.js";
import { RevocationList } from "./tokens/revocation-list.js";
import { ScriptTokens } from "./tokens/script-tokens.js";
import { Shares } from "./tokens/shares.js";

export interface AuthSettings {
  /** Seconds; ACCESS_TOKEN_LIFETIME by default. */
  readonly accessTokenLifetime?: number;
  /** Seconds. */
  readonly refreshTokenLifetime: number;
  readonly limits?: LoginLimits;
  /** Seals what instances share; undefined if accounts and keys are files in a data folder. */
  readonly shared?: StateKeySetting;
  readonly outside?: OutsideOptions & { readonly client: OutsideClient };
}

interface AuthOptions extends AuthSettings {
  readonly accounts: Accounts;
  readonly copy: StateCopy;
  /** Called with one line when the outside provider fails. */
  readonly report: (problem: string) => void;
  /** Passwords hashed at a time; one for each processor by default. */
  readonly hashers?: number;
  readonly clock?: () => number;
  /** Waits; tests replace it. */
  readonly pause?: (milliseconds: number) => Promise<unknown>;
}

export interface Auth {
  readonly keys: KeyRing;
  readonly users: Users;
  readonly clients: Clients;
  readonly authorization: Authorization;
  readonly grants: Grants;
  readonly scriptTokens: ScriptTokens;
  readonly shares: Shares;
  /** The claims of a token (RFC 7662); undefined if it is not active. */
  introspect(token: string, issuer: string): ReturnType<typeof introspect>;
  /** Ends a token of a client (RFC 7009). */
  revoke(token: string, client: Client, issuer: string): Promise<void>;
  /** The principal of a request; see Authenticate in server/contract/mount.ts. */
  authenticate(authorization: string | undefined, base: string): Promise<Principal | undefined>;
  isAdministrator(principal: Principal, base: string): Promise<boolean>;
  close(): Promise<void>;
}

/** This service's issuer name: the address below which all of its endpoints lie (RFC 8414, 2). */
export const issuerOf = (base: string): string => base + PREFIX;

/** Opens the accounts, creates a first key, and follows changes made by other instances. */
export async function openAuth(options: AuthOptions): Promise<Auth> {
  const { accounts, copy, clock = Date.now, pause, outside: provider } = options;
  const { accessTokenLifetime = ACCESS_TOKEN_LIFETIME, limits = LOGIN_LIMITS } = options;
  const { users, clients } = accounts;
  const { store } = copy;
  const hasher = new PasswordHasher(options.hashers);
  const keys = await KeyRing.open(accounts.keys, accessTokenLifetime);
  const accessTokens = new AccessTokens(keys, accessTokenLifetime, clock);
  const refreshTokens = new RefreshTokens(store, options.refreshTokenLifetime, clock, pause);
  const revoked = new RevocationList(copy, clock);
  const outside = provider && new OutsideIssuer(provider, options.report, clock);
  const scriptTokens = new ScriptTokens(copy, users, clock);
  const bearer = new Bearer({ accessTokens, revoked, outside, scriptTokens });
  const limiter = new LoginLimiter(store, limits, clock);
  const passwords = new Passwords({ users, hasher, limiter });
  const sessions = new SignInSessions(store, users, options.refreshTokenLifetime, clock);
  const endTokens = async (family: string, jti: string): Promise<void> => {
    const expires = Math.floor(clock() / 1000) + accessTokenLifetime;
    await Promise.all([refreshTokens.endFamily(family), revoked.add(jti, expires)]);
  };
  const codes = new AuthorizationCodes(store, endTokens, clock);
  const outsideGrants = outside && provider && new OutsideGrants(outside, provider.client, clock);
  const parts = { bearer, refreshTokens, revoked, sessions, scriptTokens, users };
  // A thread is started now, so that the first sign-in takes no longer than others.
  await Promise.all([hasher.verify("any", undefined), copy.follow()]);
  return {
    keys,
    users,
    clients,
    authorization: new Authorization({
      clients,
      passwords,
      codes,
      sessions,
      outside: outsideGrants,
    }),
    grants: new Grants({
      users,
      passwords,
      codes,
      sessions,
      accessTokens,
      refreshTokens,
      outside: outsideGrants,
    }),
    scriptTokens,
    shares: new Shares(keys, users, store, clock),
    introspect: (...of) => introspect(parts, ...of),
    revoke: (...of) => revoke(parts, ...of),
    authenticate: (authorization, base) => bearer.principal(authorization, issuerOf(base)),
    isAdministrator: (principal, base) => isAdministrator(principal, issuerOf(base), users),
    close: async () => {
      copy.close();
      await hasher.close();
    },
  };
}
