/**
 * Tickets that let anybody read one dataset until they expire or their owner ends them.
 *
 * A ticket is a signed JSON Web Token with its own type (RFC 8725, 3.11), so it cannot be confused with an access token.
 * It names the dataset and a random number; only the store knows the owner. A ticket lives long, so only the newest
 * key signs and verifies it: rotating the keys ends every share.
 */
import { randomBytes } from "node:crypto";
import { jwtVerify, SignJWT } from "jose";
import { LRUCache } from "lru-cache";
import type { Owner } from "../../domain/user-data/owner.js";
import type { StateStore } from "../../index/state/state-store.js";
import { sha256 } from "../../platform/sha256.js";
import type { Users } from "../accounts/users.js";
import { InvalidToken } from "../errors.js";
import { ALGORITHM, type KeyRing } from "../keys/keys.js";
import { isCanonical } from "./access-token.js";
import { keyIdOf, text, unverifiedClaims } from "./unverified.js";

const TYPE = "share+jwt";
const KIND = "share";

interface Share {
  readonly dataset: string;
  /** The owner. The ticket is valid as long as the data belong to them. */
  readonly by: Owner;
}

interface Ticket {
  readonly id: string;
  readonly dataset: string;
  readonly kid: string;
  readonly issuer: string;
  /** Milliseconds since 1970. */
  readonly expires: number;
}

/** The entry of a share in the store. */
interface Stored extends Share {
  readonly revoked: boolean;
}

/** Milliseconds for which a share is cached: a client requests many chunks. */
const CACHE_TTL = 3000;
const MAX_CACHED = 10_000;

const entryId = (id: string): string => `share:${sha256(id)}`;

const refused = (cause?: unknown): InvalidToken =>
  new InvalidToken("The address is not valid, or has expired.", "share", { cause });

export class Shares {
  readonly #tickets = new LRUCache<string, Ticket>({ max: MAX_CACHED });
  readonly #known = new LRUCache<string, Stored>({ max: MAX_CACHED, ttl: CACHE_TTL });
  /** Shares ended by this instance -> their expiry. */
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

  /** Issues a ticket. @param expires seconds since 1970 */
  async issue(issuer: string, { dataset, by }: Share, expires: number): Promise<string> {
    const id = randomBytes(18).toString("base64url");
    const value: Stored = { dataset, by, revoked: false };
    await this.#store.overwrite(entryId(id), { kind: KIND, value, expires: expires * 1000 });
    // Asks the store: only the newest key of all instances verifies tickets.
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
   * The share of a ticket.
   *
   * @throws InvalidToken if the ticket is forged, expired or ended, if the keys were rotated since, or the owner's account is gone
   */
  async verify(issuer: string, ticket: string): Promise<Share> {
    const { id, dataset, expires } = await this.#verified(issuer, ticket);
    const now = this.#clock();
    if (expires <= now || this.#ended.has(id)) throw refused();
    const stored = this.#known.get(id) ?? (await this.#find(id));
    // The share may have ended during the request to the store.
    if (stored === undefined || stored.revoked || this.#ended.has(id)) throw refused();
    if (stored.dataset !== dataset) throw refused();
    return { dataset, by: await this.#sharer(stored.by) };
  }

  /**
   * Ends a share.
   *
   * @param ticket may have expired
   * @returns false if this owner has no such share
   */
  async revoke(ticket: string, owner: Owner): Promise<boolean> {
    const id = text(unverifiedClaims(ticket).jti);
    const entry = id === "" ? undefined : await this.#store.read(entryId(id));
    if (entry?.kind !== KIND) return false;
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

  /** The owner, checked if the account is of this service. Accounts of the outside provider cannot be checked. */
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
    const known = this.#tickets.get(ticket);
    if (known?.issuer === issuer && known.kid === kid) return known;
    try {
      if (!isCanonical(ticket)) throw new TypeError("not the one way to write it");
      const { payload } = await jwtVerify(ticket, key.publicKey, {
        issuer,
        audience: issuer,
        typ: TYPE,
        algorithms: [ALGORITHM],
        requiredClaims: ["sub", "exp", "jti"],
        currentDate: new Date(this.#clock()),
      });
      const verified: Ticket = {
        id: String(payload.jti),
        dataset: String(payload.sub),
        kid,
        issuer,
        expires: (payload.exp ?? 0) * 1000,
      };
      this.#tickets.set(ticket, verified);
      return verified;
    } catch (cause) {
      throw refused(cause);
    }
  }
}
