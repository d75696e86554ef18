/**
 * A few places where work is done, and a queue before them that is fair: first the addresses that wait have
 * their turn one after the other, and of each address the names. Whoever sends much stands in their own way.
 */
import { SignInBusy } from "../errors.js";

export interface Job {
  /** Where the request comes from. */
  readonly address: string;
  readonly name: string;
}

interface Waiting {
  readonly begin: () => void;
  readonly refuse: (reason: Error) => void;
}

export interface QueueLimits {
  /** How much is done at once. */
  readonly atOnce: number;
  /** How many may wait. */
  readonly waiting: () => number;
}

/** What waits, by address and below it by name; what had its turn last stands last. */
class Lanes {
  readonly #addresses = new Map<string, Map<string, Waiting[]>>();
  size = 0;

  add({ address, name }: Job, waiting: Waiting): void {
    const names = this.#addresses.get(address) ?? new Map<string, Waiting[]>();
    const lane = names.get(name) ?? [];
    lane.push(waiting);
    this.#addresses.set(address, names.set(name, lane));
    this.size += 1;
  }

  /** Takes out whose turn it is. */
  next(): Waiting | undefined {
    const [[address, names] = ["", undefined]] = this.#addresses;
    const [[name, lane] = ["", undefined]] = names ?? [];
    if (names === undefined || lane === undefined) return undefined;
    const next = lane.shift();
    names.delete(name);
    if (lane.length > 0) names.set(name, lane);
    this.#addresses.delete(address);
    if (names.size > 0) this.#addresses.set(address, names);
    this.size -= 1;
    return next;
  }

  /** Takes out who has waited least, of the address that has most waiting, and there of the name. */
  last(): Waiting | undefined {
    const [address, names] = largest(this.#addresses, (one) => one.size) ?? [];
    if (address === undefined || names === undefined) return undefined;
    const [name, lane] = largest(names, ({ length }) => length) ?? [];
    const last = lane?.pop();
    if (name !== undefined && lane?.length === 0) names.delete(name);
    if (names.size === 0) this.#addresses.delete(address);
    this.size -= 1;
    return last;
  }
}

/** The entry of the largest value, the last of several. */
function largest<T>(map: Map<string, T>, sizeOf: (value: T) => number): [string, T] | undefined {
  let found: [string, T] | undefined;
  for (const entry of map) {
    if (found === undefined || sizeOf(entry[1]) >= sizeOf(found[1])) found = entry;
  }
  return found;
}

export class FairQueue {
  /** Those that come first, and the others. */
  readonly #lanes = [new Lanes(), new Lanes()] as const;
  #busy = 0;
  readonly #limits: QueueLimits;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  /**
   * Does some work in its turn.
   *
   * @param isFirst whether it goes before what is not so
   * @throws SignInBusy when too many wait; what the work throws
   */
  async run<T>(job: Job, work: () => Promise<T>, isFirst = false): Promise<T> {
    if (this.#busy < this.#limits.atOnce) this.#busy += 1;
    else await this.#turn(job, isFirst);
    try {
      return await work();
    } finally {
      // The place goes on to whoever is next.
      const next = this.#lanes[0].next() ?? this.#lanes[1].next();
      if (next === undefined) this.#busy -= 1;
      else next.begin();
    }
  }

  #turn(job: Job, isFirst: boolean): Promise<void> {
    const [first, others] = this.#lanes;
    // Who comes now does not pay for those that are there already.
    if (first.size + others.size >= this.#limits.waiting()) {
      (others.last() ?? first.last())?.refuse(new SignInBusy());
    }
    return new Promise((begin, refuse) => {
      (isFirst ? first : others).add(job, { begin, refuse });
    });
  }
}
