/** What one request and its answer take from the accounts that they count for. */
import { setTimeout as timer } from "node:timers/promises";
import type { Exchange, Toll, UsedUpLimit } from "../request-context.js";
import type { Account, Waiter } from "./account.js";
import { PATIENCE, type Rules, usedUp } from "./settings.js";

const sleep = (milliseconds: number): Promise<void> =>
  timer(milliseconds, undefined, { ref: false });

export class ExchangeToll implements Toll {
  slowedBy: UsedUpLimit | undefined;
  /** The caller's, and then that of who shared what is read. */
  readonly #accounts: Account[] = [];
  /** Those in which it is a stream that has begun. */
  readonly #begun: Account[] = [];
  #waiting: { readonly account: Account; readonly waiter: Waiter; giveUp(): void } | undefined;
  #isOver = false;
  /** Bytes. */
  #counted = 0;
  /** When the next bytes may go. */
  #due = 0;
  readonly #exchange: Exchange;
  readonly #isStream: boolean;
  readonly #rules: Rules;
  readonly #accountOf: (owner: string) => Account;

  /** @param accountOf finds that of an owner of data */
  constructor(
    exchange: Exchange,
    isStream: boolean,
    rules: Rules,
    accountOf: (owner: string) => Account,
  ) {
    this.#exchange = exchange;
    this.#isStream = isStream;
    this.#rules = rules;
    this.#accountOf = accountOf;
  }

  /** Counts for one account more. @returns as Toll.reads. @throws TooManyRequests, then or now */
  enter(account: Account): Promise<void> | undefined {
    this.#accounts.push(account);
    if (this.#isStream) account.requireRest();
    const wait = account.turn();
    if (this.#isStream) this.slowedBy ??= account.slowedBy;
    if (wait === 0) return this.#isStream ? this.#begin(account) : undefined;
    this.slowedBy ??= usedUp("requests", Math.ceil(wait / 1000));
    return sleep(wait).then(() => (this.#isStream ? this.#begin(account) : undefined));
  }

  #begin(account: Account): Promise<void> | undefined {
    if (this.#isOver) throw account.tooMany();
    if (account.begin()) {
      this.#begun.push(account);
      return undefined;
    }
    this.slowedBy ??= usedUp("streams", 1);
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(patience);
        this.#waiting = undefined;
      };
      const waiter: Waiter = {
        begin: () => {
          leave();
          this.#begun.push(account);
          resolve();
        },
      };
      account.wait(waiter);
      const giveUp = (): void => {
        leave();
        account.giveUp(waiter);
        reject(account.tooMany());
      };
      const patience = setTimeout(giveUp, PATIENCE.stream).unref();
      this.#waiting = { account, waiter, giveUp };
    });
  }

  reads(by: { readonly id: string }): Promise<void> | undefined {
    // Without an account of one's own it is the one who shared that lets read.
    const sharer = this.#exchange.principal === undefined ? this.#accountOf(by.id) : undefined;
    const entering = sharer && this.enter(sharer);
    return entering === undefined ? this.#untilRead() : entering.then(() => this.#untilRead());
  }

  #untilRead(): Promise<void> | undefined {
    let wait = 0;
    for (const account of this.#accounts) wait = Math.max(wait, account.untilRead());
    return wait > 0 ? sleep(wait) : undefined;
  }

  get isSlow(): boolean {
    return this.#accounts.some((account) => account.isSlow);
  }

  passing(bytes: number): Promise<void> | undefined {
    this.#counted += bytes;
    let pace = Number.POSITIVE_INFINITY;
    for (const account of this.#accounts) pace = Math.min(pace, account.pass(bytes));
    if (pace === Number.POSITIVE_INFINITY) return undefined;
    const now = this.#rules.clock.monotonic();
    this.#due = Math.max(this.#due, now) + (bytes / pace) * 1000;
    return sleep(this.#due - now);
  }

  decoded(milliseconds: number): void {
    for (const account of this.#accounts) account.decode(milliseconds);
  }

  over(): void {
    this.#isOver = true;
    this.#waiting?.giveUp();
    const { status, bytes } = this.#exchange;
    for (const account of this.#begun.splice(0)) account.end();
    for (const account of this.#accounts) {
      account.pass(Math.max(0, bytes - this.#counted));
      // Nothing was made, and nothing sent.
      if (status === 304) account.giveBack();
    }
  }
}
