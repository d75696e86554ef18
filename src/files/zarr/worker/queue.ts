/** Orders that wait, and whose turn it is. */
import type { Task } from "./protocol.js";

export interface Queued {
  readonly task: Task;
  /** Who asks; undefined where nobody is told from others. */
  readonly by: string | undefined;
  /** When it came, by `performance.now()`. */
  readonly since: number;
}

/** Callers whose turns are remembered. */
const MAX_REMEMBERED = 10_000;

/**
 * A row in which each caller stands once: whoever asks for much waits for what they asked for, and not the others.
 */
export class FairQueue<T extends Queued> {
  #orders: T[] = [];
  readonly #turns = new Map<string | undefined, number>();
  #turn = 0;

  get length(): number {
    return this.#orders.length;
  }

  /** Orders of one caller; where callers are not told from each other, none are counted. */
  countOf(by: string | undefined): number {
    if (by === undefined) return 0;
    return this.#orders.reduce((sum, order) => sum + (order.by === by ? 1 : 0), 0);
  }

  push(order: T): void {
    this.#orders.push(order);
  }

  /** The next that may run: of the caller whose turn is longest ago, the one that came first. */
  next(mayRun: (order: T) => boolean): T | undefined {
    const best = this.#best(mayRun);
    if (best === undefined) return undefined;
    this.#orders.splice(this.#orders.indexOf(best), 1);
    if (this.#turns.size > MAX_REMEMBERED) this.#turns.clear();
    this.#turn += 1;
    this.#turns.set(best.by, this.#turn);
    return best;
  }

  #best(mayRun: (order: T) => boolean): T | undefined {
    const seen = new Set<string | undefined>();
    let best: T | undefined;
    const turnOf = ({ by }: T): number => this.#turns.get(by) ?? 0;
    for (const order of this.#orders) {
      if (seen.has(order.by)) continue;
      if (best !== undefined && turnOf(order) >= turnOf(best)) {
        seen.add(order.by);
        continue;
      }
      if (!mayRun(order)) continue;
      seen.add(order.by);
      best = order;
    }
    return best;
  }

  /** Takes out all that fit. */
  remove(fits: (order: T) => boolean): T[] {
    const removed = this.#orders.filter(fits);
    if (removed.length > 0) this.#orders = this.#orders.filter((order) => !removed.includes(order));
    return removed;
  }
}
