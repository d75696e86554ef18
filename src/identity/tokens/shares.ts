/**
 * Tickets that let anybody read one data set until they expire, or their sharer ends them.
 *
 * A ticket is a signed JSON Web Token of a type of its own (RFC 8725, 3.11), so that it is never taken for an
 * access token, nor an access token for it. It says of which data it is and has a random number; who shared
 * them is in the store alone. Unlike an access token it lives long, so that the newest key alone is good
 * enough for it: to rotate the keys is to end every share.
 */
import { randomBytes } from "node:crypto";
import { decodeJwt, decodeProtectedHeader, jwtVerify, SignJWT } from "jose";
import { LRUCache } from "lru-cache";
import type { Owner } from "../../domain/user-data/owner.js";
import type { StateStore } from "../../index/state/state-store.js";
import { sha256 } from "../../platform/sha256.js";
import type { Users } from "../accounts/users.js";
import { InvalidToken } from "../errors.js";
import { ALGORITHM, type KeyRing } from "../keys/keys.js";
import { isCanonical } from "./access-token.js";

const TYPE = "share+jwt";
const KIND = "share";

/** What a ticket stands for. */
export interface Share {
  /** Identifier of the data set. */
  readonly dataset: string;
  /** Who shared it: what is theirs can be read with it as long as it is theirs. */
  readonly by: Owner;
}

/** What a ticket itself says, verified. */
interface Ticket {
  readonly id: string;
  readonly dataset: string;
  readonly kid: string;
  readonly issuer: string;
  /** Milliseconds since 1970. */
  readonly expires: number;
}

/** What the store has of a share. */
interface Stored {
  readonly dataset: string;
  readonly by: Owner;
  readonly revoked: boolean;
}

/** Milliseconds for which a share that was found in the store is not looked up again: a client asks for many chunks. */
const REMEMBERED = 3000;
const MAX_REMEMBERED = 10_000;

const entryId = (id: string): string => `share:${sha256(id)}`;

const refused = (cause?: unknown): InvalidToken =>
  new InvalidToken("The address is not valid, or has expired.", "share", { cause });

export class Shares {
  readonly #tickets = new LRUCache<string, Ticket>({ max: MAX_REMEMBERED });
  readonly #known = new LRUCache<string, Stored>({ max: MAX_REMEMBERED, ttl: REMEMBERED });
  /** What this instance has ended, until it would have expired. */
  readonly #ended = new Map<string, number>();
  readonly #keys: KeyRing;
  readonly #users: Users;
  readonly #store: StateStore;
  readonly #clock: () => number;

  constructor(keys: KeyRing, users: Users, store: StateStore, clock: () => number = Date.now) {
    this.#keys = keys;
    this.#users = users;
    this.#store = store;
    this.#clock = clock;
  }

  /**
   * Makes a ticket.
   *
   * @param issuer the service's own name
   * @param expires seconds since 1970
   * @throws SolrUnavailable, SolrTimeout
   */
  async issue(issuer: string, { dataset, by }: Share, expires: number): Promise<string> {
    const id = randomBytes(18).toString("base64url");
    const value: Stored = { dataset, by, revoked: false };
    await this.#store.overwrite(entryId(id), { kind: KIND, value, expires: expires * 1000 });
    // The newest of all, and not only of those known here: no other is good enough.
    const key = await this.#keys.current();
    return new SignJWT()
      .setProtectedHeader({ typ: TYPE, alg: ALGORITHM, kid: key.kid })
      .setIssuer(issuer)
      .setAudience(issuer)
      .setSubject(dataset)
      .setJti(id)
      .setExpirationTime(expires)
      .sign(key.privateKey);
  }

  /**
   * What a ticket stands for now.
   *
   * @throws InvalidToken when it is not of this service, was changed, has expired or was ended, when the keys
   *   were rotated since, or its sharer's account is gone; SolrUnavailable, SolrTimeout
   */
  async verify(issuer: string, ticket: string): Promise<Share> {
    const { id, dataset, expires } = await this.#verified(issuer, ticket);
    const now = this.#clock();
    if (expires <= now || this.#ended.has(id)) throw refused();
    const stored = this.#known.get(id) ?? (await this.#find(id));
    // It may have been ended while the store was asked.
    if (stored === undefined || stored.revoked || this.#ended.has(id)) throw refused();
    if (stored.dataset !== dataset) throw refused();
    return { dataset, by: await this.#sharer(stored.by) };
  }

  /**
   * Ends a share of the owner's.
   *
   * @param ticket may be one that is not valid any more
   * @returns false when there is no such share of this owner
   * @throws SolrUnavailable, SolrTimeout
   */
  async revoke(ticket: string, owner: Owner): Promise<boolean> {
    const id = idIn(ticket);
    const entry = id === undefined ? undefined : await this.#store.read(entryId(id));
    if (id === undefined || entry?.kind !== KIND) return false;
    const stored = entry.value as Stored;
    if (stored.by.id !== owner.id || stored.revoked) return false;
    await this.#store.overwrite(entryId(id), { ...entry, value: { ...stored, revoked: true } });
    const now = this.#clock();
    for (const [other, end] of this.#ended) if (end <= now) this.#ended.delete(other);
    this.#ended.set(id, entry.expires);
    return true;
  }

  async #find(id: string): Promise<Stored | undefined> {
    const entry = await this.#store.read(entryId(id));
    const stored = entry?.kind === KIND ? (entry.value as Stored) : undefined;
    if (stored !== undefined && !stored.revoked) this.#known.set(id, stored);
    return stored;
  }

  /** Accounts of the outside provider are not known here; those of this service may have ended. */
  async #sharer(by: Owner): Promise<Owner> {
    if (!by.isLocal) return by;
    const user = await this.#users.bySub(by.id, by.user);
    if (user === undefined || user.disabled) throw refused();
    return { ...by, user: user.name };
  }

  async #verified(issuer: string, ticket: string): Promise<Ticket> {
    const key = await this.#keys.ifNewest(keyIdOf(ticket));
    if (key === undefined) throw refused();
    const { kid } = key;
    const seen = this.#tickets.get(ticket);
    if (seen?.issuer === issuer && seen.kid === kid) return seen;
    try {
      if (!isCanonical(ticket)) throw new TypeError("not the one way to write it");
      const { payload } = await jwtVerify(ticket, key.publicKey, {
        ...{ issuer, audience: issuer, typ: TYPE, algorithms: [ALGORITHM] },
        requiredClaims: ["sub", "exp", "jti"],
        currentDate: new Date(this.#clock()),
      });
      const verified: Ticket = {
        ...{ id: String(payload.jti), dataset: String(payload.sub), kid, issuer },
        expires: (payload.exp ?? 0) * 1000,
      };
      this.#tickets.set(ticket, verified);
      return verified;
    } catch (cause) {
      throw refused(cause);
    }
  }
}

function keyIdOf(ticket: string): string {
  try {
    return decodeProtectedHeader(ticket).kid ?? "";
  } catch {
    return "";
  }
}

/** The number of a ticket, whatever its signature: it is random, and the store knows whose it is. */
function idIn(ticket: string): string | undefined {
  try {
    return decodeJwt(ticket).jti;
  } catch {
    return undefined;
  }
}
