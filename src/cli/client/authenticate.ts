/** Gets a token for a service: the cached one, a refreshed one, or a new one. */
import { createHash } from "node:crypto";
import { userInfo } from "node:os";
import { readName, readPassword } from "./ask.js";
import { AuthenticationError } from "./authentication-error.js";
import { requestToken, type Token } from "./request-token.js";
import { apiAddress, DEFAULT_HOST, serviceAddress } from "./service-address.js";
import { type CachedToken, TokenCache } from "./token-cache.js";

export interface AuthenticateOptions {
  /** A refresh token, used instead of name and password. */
  readonly refreshToken?: string | undefined;
  /** The same, as the OAuth specification spells it. */
  readonly refresh_token?: string | undefined;
  /** Login name. By default the terminal asks for it; with `password` it is the system user's name. */
  readonly username?: string | undefined;
  /** `host`, `host:port` or `http(s)://host[:port][/path]`; by default this machine. */
  readonly host?: string | undefined;
  /** Gets a new token even if the cached one is valid. */
  readonly force?: boolean | undefined;
  /** An access token that the service has refused: it is refreshed even if it is valid by this machine's clock. */
  readonly refused?: string | undefined;
  /** Returns the password. By default the terminal asks for it. */
  readonly password?: (() => Promise<string>) | undefined;
  /** Receives one line for each step, never a secret. */
  readonly report?: ((line: string) => void) | undefined;
}

/** How a caller identifies itself to a service: by a token for scripts, or by signing in. */
export interface Credentials extends AuthenticateOptions {
  readonly scriptToken?: string | undefined;
}

/** Seconds; a token with less lifetime left is not used. */
const MIN_LIFETIME = 5;

const now = (): number => Math.floor(Date.now() / 1000);
const hash = (text: string): string => createHash("sha256").update(text).digest("hex");

/**
 * Gets a token for a service, and caches it in the user's configuration folder.
 *
 * A valid cached token is used again and an expired one is refreshed; only then the password is requested. With a
 * refresh token there is no prompt. A refresh token works once, so its successor is cached; the same refresh token
 * may be given again and leads to the newest one.
 *
 * @throws AuthenticationError
 */
export async function authenticate(options: AuthenticateOptions = {}): Promise<Token> {
  const service = serviceAddress(options.host ?? DEFAULT_HOST);
  const cache = new TokenCache();
  const given = options.refreshToken ?? options.refresh_token;
  const cached = await cache.alone(() =>
    given === undefined
      ? fromKept(cache, service, options)
      : fromRefreshToken(cache, service, given, options),
  );
  return cached ?? (await withPassword(cache, service, options));
}

/** The token to send. @throws AuthenticationError */
export const accessToken = async ({ scriptToken, ...options }: Credentials): Promise<string> =>
  scriptToken ?? (await authenticate(options)).access_token;

export interface OptionalToken {
  /** Undefined if nobody has signed in. */
  readonly text: string | undefined;
  /** Seconds since 1970 until which the token may be sent. */
  readonly until: number;
}

/** The token of a user who may sign in, but need not: without any credentials, the cached one if there is one. */
export async function optionalToken({
  scriptToken,
  ...options
}: Credentials): Promise<OptionalToken> {
  if (scriptToken !== undefined) return { text: scriptToken, until: Number.POSITIVE_INFINITY };
  const isCached = options.refreshToken === undefined && options.username === undefined;
  const token = isCached ? await cachedToken(options) : await authenticate(options);
  return { text: token?.access_token, until: (token?.expires ?? 0) - MIN_LIFETIME };
}

/** The cached token of a service, refreshed if it has expired. Asks nobody. */
async function cachedToken({
  host = DEFAULT_HOST,
  refused,
}: AuthenticateOptions): Promise<Token | undefined> {
  const service = serviceAddress(host);
  const cache = new TokenCache();
  // Without a cached token no folder and no lock file are made.
  if ((await cache.read(service)) === undefined) return undefined;
  return cache.alone(() => fromKept(cache, service, { refused }));
}

/** The cached token of a service if it is still valid, without a request. @throws AuthenticationError */
export async function validToken(host = DEFAULT_HOST): Promise<Token | undefined> {
  const token = (await new TokenCache().read(serviceAddress(host)))?.token;
  return token !== undefined && token.expires > now() + MIN_LIFETIME ? token : undefined;
}

async function fromKept(
  cache: TokenCache,
  service: string,
  options: AuthenticateOptions,
): Promise<Token | undefined> {
  const { username, force = false } = options;
  if (force) return undefined;
  const cached = await cache.read(service);
  if (cached === undefined || (username !== undefined && cached.username !== username))
    return undefined;
  return useCached(cache, service, cached, options);
}

async function useCached(
  cache: TokenCache,
  service: string,
  cached: CachedToken,
  { force = false, refused, report }: AuthenticateOptions,
): Promise<Token | undefined> {
  const { token } = cached;
  const valid = token.expires > now() + MIN_LIFETIME && token.access_token !== refused;
  if (valid && !force) {
    report?.(`Using the cached token for ${service}`);
    const { expires, refresh_expires: end } = token;
    return { ...token, expires_in: expires - now(), refresh_expires_in: Math.max(0, end - now()) };
  }
  if (token.refresh_expires <= now()) return undefined;
  report?.(`Refreshing the cached token for ${service}`);
  try {
    const next = await requestToken(service, { refresh_token: token.refresh_token });
    await cache.write(service, { ...cached, token: next });
    return next;
  } catch (error) {
    // The service has revoked it or let it expire.
    if (error instanceof AuthenticationError && error.status === 401) return undefined;
    throw error;
  }
}

async function fromRefreshToken(
  cache: TokenCache,
  service: string,
  given: string,
  options: AuthenticateOptions,
): Promise<Token> {
  const origin = hash(given);
  const cached = await cache.read(service);
  const leads =
    cached !== undefined &&
    (cached.origin === origin || hash(cached.token.refresh_token) === origin);
  const used = leads ? await useCached(cache, service, cached, options) : undefined;
  if (used !== undefined) return used;
  options.report?.(`Asking ${service} with the refresh token`);
  const token = await requestToken(service, { refresh_token: given });
  await cache.write(service, { token, username: nameIn(token), origin });
  return token;
}

async function withPassword(
  cache: TokenCache,
  service: string,
  { username: given, password, report }: AuthenticateOptions,
): Promise<Token> {
  const usual = userInfo().username;
  const instead = `use a refresh token, the first of which comes from POST ${apiAddress(service)}/auth/v2/token with username and password`;
  const askName = (): Promise<string> => readName(`Name at ${service}`, usual, instead);
  const username = given ?? (password === undefined ? await askName() : usual);
  const ask = password ?? (() => readPassword(`Password of ${username} at ${service}: `, instead));
  const secret = await ask();
  report?.(`Signing in as ${username} at ${service}`);
  const token = await requestToken(service, { username, password: secret });
  await cache.alone(() => cache.write(service, { token, username }));
  return token;
}

/** The user name in a token. The token comes from the service itself, so it needs no verification. */
function nameIn({ access_token: token }: Token): string {
  try {
    const claims: unknown = JSON.parse(
      Buffer.from(token.split(".")[1] ?? "", "base64url").toString("utf8"),
    );
    return String((claims as { preferred_username?: unknown }).preferred_username ?? "");
  } catch {
    return "";
  }
}
