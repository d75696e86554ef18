/** A token for a service: the kept one, its successor, or a new one. */
import { createHash } from "node:crypto";
import { userInfo } from "node:os";
import { readName, readPassword } from "./ask.js";
import { AuthenticationError } from "./authentication-error.js";
import { requestToken, type Token } from "./request-token.js";
import { DEFAULT_HOST, serviceAddress } from "./service-address.js";
import { type KeptToken, TokenCache } from "./token-cache.js";

export interface AuthenticateOptions {
  /** A refresh token, used instead of name and password. */
  readonly refreshToken?: string | undefined;
  /** The same, as the specification spells it. */
  readonly refresh_token?: string | undefined;
  /** Login name; where it is left out the terminal is asked, or it is the name on this system if `password` is given. */
  readonly username?: string | undefined;
  /** `host`, `host:port` or `http(s)://host[:port][/path]`; this machine where it is left out. */
  readonly host?: string | undefined;
  /** Make a new token even if the kept one is valid. */
  readonly force?: boolean | undefined;
  /** Gives the password; without it the terminal is asked. */
  readonly password?: (() => Promise<string>) | undefined;
  /** Gets a line a step. Never a secret. */
  readonly report?: ((line: string) => void) | undefined;
}

/** Seconds that a token must still be valid to be worth using. */
const MIN_LIFETIME = 5;

const now = (): number => Math.floor(Date.now() / 1000);
const hash = (text: string): string => createHash("sha256").update(text).digest("hex");

/**
 * Gets a token for a service, and keeps it in the user's configuration folder.
 *
 * A kept token that is valid is used again; one that has expired is refreshed; only then a password is asked
 * for. With a refresh token nobody is asked. As that works once, its successor is kept, and the same refresh
 * token may be given again: it leads to the newest one.
 *
 * @throws AuthenticationError
 */
export async function authenticate(options: AuthenticateOptions = {}): Promise<Token> {
  const service = serviceAddress(options.host ?? DEFAULT_HOST);
  const cache = new TokenCache();
  const given = options.refreshToken ?? options.refresh_token;
  const kept = await cache.alone(() =>
    given === undefined
      ? fromKept(cache, service, options)
      : fromRefreshToken(cache, service, given, options),
  );
  return kept ?? (await withPassword(cache, service, options));
}

/** The token that is kept for a service, renewed where that is due; undefined without one. Nobody is asked. @throws AuthenticationError */
export async function keptToken(host = DEFAULT_HOST): Promise<Token | undefined> {
  const service = serviceAddress(host);
  const cache = new TokenCache();
  // Who never signed in gets no folder and no lock.
  if ((await cache.read(service)) === undefined) return undefined;
  return cache.alone(() => fromKept(cache, service, {}));
}

/** The token that is kept for a service where it is still valid; the service is not asked. @throws AuthenticationError */
export async function validToken(host = DEFAULT_HOST): Promise<Token | undefined> {
  const token = (await new TokenCache().read(serviceAddress(host)))?.token;
  return token !== undefined && token.expires > now() + MIN_LIFETIME ? token : undefined;
}

async function fromKept(
  cache: TokenCache,
  service: string,
  { username, force = false, report }: AuthenticateOptions,
): Promise<Token | undefined> {
  if (force) return undefined;
  const kept = await cache.read(service);
  if (kept === undefined || (username !== undefined && kept.username !== username))
    return undefined;
  return useKept(cache, service, kept, report);
}

async function useKept(
  cache: TokenCache,
  service: string,
  kept: KeptToken,
  report: AuthenticateOptions["report"],
  force = false,
): Promise<Token | undefined> {
  const { token } = kept;
  const valid = token.expires > now() + MIN_LIFETIME;
  if (valid && !force) {
    report?.(`Using the token that is kept for ${service}`);
    const { expires, refresh_expires: end } = token;
    return { ...token, expires_in: expires - now(), refresh_expires_in: Math.max(0, end - now()) };
  }
  if (token.refresh_expires <= now()) return undefined;
  report?.(`Refreshing the token that is kept for ${service}`);
  try {
    const next = await requestToken(service, { refresh_token: token.refresh_token });
    await cache.write(service, { ...kept, token: next });
    return next;
  } catch (error) {
    // The service does not know it any more: then as if there were none.
    if (error instanceof AuthenticationError && error.status === 401) return undefined;
    throw error;
  }
}

async function fromRefreshToken(
  cache: TokenCache,
  service: string,
  given: string,
  { force = false, report }: AuthenticateOptions,
): Promise<Token> {
  const origin = hash(given);
  const kept = await cache.read(service);
  const leads =
    kept !== undefined && (kept.origin === origin || hash(kept.token.refresh_token) === origin);
  const used = leads ? await useKept(cache, service, kept, report, force) : undefined;
  if (used !== undefined) return used;
  report?.(`Asking ${service} with the refresh token`);
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
  const whoever = (): Promise<string> => readName(`Name at ${service}`, usual);
  const username = given ?? (password === undefined ? await whoever() : usual);
  const ask = password ?? (() => readPassword(`Password of ${username} at ${service}: `));
  const secret = await ask();
  report?.(`Signing in as ${username} at ${service}`);
  const token = await requestToken(service, { username, password: secret });
  await cache.alone(() => cache.write(service, { token, username }));
  return token;
}

/** Whose token it is; it comes from the service itself, so nothing needs to be verified. */
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
