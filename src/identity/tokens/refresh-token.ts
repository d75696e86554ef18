/**
 * Refresh tokens: random texts in families, of which only hashes are kept (RFC 9700, 4.14.2).
 *
 * A sign-in starts a family, and one entry in the store is the family: its newest token's hash. To refresh
 * is to replace that hash, if the entry is still in the version that was read; so of several who refresh at
 * once exactly one succeeds, on whatever instance, and there is no moment with two valid tokens or none:
 * killed before the write, the old token is valid; after it, the new one is.
 *
 * Who comes with an earlier token of the family is told 401, and the family ends, as it cannot be known
 * which of the two holders is the thief. One exception: whoever comes within OVERLAP_MS of the rotation is
 * told 401 only. That is no gap, because the one who rotated gets the answer after that time: somebody who
 * comes within it cannot have waited for the answer, but asked at the same moment.
 */
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { StateStore, StoredEntry } from "../../index/state/state-store.js";
import { sha256 } from "../../platform/sha256.js";
import { InvalidGrant } from "../errors.js";

/** Milliseconds during which requests with one token count as simultaneous. */
const OVERLAP_MS = 300;
const KIND = "refresh-family";

/** What a family stands for; never changes. */
export interface Session {
  readonly sub: string;
  /** Of the account; sessions of a former release do not say it. */
  readonly username?: string;
  readonly clientId: string;
  readonly scope: string;
  /** When the password was given, in milliseconds since 1970. */
  readonly signedIn: number;
  /** The browser's session that it came of: with that it is over, too. */
  readonly browser?: string;
  /** Seconds for which its tokens are valid unless they are used, where that is less than others'. */
  readonly lifetime?: number;
}

interface Family extends Session {
  /** SHA-256 of the newest token. */
  readonly hash: string;
  /** When that became the newest, in milliseconds since 1970. */
  readonly rotated: number;
  readonly revoked: boolean;
}

export interface RefreshToken {
  readonly token: string;
  /** Seconds since 1970. */
  readonly expires: number;
}

const SHAPE = /^cnr_([\w-]{22})([\w-]{43})([\w-]{8})$/;
const idOfHash = (hash: string): string => `family:${hash}`;
const entryId = (family: string): string => idOfHash(familyHash(family));

/** A family that has no token yet. */
export const newFamily = (): string => randomBytes(16).toString("base64url");

/** By what a family is known that is no part of a token. */
export const familyHash = (family: string): string => sha256(family);

function makeToken(family: string): string {
  const body = `${family}${randomBytes(32).toString("base64url")}`;
  return `cnr_${body}${sha256(body).slice(0, 8)}`;
}

/**
 * The family that a token belongs to; undefined for what is no refresh token. The check digits keep a
 * mistyped or truncated token from being taken for an earlier one of its family.
 */
function familyOf(token: string): string | undefined {
  const [, family = "", secret = "", check] = SHAPE.exec(token) ?? [];
  return sha256(family + secret).slice(0, 8) === check ? family : undefined;
}

/** Whether a text has the form of a refresh token of this service. */
export const isRefreshToken = (text: string): boolean => familyOf(text) !== undefined;

const refused = (): InvalidGrant => new InvalidGrant("The refresh token is not valid.");

export class RefreshTokens {
  readonly #store: StateStore;
  readonly #clock: () => number;
  readonly #pause: (milliseconds: number) => Promise<unknown>;

  /** @param lifetime seconds for which a token is valid unless it is used */
  constructor(
    store: StateStore,
    readonly lifetime: number,
    clock: () => number = Date.now,
    pause: (milliseconds: number) => Promise<unknown> = sleep,
  ) {
    this.#store = store;
    this.#clock = clock;
    this.#pause = pause;
  }

  /** Starts a family. @throws SolrUnavailable, SolrTimeout */
  async start(session: Session, family = newFamily()): Promise<RefreshToken> {
    const [next, entry] = this.#successor(family, session);
    if (!(await this.#store.write(entryId(family), entry, undefined))) {
      throw new Error("a random family exists already");
    }
    return next;
  }

  /** What a valid token stands for, without any consequence for one that is not. */
  async look(token: string): Promise<{ session: Session; expires: number } | undefined> {
    const { entry, session } = (await this.#find(token)) ?? {};
    if (entry === undefined || session === undefined || session.revoked) return undefined;
    return session.hash === sha256(token) ? { session, expires: entry.expires } : undefined;
  }

  /**
   * Replaces a token by its successor.
   *
   * @param arrived when it was sent, in milliseconds since 1970: who was there before its successor did not know of it
   * @param allow looks at the session before anything changes; undefined refuses
   * @throws InvalidGrant; SolrUnavailable, SolrTimeout: the token may still be valid, try again
   */
  async rotate<T>(
    token: string,
    arrived: number,
    allow: (session: Session) => Promise<T | undefined>,
  ): Promise<{ next: RefreshToken; session: Session; allowed: T }> {
    const found = await this.#find(token);
    if (found === undefined || found.session.revoked) throw refused();
    const { family, entry, session } = found;
    if (session.hash !== sha256(token)) {
      if (arrived > session.rotated + OVERLAP_MS) await this.#end(entryId(family), entry);
      throw refused();
    }
    const allowed = await allow(session);
    if (allowed === undefined) throw refused();
    const [next, successor] = this.#successor(family, session);
    if (!(await this.#store.write(entryId(family), successor, entry))) throw refused();
    await this.#pause(OVERLAP_MS);
    return { next, session, allowed };
  }

  /**
   * Ends the family of a token, whichever of its tokens it is. Not an error where there is none.
   *
   * @returns what it stood for
   */
  async revoke(token: string, allow: (session: Session) => void): Promise<Session | undefined> {
    const found = await this.#find(token);
    if (found === undefined || found.session.revoked) return undefined;
    allow(found.session);
    await this.#end(entryId(found.family), found.entry);
    return found.session;
  }

  /** Ends a family by its hash, if there is one. @throws SolrUnavailable, SolrTimeout */
  async endFamily(hash: string): Promise<void> {
    const entry = await this.#store.read(idOfHash(hash));
    if (entry !== undefined) await this.#end(idOfHash(hash), entry);
  }

  async #find(token: string) {
    const family = familyOf(token);
    const entry = family === undefined ? undefined : await this.#store.read(entryId(family));
    if (family === undefined || entry === undefined) return undefined;
    return { family, entry, session: entry.value as Family };
  }

  /** Whatever the entry has become meanwhile: a family that has ended does not come back. */
  async #end(id: string, entry: StoredEntry): Promise<void> {
    const ended: Family = { ...(entry.value as Family), revoked: true };
    await this.#store.overwrite(id, { ...entry, value: ended });
  }

  #successor(family: string, session: Session) {
    const now = this.#clock();
    const { sub, username, clientId, scope, signedIn, browser, lifetime } = session;
    const lives = Math.min(this.lifetime, lifetime ?? this.lifetime);
    const expires = Math.floor(now / 1000) + lives;
    const token = makeToken(family);
    const value: Family = {
      ...{ sub, ...(username !== undefined && { username }), clientId, scope, signedIn },
      ...{ ...(browser !== undefined && { browser }), ...(lifetime !== undefined && { lifetime }) },
      hash: sha256(token),
      rotated: now,
      revoked: false,
    };
    const next: RefreshToken = { token, expires };
    return [next, { kind: KIND, value, expires: expires * 1000 }] as const;
  }
}
