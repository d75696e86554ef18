/**
 * Places for work that costs Solr much, given out in turns: callers who wait are served one after the other, so that one with
 * a thousand requests keeps another with one waiting no longer than a place takes to come free.
 */
import { RETRY_AFTER, ServiceBusy } from "../../platform/errors.js";

export interface TurnLimits {
  /** Places in all. */
  readonly places: number;
  /** Requests that may wait for one, of all callers together. */
  readonly waiting: number;
  /** Milliseconds that a request may wait. */
  readonly patience: number;
}

/** How it stands with the places now, and how many requests got none so far. */
export interface TurnsUsage {
  readonly taken: number;
  readonly waiting: number;
  readonly refused: number;
}

/** A place that is taken; it must be left once. */
export interface Place {
  /** Whether somebody waits who could have it. */
  isWanted(): boolean;
  leave(): void;
}

interface Waiter {
  /** Whether it had a place before, and goes on. */
  readonly hasBegun: boolean;
  /** Hands the place over. */
  enter(): void;
}

/** Of places and of waiting requests, one caller has at most so much. */
const SHARE = 3 / 4;

const shareOf = (all: number): number => Math.max(1, Math.floor(all * SHARE));

export class Turns {
  readonly #taken = new Map<string, number>();
  /** Who waits, in the order of their next turns. */
  readonly #waiting = new Map<string, Waiter[]>();
  #inAll = 0;
  #waits = 0;
  #refused = 0;
  readonly #limits: TurnLimits;

  constructor(limits: TurnLimits) {
    this.#limits = limits;
  }

  get usage(): TurnsUsage {
    return { taken: this.#inAll, waiting: this.#waits, refused: this.#refused };
  }

  /**
   * Takes a place, or waits for one.
   *
   * @param caller whom it is for; nobody in particular where it is left out
   * @param signal gives the waiting up
   * @throws ServiceBusy when too many wait, or none came free in time, or the waiting was given up
   */
  async enter(caller = "", signal?: AbortSignal): Promise<Place> {
    if (signal?.aborted) throw new ServiceBusy(RETRY_AFTER.search);
    if (this.#isFree(caller)) return this.#take(caller);
    const mine = this.#waiting.get(caller) ?? [];
    const { waiting, patience } = this.#limits;
    if (this.#waits >= waiting || mine.length >= shareOf(waiting)) {
      this.#refused += 1;
      throw new ServiceBusy(RETRY_AFTER.search);
    }
    return this.#wait(caller, signal, patience);
  }

  /**
   * Takes a place again for what had one and lent it, however long that takes: it comes before what the same caller
   * has not begun, so that what is begun is brought to its end.
   *
   * @throws ServiceBusy when the waiting was given up
   */
  async enterAgain(caller = "", signal?: AbortSignal): Promise<Place> {
    if (signal?.aborted) throw new ServiceBusy(RETRY_AFTER.search);
    return this.#isFree(caller) ? this.#take(caller) : this.#wait(caller, signal);
  }

  /** @param patience milliseconds; left out for what goes on */
  #wait(caller: string, signal: AbortSignal | undefined, patience?: number): Promise<Place> {
    const mine = this.#waiting.get(caller) ?? [];
    return new Promise((resolve, reject) => {
      const end = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", giveUp);
        this.#waits -= 1;
      };
      const waiter: Waiter = {
        hasBegun: patience === undefined,
        enter: () => {
          end();
          resolve(this.#take(caller));
        },
      };
      const giveUp = (): void => {
        // Whoever has left is not refused.
        if (signal?.aborted !== true) this.#refused += 1;
        end();
        mine.splice(mine.indexOf(waiter), 1);
        if (mine.length === 0) this.#waiting.delete(caller);
        reject(new ServiceBusy(RETRY_AFTER.search));
      };
      const timer = patience === undefined ? undefined : setTimeout(giveUp, patience);
      signal?.addEventListener("abort", giveUp, { once: true });
      const begun = mine.filter(({ hasBegun }) => hasBegun).length;
      mine.splice(waiter.hasBegun ? begun : mine.length, 0, waiter);
      this.#waiting.set(caller, mine);
      this.#waits += 1;
    });
  }

  #isFree(caller: string): boolean {
    const { places } = this.#limits;
    return this.#inAll < places && (this.#taken.get(caller) ?? 0) < shareOf(places);
  }

  #take(caller: string): Place {
    this.#inAll += 1;
    this.#taken.set(caller, (this.#taken.get(caller) ?? 0) + 1);
    let left = false;
    return {
      isWanted: () => this.#waits > 0,
      leave: () => {
        if (left) return;
        left = true;
        this.#inAll -= 1;
        const rest = (this.#taken.get(caller) ?? 1) - 1;
        if (rest > 0) this.#taken.set(caller, rest);
        else this.#taken.delete(caller);
        this.#next();
      },
    };
  }

  /** Gives a free place to whose turn it is. */
  #next(): void {
    for (const [caller, mine] of this.#waiting) {
      if (!this.#isFree(caller)) continue;
      const waiter = mine.shift();
      // Behind all others, for the next time.
      this.#waiting.delete(caller);
      if (mine.length > 0) this.#waiting.set(caller, mine);
      waiter?.enter();
      return;
    }
  }
}
