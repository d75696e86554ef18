/** Counters in the state store, shared by all instances. */
import { setTimeout as sleep } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import type { StateStore, StoredEntry } from "../../index/state/state-store.js";
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
const MAX_REMEMBERED = 10_000;

export class Counters {
  readonly #pending = new Map<string, Pending[]>();
  readonly #runs = new SingleFlight<void>();
  /** The entries that this instance has written, which saves reading them before each change. */
  readonly #written = new LRUCache<string, StoredEntry>({ max: MAX_REMEMBERED });
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

  /**
   * Writes a batch to the entry as this instance has left it, at first: Solr refuses the write if the entry has another version.
   * A change that fails, or changes nothing, needs the entry as it is in the store.
   */
  async #write(id: string, batch: readonly Pending[]): Promise<void> {
    const kept = this.#written.get(id);
    let entry = kept !== undefined && kept.expires > Date.now() ? kept : undefined;
    let isCurrent = false;
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const latest = this.#clock() + this.#window * 1000;
      // A later end was written while the clock was ahead: the counter begins anew.
      const counted = entry !== undefined && entry.expires <= latest ? entry : undefined;
      const before = (counted?.value as Count | undefined)?.attempts ?? 0;
      const expires = counted?.expires ?? latest;
      const { attempts, outcomes, hasFailed } = applied(batch, before, expires);
      if (!isCurrent && (hasFailed || attempts === before)) {
        entry = await this.#store.read(id);
        isCurrent = true;
        continue;
      }
      if (attempts !== before) {
        const value = { attempts } satisfies Count;
        const next = { kind: KIND, value, expires, mayBeLost: true } as const;
        const written = await this.#store.write(id, next, entry);
        entry = written.entry;
        isCurrent = true;
        if (entry !== undefined) this.#written.set(id, entry);
        else this.#written.delete(id);
        if (!written.isWritten) {
          // Another instance has written at the same moment.
          if (tries > 0) await sleep(Math.random() * 10 * tries);
          continue;
        }
      }
      for (const settle of outcomes) settle();
      return;
    }
    // This many concurrent attempts for one name or address are too many in themselves.
    throw new TooManyAttempts(1);
  }
}

/** The number after the changes of a batch, and what settles each of them. */
function applied(batch: readonly Pending[], before: number, expires: number) {
  let attempts = before;
  let hasFailed = false;
  const outcomes = batch.map(({ change, resolve, reject }) => {
    try {
      attempts = Math.max(0, change(attempts, expires));
      const changed = attempts;
      return () => resolve(changed);
    } catch (error) {
      hasFailed = true;
      return () => reject(error);
    }
  });
  return { attempts, outcomes, hasFailed };
}
