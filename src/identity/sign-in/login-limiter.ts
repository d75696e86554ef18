/**
 * Limits failed sign-ins, over all instances and across restarts (RFC 6749, 4.3.2 and 10.10).
 *
 * A name at an address is refused, and an address: nobody can lock out the owner of a name from elsewhere. A name over all
 * addresses is only slowed down, and only after very many failures.
 *
 * An attempt is counted before the password is checked, so that concurrent attempts cannot pass uncounted. A successful
 * attempt is subtracted again. Names are counted whether they exist or not.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import type { StateStore } from "../../index/state/state-store.js";
import { sha256 } from "../../platform/sha256.js";
import { SignInBusy, TooManyAttempts } from "../errors.js";
import { Counters } from "./counters.js";
import { network } from "./network.js";
import { signInSemaphore } from "./sign-in-semaphore.js";

export interface LoginLimits {
  /** Failures in a window after which a name must wait at an address. */
  readonly perUser: number;
  /** Failures in a window after which an address must wait. Many people can share one. */
  readonly perAddress: number;
  /** Seconds, from the first failure. */
  readonly window: number;
}

export const LOGIN_LIMITS: LoginLimits = { perUser: 10, perAddress: 100, window: 300 };

/** A name is slowed down after SLOW_FROM * `perUser` failures. */
const SLOW_FROM = 20;
/** Milliseconds that each attempt then waits: bearable for the owner, too slow for guessing. */
const SLOW_MS = 2000;
/** Attempts that are counted in the store at once, and attempts that wait for it. */
const MAX_COUNTED = 8;
const MAX_WAITING = 500;
/** Attempts that are slowed down at once. Each costs a timer. */
const MAX_SLOW = 1000;

/** Work at the same time as the requests to the store, which it shares if it writes there. */
interface Meanwhile<T, R> {
  /** Runs while the attempt is counted. */
  isCounted?(): Promise<void>;
  /** Runs while a successful attempt is subtracted. Gives the result of the whole. */
  isGivenBack?(result: T): Promise<R>;
}

export class LoginLimiter {
  readonly #counters: Counters;
  /** Locked names and addresses, and when the lock ends. Kept for a moment only: attempts in flight may still succeed. */
  readonly #locked = new LRUCache<string, number>({ max: 10_000, ttl: 2000 });
  readonly #known = new LRUCache<string, true>({ max: 10_000 });
  readonly #counting = signInSemaphore(MAX_COUNTED, MAX_WAITING);
  readonly #slow = signInSemaphore(MAX_SLOW, 0);
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
   * @param check receives whether the name has signed in from this address before. Such attempts are preferred, so that a
   *   crowd of strangers does not delay them. Gives undefined for wrong credentials. An error counts as a failed attempt,
   *   except SignInBusy: nothing was checked then
   */
  async guard<T, R = T>(
    username: string,
    address: string,
    check: (isKnown: boolean) => Promise<T | undefined>,
    { isCounted, isGivenBack }: Meanwhile<T, R> = {},
  ): Promise<R | undefined> {
    const from = network(address);
    const folded = folding(username);
    const pair = entryId("pair", `${from} ${folded}`);
    const isKnown = this.#known.has(pair);
    const [site, name] = [entryId("address", from), entryId("name", folded)];
    // Refused from memory, without a request to the store.
    for (const id of [pair, site]) {
      const expires = this.#locked.get(id) ?? 0;
      if (expires > this.#clock()) throw this.#tooMany(expires);
    }
    const failures = await this.#counting.run(
      { client: [from, folded], isPreferred: isKnown },
      async () => {
        const [attempts] = await Promise.all([this.#countAll(pair, site, name), isCounted?.()]);
        return attempts;
      },
    );
    try {
      if (failures > this.#limits.perUser * SLOW_FROM) {
        await this.#slow.run({}, () => this.#pause(SLOW_MS));
      }
      const result = await check(isKnown);
      if (result === undefined) return undefined;
      this.#known.set(pair, true);
      const [next] = await Promise.all([
        isGivenBack === undefined ? (result as unknown as R) : isGivenBack(result),
        this.#counters.change(pair, () => 0),
        this.#giveBack(site, name),
      ]);
      return next;
    } catch (error) {
      if (error instanceof SignInBusy) await this.#giveBack(pair, site, name);
      throw error;
    }
  }

  /** Counts an attempt in all three counters, or in none if one is at its limit. @returns the attempts of the name */
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

  async #giveBack(...ids: readonly string[]): Promise<void> {
    const change = (id: string) => this.#counters.change(id, (attempts) => attempts - 1);
    await Promise.allSettled(ids.map(change));
  }

  async #count(id: string, max: number): Promise<void> {
    await this.#counters.change(id, (attempts, expires) => {
      if (attempts < max) return attempts + 1;
      this.#locked.set(id, expires);
      throw this.#tooMany(expires);
    });
  }

  #tooMany(expires: number): TooManyAttempts {
    return new TooManyAttempts(Math.max(1, Math.ceil((expires - this.#clock()) / 1000)));
  }
}

/** One text for all spellings that an outside provider may take for the same name. */
const folding = (name: string): string => name.normalize("NFKC").toLowerCase().trim();

/** Hashed, so that the store does not reveal names and addresses. */
function entryId(kind: string, text: string): string {
  return `attempts:${kind}:${sha256(text)}`;
}
