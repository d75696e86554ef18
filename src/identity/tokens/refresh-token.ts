/**
 * Refresh tokens: random texts in families, of which only hashes are stored (RFC 9700, 4.14.2).
 *
 * A sign-in starts a family: one entry in the store with the hash of its newest token. A refresh replaces that hash if the
 * entry still has the version that was read. So exactly one of several simultaneous refreshes succeeds, on any
 * instance, and at every moment exactly one token is valid, even if the process is killed.
 *
 * An earlier token of the family is answered with 401 and ends the family, because the thief cannot be distinguished from the
 * owner. One exception: within OVERLAP_MS of the rotation the family goes on. This is safe, because the successor is sent
 * only after that time: a request within it was sent at the same moment, not by somebody who had seen the successor.
 */
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { StateStore, StoredEntry } from "../../index/state/state-store.js";
import { sha256 } from "../../platform/sha256.js";
import { InvalidGrant } from "../errors.js";
import { RandomTokens } from "./random-token.js";

/** Milliseconds within which requests with the same token count as simultaneous. */
const OVERLAP_MS = 300;
const KIND = "refresh-family";

/** The session that a family of tokens belongs to. It never changes. */
interface Session {
  readonly sub: string;
  /** Missing in sessions that earlier releases have stored. */
  readonly username?: string;
  readonly clientId: string;
  readonly scope: string;
  /** When the password was entered, in milliseconds since 1970. */
  readonly signedIn: number;
  /** The browser's session that it belongs to and ends with. */
  readonly browser?: string;
  /** Seconds for which an unused token is valid, if shorter than usual. */
  readonly lifetime?: number;
}

interface Family extends Session {
  /** SHA-256 of the newest token. */
  readonly hash: string;
  /** When that token was issued, in milliseconds since 1970. */
  readonly rotated: number;
  readonly revoked: boolean;
}

export interface RefreshToken {
  readonly token: string;
  /** Seconds since 1970. */
  readonly expires: number;
}

const TOKENS = new RandomTokens("cnr");
const idOfHash = (hash: string): string => `family:${hash}`;
const entryId = (family: string): string => idOfHash(familyHash(family));

export const newFamily = (): string => randomBytes(16).toString("base64url");

/** An identifier of the family that reveals no part of a token. */
export const familyHash = (family: string): string => sha256(family);

/** Whether a text has the form of a refresh token of this service. */
export const isRefreshToken = (text: string): boolean => TOKENS.keyOf(text) !== undefined;

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

  async start(session: Session, family = newFamily()): Promise<RefreshToken> {
    const [next, entry] = this.#successor(family, session);
    if (!(await this.#store.write(entryId(family), entry, undefined)).isWritten) {
      throw new Error("a random family exists already");
    }
    return next;
  }

  /** The session of a valid token. An invalid token has no consequence. */
  async look(token: string): Promise<{ session: Session; expires: number } | undefined> {
    const { entry, session } = (await this.#find(token)) ?? {};
    if (entry === undefined || session === undefined || session.revoked) return undefined;
    return session.hash === sha256(token) ? { session, expires: entry.expires } : undefined;
  }

  /**
   * Replaces a token by its successor.
   *
   * @param arrived when the request arrived, in milliseconds since 1970
   * @param allow checks the session before anything changes; undefined refuses
   * @throws SolrUnavailable, SolrTimeout: the token may still be valid, try again
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
      if (arrived <= session.rotated + OVERLAP_MS || (await this.#end(entryId(family), entry))) {
        throw refused();
      }
      return this.rotate(token, arrived, allow);
    }
    const allowed = await allow(session);
    if (allowed === undefined) throw refused();
    const [next, successor] = this.#successor(family, session);
    const { isWritten } = await this.#store.write(entryId(family), successor, entry);
    if (!isWritten) throw refused();
    await this.#pause(OVERLAP_MS);
    return { next, session, allowed };
  }

  /**
   * Ends the family of any of its tokens. A token without a family is not an error.
   *
   * @returns the session that ended
   */
  async revoke(token: string, allow: (session: Session) => void): Promise<Session | undefined> {
    const found = await this.#find(token);
    if (found === undefined || found.session.revoked) return undefined;
    allow(found.session);
    const hasEnded = await this.#end(entryId(found.family), found.entry);
    return hasEnded ? found.session : this.revoke(token, allow);
  }

  /** Ends a family by its hash, if there is one. */
  async endFamily(hash: string): Promise<void> {
    const entry = await this.#store.read(idOfHash(hash));
    if (entry === undefined || (entry.value as Family).revoked) return;
    if (!(await this.#end(idOfHash(hash), entry))) await this.endFamily(hash);
  }

  async #find(token: string) {
    const family = TOKENS.keyOf(token);
    const entry = family === undefined ? undefined : await this.#store.read(entryId(family));
    if (family === undefined || entry === undefined) return undefined;
    return { family, entry, session: entry.value as Family };
  }

  /**
   * Ends a family. A replica that is behind may have shown a former state of it, in which the newest token is an earlier one.
   *
   * @returns false if the family has changed since it was read: read it again
   */
  async #end(id: string, entry: StoredEntry): Promise<boolean> {
    const ended: Family = { ...(entry.value as Family), revoked: true };
    return (await this.#store.write(id, { ...entry, value: ended }, entry)).isWritten;
  }

  #successor(family: string, session: Session) {
    const now = this.#clock();
    const lives = Math.min(this.lifetime, session.lifetime ?? this.lifetime);
    const expires = Math.floor(now / 1000) + lives;
    const token = TOKENS.make(family);
    const value: Family = { ...session, hash: sha256(token), rotated: now, revoked: false };
    const next: RefreshToken = { token, expires };
    return [next, { kind: KIND, value, expires: expires * 1000 }] as const;
  }
}
