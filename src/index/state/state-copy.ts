/**
 * A copy of the state store in memory: all entries of some kinds, renewed every 1.5 seconds by one request for all kinds.
 * Reads need no request and work while the store is unavailable. Unknown entries can be looked up in batches, at a bounded
 * rate, so that requests with invented names or key ids cannot overload the store.
 *
 * A removed entry is overwritten with a marker (see shared-records.ts), because a list of changes does not show deletions.
 * Entries that expired are found by a complete list from time to time.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { SingleFlight } from "../../platform/concurrency/single-flight.js";
import { ServiceBusy } from "../../platform/errors.js";
import type { ListedEntry, StateStore, StoredEntry } from "./state-store.js";

/** Milliseconds between two renewals. */
const RENEW_INTERVAL_MS = 1500;
/** Number of renewals after which all entries are listed: the clocks of Solr's machines may differ. */
const COMPLETE_LIST_EVERY = 40;
/** Milliseconds by which an entry may become visible later than one that was written after it. */
const MAX_VISIBILITY_DELAY_MS = 60_000;
/** Milliseconds between two requests for unknown entries. Lookups in between wait for the next one. */
const LOOKUP_INTERVAL_MS = 100;
/** Entries in one such request, and requests that may wait. */
const MAX_LOOKUP_BATCH = 100;
const MAX_PENDING_BATCHES = 20;

/** Expiry of entries that do not expire, in milliseconds since 1970. */
export const NEVER = Date.UTC(9999, 11, 31);

/** Receives the entries of a kind. */
export interface EntryFollower {
  /** @param isComplete whether these are all entries, or only the changed ones */
  update(entries: readonly ListedEntry[], isComplete: boolean): void;
}

/** Lookups that wait for the same request. */
interface LookupBatch {
  readonly ids: Set<string>;
  readonly found: Promise<ReadonlyMap<string, StoredEntry>>;
}

export class StateCopy {
  readonly #kinds = new Map<string, EntryFollower>();
  #newest: bigint | undefined;
  #rounds = 0;
  readonly #renewals = new SingleFlight<void>();
  #timer: NodeJS.Timeout | undefined;
  /** Those whose requests are not sent yet. Each request waits for the one before. */
  readonly #waiting: LookupBatch[] = [];
  #lastRequest: Promise<unknown> = Promise.resolve();
  #lastLookup = Number.NEGATIVE_INFINITY;

  constructor(readonly store: StateStore) {}

  /** Registers a follower for the entries of a kind. */
  add(kind: string, follower: EntryFollower): void {
    this.#kinds.set(kind, follower);
    // The next list must be complete, to include earlier entries of this kind.
    this.#newest = undefined;
  }

  /** A copy of the entries of a kind. @param read parses an entry; undefined: it is ignored */
  of<T>(kind: string, read: (value: unknown, id: string) => T | undefined): CopiedEntries<T> {
    const entries = new CopiedEntries(this, kind, read);
    this.add(kind, entries);
    return entries;
  }

