/**
 * What one caller may have: an account, wherever it comes from, or else a network address. Whoever asks for more is
 * slowed down first, and refused long after. All of it is in this process, and forgotten with it.
 */
import { LRUCache } from "lru-cache";
import type { Exchange, ExchangeObserver } from "../request-context.js";
import { Account } from "./account.js";
import { ExchangeToll } from "./quota-charge.js";
import { type Clock, type LimitSettings, policyOf, type Rules } from "./settings.js";

/** Callers that are remembered; of made-up addresses there are more, which then are new ones again. */
export const MAX_ACCOUNTS = 1 << 14;
export const MAX_ADDRESSES = 1 << 16;

export interface LimitedCaller {
  /** Of the account, as owners of data have it; undefined without one. */
  readonly account: string | undefined;
  /** What one holder has of a network address. */
  readonly network: string;
}

const CLOCK: Clock = { monotonic: () => performance.now(), date: Date.now };

export class Limits implements ExchangeObserver {
  // Apart, so that no crowd of addresses makes the service forget what an account has had.
  readonly #accounts = new LRUCache<string, Account>({ max: MAX_ACCOUNTS });
  readonly #addresses = new LRUCache<string, Account>({ max: MAX_ADDRESSES });
  readonly #rules: Rules;

  constructor(settings: LimitSettings, clock = CLOCK) {
    this.#rules = { ...settings, clock, policy: policyOf(settings) };
  }

  /** @returns undefined where nothing is limited */
  static of(settings: LimitSettings): Limits | undefined {
    return Object.values(settings).some((limit) => limit !== undefined)
      ? new Limits(settings)
      : undefined;
  }

  /**
   * Counts a request for its caller.
   *
   * @param isStream whether its answer may be long
   * @returns when it may be answered; undefined: at once. @throws TooManyRequests, then or now
   */
  admit(
    exchange: Exchange,
    { account, network }: LimitedCaller,
    isStream: boolean,
  ): Promise<void> | undefined {
    const toll = new ExchangeToll(exchange, isStream, this.#rules, this.#ofOwner);
    exchange.toll = toll;
    return toll.enter(
      account === undefined ? this.#of(this.#addresses, network) : this.#ofOwner(account),
    );
  }

  ended({ toll }: Exchange): void {
    toll?.over();
  }

  readonly #ofOwner = (owner: string): Account => this.#of(this.#accounts, owner);

  #of(known: LRUCache<string, Account>, key: string): Account {
    const found = known.get(key);
    if (found !== undefined) return found;
    const account = new Account(this.#rules);
    known.set(key, account);
    return account;
  }
}
