/**
 * Numbers in the store that several instances count in. Changes of one number that come at the same moment go
 * into the store together: one by one they would be in each other's way.
 */

import type { StateStore } from "../../index/state/state-store.js";
import { TooManyAttempts } from "../errors.js";

interface Count {
  readonly attempts: number;
}

/** @returns the new number. @throws what the caller is told instead; the number then stays as it is */
export type Change = (attempts: number, expires: number) => number;

interface Pending {
  readonly change: Change;
  readonly resolve: (attempts: number) => void;
  readonly reject: (reason: unknown) => void;
}

const KIND = "sign-in-attempts";
const TRIES = 30;

export class Counters {
  readonly #pending = new Map<string, Pending[]>();
  readonly #store: StateStore;
  /** Seconds until a number is 0 again, from its first change on. */
  readonly #window: number;
  readonly #clock: () => number;

  constructor(store: StateStore, window: number, clock: () => number) {
    this.#store = store;
    this.#window = window;
    this.#clock = clock;
  }

  /** Changes a number; gives the new one. @throws what `change` throws; SolrUnavailable, SolrTimeout */
  change(id: string, change: Change): Promise<number> {
    return new Promise((resolve, reject) => {
      const pending = { change, resolve, reject };
      const others = this.#pending.get(id);
      if (others !== undefined) {
        others.push(pending);
        return;
      }
      this.#pending.set(id, [pending]);
      void this.#work(id);
    });
  }

  async #work(id: string): Promise<void> {
    for (;;) {
      const batch = this.#pending.get(id) ?? [];
      if (batch.length === 0) {
        this.#pending.delete(id);
        return;
      }
      this.#pending.set(id, []);
      await this.#together(id, batch).catch((error: unknown) => {
        for (const { reject } of batch) reject(error);
      });
    }
  }

  async #together(id: string, batch: readonly Pending[]): Promise<void> {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const entry = await this.#store.read(id);
      const before = (entry?.value as Count | undefined)?.attempts ?? 0;
      const expires = entry?.expires ?? this.#clock() + this.#window * 1000;
      let attempts = before;
      const outcomes = batch.map(({ change, resolve, reject }) => {
        try {
          attempts = Math.max(0, change(attempts, expires));
          const told = attempts;
          return () => resolve(told);
        } catch (error) {
          return () => reject(error);
        }
      });
      const value: Count = { attempts };
      if (
        attempts === before ||
        (await this.#store.write(id, { kind: KIND, value, expires }, entry))
      ) {
        for (const tell of outcomes) tell();
        return;
      }
      // Another instance counts at the same moment: then it is read again.
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 10 * tries));
    }
    // So many at once for one name or address is itself too many.
    throw new TooManyAttempts(1);
  }
}