  /** Starts to follow the writes of other instances. While the store is unavailable, the copy stays as it is. */
  async follow(): Promise<void> {
    if (this.#timer !== undefined) return;
    this.#timer = setInterval(() => void this.renew().catch(() => {}), RENEW_INTERVAL_MS).unref();
    await this.renew().catch(() => {});
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /** Updates the copy with the visible entries of the store. */
  renew(): Promise<void> {
    return this.#renewals.join(() => this.#list());
  }

  async #list(): Promise<void> {
    const kinds = [...this.#kinds.keys()];
    if (kinds.length === 0) return;
    const isComplete = this.#newest === undefined || this.#rounds % COMPLETE_LIST_EVERY === 0;
    const since = isComplete
      ? undefined
      : (this.#newest ?? 0n) - (BigInt(MAX_VISIBILITY_DELAY_MS) << 20n);
    const entries = await this.store.list(kinds, since?.toString());
    this.#rounds += 1;
    let newest = isComplete ? 0n : (this.#newest ?? 0n);
    for (const { version } of entries) if (BigInt(version) > newest) newest = BigInt(version);
    // If a kind was added meanwhile, the next list must be complete.
    if (kinds.length === this.#kinds.size) this.#newest = newest;
    for (const kind of kinds) {
      const ofKind = entries.filter((one) => one.kind === kind);
      this.#kinds.get(kind)?.update(ofKind, isComplete);
    }
  }

  /**
   * The current entry in the store, read after this call began, in one request with other lookups.
   *
   * @throws ServiceBusy if too many lookups wait
   */
  async lookUp(id: string): Promise<StoredEntry | undefined> {
    const batch = this.#waiting.find(({ ids }) => ids.has(id)) ?? this.#openBatch();
    batch.ids.add(id);
    return (await batch.found).get(id);
  }

  /** The last batch, or a new one if that is full: only the last one has room. */
  #openBatch(): LookupBatch {
    const last = this.#waiting.at(-1);
    if (last !== undefined && last.ids.size < MAX_LOOKUP_BATCH) return last;
    if (this.#waiting.length >= MAX_PENDING_BATCHES) throw new ServiceBusy(1);
    const ids = new Set<string>();
    const found = this.#lastRequest.then(async () => {
      const pause = this.#lastLookup + LOOKUP_INTERVAL_MS - performance.now();
      if (pause > 0) await sleep(pause);
      this.#lastLookup = performance.now();
      this.#waiting.shift();
      return this.store.readAll([...ids]);
    });
    this.#lastRequest = found.catch(() => {});
    const batch = { ids, found };
    this.#waiting.push(batch);
    return batch;
  }
}

interface CachedEntry<T> {
  /** The version in the store, or its predecessor if this instance has just written the entry. */
  readonly version: bigint;
  readonly value: T | undefined;
  /** Until then it may be missing from a list: milliseconds of `performance.now`. */
  readonly unlistedUntil: number;
}

/** An entry in the store, and its parsed value. */
export interface ReadEntry<T> {
  readonly previous: StoredEntry | undefined;
  readonly value: T | undefined;
}

/** The change of an entry, and the result for the caller. */
export interface Edit<R> {
  readonly result: R;
  /** Undefined: no change. `expires` in milliseconds since 1970; left out: never. */
  readonly next?: { readonly value: unknown; readonly expires?: number } | undefined;
}

/** Attempts to change an entry that other instances change at the same time. */
const MAX_TRIES = 10;

/** The entries of one kind. */
export class CopiedEntries<T> implements EntryFollower {
  readonly #cached = new Map<string, CachedEntry<T>>();
  #values: readonly T[] | undefined;
  readonly #copy: StateCopy;
  readonly #parse: (value: unknown, id: string) => T | undefined;

  constructor(
    copy: StateCopy,
    readonly kind: string,
    parse: (value: unknown, id: string) => T | undefined,
  ) {
    this.#copy = copy;
    this.#parse = parse;
  }

  /** The entry in the copy. */
  get(id: string): T | undefined {
    return this.#cached.get(id)?.value;
  }

  /** All entries in the copy. */
  values(): readonly T[] {
    this.#values ??= [...this.#cached.values()].flatMap(({ value }) => value ?? []);
    return this.#values;
  }

  /** The entry in the copy, or else in the store. */
  async find(id: string): Promise<T | undefined> {
    return this.get(id) ?? (await this.lookUp(id));
  }

  /** The current entry in the store, in one request with other lookups. */
  async lookUp(id: string): Promise<T | undefined> {
    this.#observe(id, await this.#copy.lookUp(id));
    return this.get(id);
  }

  /** The current entry in the store, in a request of its own. */
  async read(id: string, signal?: AbortSignal): Promise<ReadEntry<T>> {
    const previous = await this.#copy.store.read(id, signal);
    this.#observe(id, previous);
    return { previous, value: previous && this.#parse(previous.value, id) };
  }

  /** Writes an entry if it is unchanged since it was read. @returns false if another write came first */
  async #write(
    id: string,
    { value, expires = NEVER }: NonNullable<Edit<unknown>["next"]>,
    previous: StoredEntry | undefined,
  ): Promise<boolean> {
    const entry = { kind: this.kind, value, expires };
    const { isWritten, entry: written } = await this.#copy.store.write(id, entry, previous);
    if (!isWritten) return false;
    // With the previous version, any list with the written entry, or a later one, replaces it.
    const version = BigInt((written ?? previous)?.version ?? 0);
    const before = this.#cached.get(id)?.version ?? -1n;
    if (before <= version)
      this.#set(id, version, value, performance.now() + MAX_VISIBILITY_DELAY_MS);
    return true;
  }

  /**
   * Changes an entry. If another instance changes it at the same time, the work runs again with the new entry.
   *
   * @param work gives the change of the current entry; may run several times
   * @param busy the message if all attempts fail
   */
  async edit<R>(
    id: string,
    work: (read: ReadEntry<T>) => Edit<R> | Promise<Edit<R>>,
    busy: string,
  ): Promise<R> {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const read = await this.read(id);
      const { result, next } = await work(read);
      if (next === undefined) return result;
      if (await this.#write(id, next, read.previous)) return result;
    }
    throw new ServiceBusy(1, busy);
  }

  update(entries: readonly ListedEntry[], isComplete: boolean): void {
    for (const { id, version, value } of entries) this.#update(id, BigInt(version), value, 0);
    if (!isComplete) return;
    const listed = new Set(entries.map(({ id }) => id));
    const now = performance.now();
    for (const [id, { unlistedUntil }] of this.#cached) {
      if (listed.has(id) || unlistedUntil > now) continue;
      this.#cached.delete(id);
      this.#values = undefined;
    }
  }

  #observe(id: string, entry: StoredEntry | undefined): void {
    const until = performance.now() + MAX_VISIBILITY_DELAY_MS;
    if (entry !== undefined) this.#update(id, BigInt(entry.version), entry.value, until);
  }

  #update(id: string, version: bigint, value: unknown, until: number): void {
    if ((this.#cached.get(id)?.version ?? -1n) < version) this.#set(id, version, value, until);
  }

  #set(id: string, version: bigint, value: unknown, unlistedUntil: number): void {
    this.#cached.set(id, { version, value: this.#parse(value, id), unlistedUntil });
    this.#values = undefined;
  }
}
