/**
 * Limits sign-ins that fail, on all instances together and across restarts (RFC 6749, 4.3.2 and 10.10).
 *
 * What is refused is a name at an address, and an address: so nobody can keep the owner of a name out from
 * elsewhere. A name for itself, over all addresses, is only slowed down, and only after very many failures.
 *
 * An attempt is counted before the password is looked at, so that many at once cannot slip through; one that
 * succeeds gives back what it took. A name is counted whether it exists or not.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import type { StateStore } from "../../index/state/state-store.js";
import { sha256 } from "../../platform/sha256.js";
import { SignInBusy, TooManyAttempts } from "../errors.js";
import { Counters } from "./counters.js";
import { FairQueue } from "./hashing-queue.js";
import { network } from "./network.js";

export interface LoginLimits {
  /** Failures in a window after which a name must wait at an address. */
  readonly perUser: number;
  /** Failures in a window after which an address must wait; many people can share one. */
  readonly perAddress: number;
  /** Seconds, from the first failure. */
  readonly window: number;
}

/** A name is slow from so many times the failures on at which it has to wait at one address. */
const SLOW_FROM = 20;
/** Milliseconds that an attempt for such a name waits: in that time the owner comes in, a guesser not far. */
const SLOW_MS = 2000;
/** Attempts that are counted in the store at once, and that wait for it. */
const MAX_AT_ONCE = 8;
const MAX_WAITING = 500;
/** Attempts that wait so at once, each no more than a timer. */
const MAX_SLOW = 1000;

export class LoginLimiter {
  readonly #counters: Counters;
  /** Who has to wait, and until when. For a moment only: others in flight may yet succeed. */
  readonly #locked = new LRUCache<string, number>({ max: 10_000, ttl: 2000 });
  readonly #known = new LRUCache<string, true>({ max: 10_000 });
  readonly #queue = new FairQueue({ atOnce: MAX_AT_ONCE, waiting: () => MAX_WAITING });
  #slow = 0;
  readonly #limits: LoginLimits;
  readonly #clock: () => number;
  readonly #pause: (milliseconds: number) => Promise<unknown>;

  constructor(
    store: StateStore,
    limits: LoginLimits,
    clock: () => number = Date.now,
    pause: (milliseconds: number) => Promise<unknown> = sleep,
  ) {
    this.#limits = limits;
    this.#clock = clock;
    this.#pause = pause;
    this.#counters = new Counters(store, limits.window, clock);
  }

  /**
   * Runs a check of credentials as a counted attempt.
   *
   * @param check hears whether the name has signed in from there before, which then comes first, so that no crowd
   *   of strangers delays it. Undefined means that the credentials are wrong; what it throws counts as a failure,
   *   unless it is SignInBusy: then nothing was looked at
   * @throws TooManyAttempts, SignInBusy; SolrUnavailable, SolrTimeout; and what `check` throws
   */
  async guard<T>(
    username: string,
    address: string,
    check: (isKnown: boolean) => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const from = network(address);
    const pair = entryId("pair", `${from} ${username}`);
    const isKnown = this.#known.has(pair);
    const [site, name] = [entryId("address", from), entryId("name", username)];
    // Who has to wait is told at once, at no cost.
    for (const id of [pair, site]) this.#refuseLocked(id);
    const failures = await this.#queue.run(
      { address: from, name: username },
      () => this.#countAll(pair, site, name),
      isKnown,
    );
    try {
      if (failures > this.#limits.perUser * SLOW_FROM) await this.#slowDown();
      const result = await check(isKnown);
      if (result !== undefined) {
        this.#known.set(pair, true);
        await Promise.all([this.#counters.change(pair, () => 0), this.#giveBack(site, name)]);
      }
      return result;
    } catch (error) {
      if (error instanceof SignInBusy) await this.#giveBack(pair, site, name);
      throw error;
    }
  }

  /** Counts an attempt everywhere, or, where it is one too many, nowhere. @returns the number of the name */
  async #countAll(pair: string, site: string, name: string): Promise<number> {
    const counting = await Promise.allSettled([
      this.#count(pair, this.#limits.perUser),
      this.#count(site, this.#limits.perAddress),
      this.#counters.change(name, (attempts) => attempts + 1),
    ]);
    const failed = counting.find(({ status }) => status === "rejected");
    if (failed?.status === "rejected") {
      const counted = [pair, site, name].filter((_, i) => counting[i]?.status === "fulfilled");
      await this.#giveBack(...counted);
      throw failed.reason;
    }
    const [, , named] = counting;
    return named.status === "fulfilled" ? named.value : 0;
  }

  async #slowDown(): Promise<void> {
    if (this.#slow >= MAX_SLOW) throw new SignInBusy();
    this.#slow += 1;
    try {
      await this.#pause(SLOW_MS);
    } finally {
      this.#slow -= 1;
    }
  }

  async #giveBack(...ids: readonly string[]): Promise<void> {
    const change = (id: string) => this.#counters.change(id, (attempts) => attempts - 1);
    await Promise.allSettled(ids.map(change));
  }

  async #count(id: string, most: number): Promise<void> {
    await this.#counters.change(id, (attempts, expires) => {
      if (attempts < most) return attempts + 1;
      this.#locked.set(id, expires);
      throw this.#tooMany(expires);
    });
  }

  #refuseLocked(id: string): void {
    const expires = this.#locked.get(id) ?? 0;
    if (expires > this.#clock()) throw this.#tooMany(expires);
  }

  #tooMany(expires: number): TooManyAttempts {
    return new TooManyAttempts(Math.max(1, Math.ceil((expires - this.#clock()) / 1000)));
  }
}

/** Names and addresses are nobody's business who looks into the store. */
function entryId(kind: string, text: string): string {
  return `attempts:${kind}:${sha256(text)}`;
}
