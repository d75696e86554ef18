/** Counters in the state store, shared by all instances. */
import { setTimeout as sleep } from "node:timers/promises";
import type { StateStore } from "../../index/state/state-store.js";
import { SingleFlight } from "../../platform/concurrency/single-flight.js";
import { TooManyAttempts } from "../errors.js";

interface Count {
  readonly attempts: number;
}

/** @returns the new number. @throws the error for the caller; the number then stays */
type Change = (attempts: number, expires: number) => number;

interface Pending {
  readonly change: Change;
  readonly resolve: (attempts: number) => void;
  readonly reject: (reason: unknown) => void;
}

const KIND = "sign-in-attempts";
/** Writes that may lose against another instance before the change fails */
const MAX_TRIES = 30;

export class Counters {
  readonly #pending = new Map<string, Pending[]>();
  readonly #runs = new SingleFlight<void>();
  readonly #store: StateStore;
  /** Seconds from the first change until a counter is 0 again. */
  readonly #window: number;
  readonly #clock: () => number;

  constructor(store: StateStore, window: number, clock: () => number) {
    this.#store = store;
    this.#window = window;
    this.#clock = clock;
  }

  /**
   * Changes a counter and gives its new number. Changes of one counter that arrive together are written together: single
   * writes would conflict with each other.
   */
  change(id: string, change: Change): Promise<number> {
    return new Promise((resolve, reject) => {
      const pending = this.#pending.get(id) ?? [];
      this.#pending.set(id, pending);
      pending.push({ change, resolve, reject });
      void this.#runs.next(() => this.#writePending(id), id);
    });
  }

  async #writePending(id: string): Promise<void> {
    const batch = this.#pending.get(id) ?? [];
    this.#pending.delete(id);
    try {
      await this.#write(id, batch);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  async #write(id: string, batch: readonly Pending[]): Promise<void> {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const entry = await this.#store.read(id);
      const before = (entry?.value as Count | undefined)?.attempts ?? 0;
      const expires = entry?.expires ?? this.#clock() + this.#window * 1000;
      let attempts = before;
      const outcomes = batch.map(({ change, resolve, reject }) => {
        try {
          attempts = Math.max(0, change(attempts, expires));
          const changed = attempts;
          return () => resolve(changed);
        } catch (error) {
          return () => reject(error);
        }
      });
      const value: Count = { attempts };
      if (
        attempts === before ||
        (await this.#store.write(id, { kind: KIND, value, expires }, entry))
      ) {
        for (const settle of outcomes) settle();
        return;
      }
      // Another instance has written at the same moment.
      await sleep(Math.random() * 10 * tries);
    }
    // This many concurrent attempts for one name or address are too many in themselves.
    throw new TooManyAttempts(1);
  }
}
