/** Charges one request and its answer to its accounts. */
import { setTimeout as timer } from "node:timers/promises";
import type { Owner } from "../../domain/user-data/owner.js";
import type { Permit } from "../../platform/concurrency/fair-semaphore.js";
import type { QuotaCharge, RequestContext, UsedUpLimit } from "../http/request-context.js";
import type { Account } from "./account.js";
import { type Rules, usedUp } from "./settings.js";

const sleep = (milliseconds: number): Promise<void> =>
  timer(milliseconds, undefined, { ref: false });

export class RequestCharge implements QuotaCharge {
  slowedBy: UsedUpLimit | undefined;
  /** The client's account, then that of the owner who shared the data. */
  readonly #accounts: Account[] = [];
  /** One for each account in which its stream has begun. */
  readonly #permits: Permit[] = [];
  /** Ends the waiting for a permit. */
  #waiting: AbortController | undefined;
  #isOver = false;
  /** Bytes. */
  #counted = 0;
  /** When the next bytes may be sent. */
  #due = 0;
  readonly #context: RequestContext;
  readonly #isStream: boolean;
  readonly #rules: Rules;
  readonly #accountOf: (owner: string) => Account;

  /** @param accountOf finds the account of an owner of data */
  constructor(
    context: RequestContext,
    isStream: boolean,
    rules: Rules,
    accountOf: (owner: string) => Account,
  ) {
    this.#context = context;
    this.#isStream = isStream;
    this.#rules = rules;
    this.#accountOf = accountOf;
  }

  /** Charges one more account. @returns as QuotaCharge.reads. */
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
    const permit = account.begin();
    if (permit === undefined) return this.#beginLater(account);
    this.#permits.push(permit);
    return undefined;
  }

  async #beginLater(account: Account): Promise<void> {
    this.slowedBy ??= usedUp("streams", 1);
    this.#waiting = new AbortController();
    const permit = await account.beginLater(this.#waiting.signal);
    // The request may have ended since the permit was granted.
    if (this.#isOver) permit.release();
    else this.#permits.push(permit);
  }

  reads(by: Pick<Owner, "id" | "isAnonymous">): Promise<void> | undefined {
    // Without an account, reading counts for the owner who shared the data.
    const isShared = this.#context.principal === undefined && !by.isAnonymous;
    const sharer = isShared ? this.#accountOf(by.id) : undefined;
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
    this.#waiting?.abort();
    const { status, bytes, namesTag } = this.#context;
    for (const permit of this.#permits.splice(0)) permit.release();
    for (const account of this.#accounts) {
      account.pass(Math.max(0, bytes - this.#counted));
      // A 304 costs nothing, but `*` gets it for answers that the client never had.
      if (status === 304 && namesTag) account.giveBack();
    }
  }
}
