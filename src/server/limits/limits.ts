/**
 * Quotas of clients. A client is an account, or else a network address. One that exceeds a quota is slowed down first,
 * and refused much later. The counters live in this process.
 */
import { LRUCache } from "lru-cache";
import type { RequestContext, RequestObserver } from "../http/request-context.js";
import { Account } from "./account.js";
import { RequestCharge } from "./quota-charge.js";
import { type Clock, type LimitSettings, policyOf, type Rules } from "./settings.js";

/** Clients that are cached. Forged addresses can exceed this; the oldest are dropped then. */
const MAX_ACCOUNTS = 1 << 14;
export const MAX_ADDRESSES = 1 << 16;

const CLOCK: Clock = { monotonic: () => performance.now(), date: Date.now };

export class Limits implements RequestObserver {
  // Two caches, so that a crowd of addresses cannot displace accounts.
  readonly #accounts = new LRUCache<string, Account>({ max: MAX_ACCOUNTS });
  readonly #addresses = new LRUCache<string, Account>({ max: MAX_ADDRESSES });
  readonly #rules: Rules;

  constructor(settings: LimitSettings, clock = CLOCK) {
    this.#rules = { ...settings, clock, policy: policyOf(settings) };
  }

  /** @returns undefined if there are no limits */
  static of(settings: LimitSettings): Limits | undefined {
    return Object.values(settings).some((limit) => limit !== undefined)
      ? new Limits(settings)
      : undefined;
  }

  /**
   * Charges a request to its client.
   *
   * @param account its identifier as an owner of data; undefined without an account
   * @param network the part of the network address that identifies one holder
   * @param isStream whether its answer may be long. @returns as Admit of contract/mount.ts
   */
  admit(
    context: RequestContext,
    account: string | undefined,
    network: string,
    isStream: boolean,
  ): Promise<void> | undefined {
    const charge = new RequestCharge(context, isStream, this.#rules, this.#ofOwner);
    context.charge = charge;
    return charge.enter(
      account === undefined ? this.#of(this.#addresses, network) : this.#ofOwner(account),
    );
  }

  ended({ charge }: RequestContext): void {
    charge?.over();
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
