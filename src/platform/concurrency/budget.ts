/** A bounded quantity, such as bytes of memory, booked before it is used and given back afterwards. */

export interface Lease {
  /** The amount in use; 0 once it was given back. */
  readonly amount: number;
  /** Gives a part back. @param amount what stays in use */
  shrink(amount: number): void;
  /** Gives the amount back. Further calls do nothing. */
  release(): void;
}

interface BudgetOptions {
  /** The error of a booking that does not fit, or that waits for too long. */
  readonly refused: () => Error;
  /** The error of a booking that is larger than the budget. Left out: as `refused`. */
  readonly tooLarge?: () => Error;
}

interface Waiter {
  readonly amount: number;
  readonly resolve: (lease: Lease) => void;
  readonly timer: NodeJS.Timeout;
}

/** Milliseconds between two calls of `relieve` while a booking waits. */
const RELIEVE_INTERVAL = 100;

/**
 * Bookings that do not fit wait in the order of their arrival. It has no clients and no turns: a large booking must not be
 * overtaken for ever by small ones. To share permits among clients, use FairSemaphore.
 */
export class Budget {
  #booked = 0;
  readonly #noted = new Map<string, number>();
  readonly #waiting: Waiter[] = [];
  readonly #givers: (() => void)[] = [];
  #relieving: NodeJS.Timeout | undefined;
  readonly #options: BudgetOptions;

  constructor(
    readonly total: number,
    options: BudgetOptions,
  ) {
    this.#options = options;
  }

  /** Amount in use: leases and notes. */
  get used(): number {
    let amount = this.#booked;
    for (const noted of this.#noted.values()) amount += noted;
    return amount;
  }

  get booked(): number {
    return this.#booked;
  }

  /** Notes the amount that a holder uses and bounds on its own. Replaces its earlier note. */
  note(holder: string, amount: number): void {
    this.#noted.set(holder, amount);
    this.#serve();
  }

  /** Registers a holder that can give something back. It is called when a booking does not fit. */
  onShort(give: () => void): void {
    this.#givers.push(give);
  }

  /** Makes room. Called every RELIEVE_INTERVAL while a booking waits. */
  relieve(): void {
    for (const give of this.#givers) give();
  }

  /** Books an amount; undefined if it does not fit, or others wait. */
  tryTake(amount: number): Lease | undefined {
    if (this.#waiting.length > 0) return undefined;
    if (!this.#fits(amount)) for (const give of this.#givers) give();
    return this.#fits(amount) ? this.#book(amount) : undefined;
  }

  /** Books an amount at once. @throws `refused` */
  takeNow(amount: number): Lease {
    const lease = this.tryTake(amount);
    if (lease === undefined) throw this.#options.refused();
    return lease;
  }

  /** Books an amount once it fits. @throws `tooLarge`; `refused` after the timeout */
  async take(amount: number, timeoutMs: number): Promise<Lease> {
    const { refused, tooLarge = refused } = this.#options;
    if (amount > this.total) throw tooLarge();
    const lease = this.tryTake(amount);
    if (lease !== undefined) return lease;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
        reject(refused());
        this.#serve();
      }, timeoutMs);
      const waiter: Waiter = { amount, resolve, timer };
      this.#waiting.push(waiter);
      this.#relieving ??= setInterval(() => this.#relieveWaiting(), RELIEVE_INTERVAL).unref();
    });
  }

  #relieveWaiting(): void {
    if (this.#waiting.length > 0) {
      this.relieve();
      return;
    }
    clearInterval(this.#relieving);
    this.#relieving = undefined;
  }

  #fits(amount: number): boolean {
    return this.used + amount <= this.total;
  }

  #book(amount: number): Lease {
    this.#booked += amount;
    let left = amount;
    const shrink = (rest: number): void => {
      if (rest >= left) return;
      this.#booked -= left - rest;
      left = rest;
      this.#serve();
    };
    return {
      get amount() {
        return left;
      },
      shrink,
      release: () => shrink(0),
    };
  }

  #serve(): void {
    for (let [first] = this.#waiting; first !== undefined; [first] = this.#waiting) {
      if (!this.#fits(first.amount)) return;
      this.#waiting.shift();
      clearTimeout(first.timer);
      first.resolve(this.#book(first.amount));
    }
  }
}
