/**
 * What an instance keeps in memory of the store: all entries of some kinds, renewed every second or two in one request
 * for all kinds, so that whoever needs one asks nobody, also while the store is away. What is not known here can be
 * looked for, in so few requests that whoever makes up names or keys cannot make work of it.
 *
 * An entry that is taken out is written over with one that says so (see shared-records.ts): a list of what has changed
 * would not show one that is gone. Those that have gone by themselves a list of everything shows, now and then.
 */
import { ServiceBusy } from "../../platform/errors.js";
import { SingleFlight } from "../../platform/single-flight.js";
import type { ListedEntry, StateStore, StoredEntry } from "./state-store.js";

/** Milliseconds between two renewals. */
const RENEW_MS = 1500;
/** So often a renewal asks for everything, whatever the clocks of Solr's machines say. */
const WHOLE_EVERY = 40;
/** Milliseconds by which an entry may become visible after one that was written later. */
const LATE_MS = 60_000;
/** Milliseconds between two looks for what is not known; those that come in between wait for the next. */
const LOOK_MS = 100;
/** Entries that one look asks for, and that may wait. */
const MAX_LOOK = 100;
const MAX_WAITING = 2000;

/** Milliseconds since 1970 of a time that nobody waits for. */
export const NEVER = Date.UTC(9999, 11, 31);

/** What hears of entries of its kind. */
export interface Follows {
  /** @param isWhole whether these are all that could be listed, or only what has changed */
  take(entries: readonly ListedEntry[], isWhole: boolean): void;
}

interface Waiting {
  readonly promise: Promise<StoredEntry | undefined>;
  readonly resolve: (entry: StoredEntry | undefined) => void;
  readonly reject: (reason: unknown) => void;
}

export class StateCopy {
  readonly #kinds = new Map<string, Follows>();
  #newest: bigint | undefined;
  #rounds = 0;
  readonly #renewals = new SingleFlight<void>();
  #timer: NodeJS.Timeout | undefined;
  #waiting = new Map<string, Waiting>();
  #isLooking = false;
  #looked = Number.NEGATIVE_INFINITY;

  constructor(readonly store: StateStore) {}

  /** Lets somebody follow the entries of a kind. */
  add(kind: string, follower: Follows): void {
    this.#kinds.set(kind, follower);
    // Those that were written before are listed as well.
    this.#newest = undefined;
  }

  /** A copy of the entries of a kind. @param read what an entry means; undefined: nothing, as if there was none */
  of<T>(kind: string, read: (value: unknown, id: string) => T | undefined): CopiedEntries<T> {
    const entries = new CopiedEntries(this, kind, read);
    this.add(kind, entries);
    return entries;
  }

  /** Begins to follow what other instances write. While the store is away, what is known goes on. */
  async follow(): Promise<void> {
    if (this.#timer !== undefined) return;
    this.#timer = setInterval(() => void this.renew().catch(() => {}), RENEW_MS).unref();
    await this.renew().catch(() => {});
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /** Brings the copy up to what the store shows. @throws SolrUnavailable, SolrTimeout */
  renew(): Promise<void> {
    return this.#renewals.join(() => this.#list());
  }

  async #list(): Promise<void> {
    const kinds = [...this.#kinds.keys()];
    if (kinds.length === 0) return;
    const isWhole = this.#newest === undefined || this.#rounds % WHOLE_EVERY === 0;
    const since = isWhole ? undefined : (this.#newest ?? 0n) - (BigInt(LATE_MS) << 20n);
    const entries = await this.store.list(kinds, since?.toString());
    this.#rounds += 1;
    let newest = isWhole ? 0n : (this.#newest ?? 0n);
    for (const { version } of entries) if (BigInt(version) > newest) newest = BigInt(version);
    // A kind that was added meanwhile was not listed.
    if (kinds.length === this.#kinds.size) this.#newest = newest;
    for (const kind of kinds) {
      const ofKind = entries.filter((one) => one.kind === kind);
      this.#kinds.get(kind)?.take(ofKind, isWhole);
    }
  }

  /**
   * What the store has of an entry at a moment after this was called, together with what others look for.
   *
   * @throws ServiceBusy where too many wait; SolrUnavailable, SolrTimeout
   */
  async look(id: string): Promise<StoredEntry | undefined> {
    const known = this.#waiting.get(id);
    if (known !== undefined) return known.promise;
    if (this.#waiting.size >= MAX_WAITING) throw new ServiceBusy(1);
    const { promise, resolve, reject } = withResolvers<StoredEntry | undefined>();
    this.#waiting.set(id, { promise, resolve, reject });
    if (!this.#isLooking) void this.#lookAll();
    return promise;
  }

  async #lookAll(): Promise<void> {
    this.#isLooking = true;
    while (this.#waiting.size > 0) {
      const pause = this.#looked + LOOK_MS - performance.now();
      if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
      this.#looked = performance.now();
      const batch = [...this.#waiting].slice(0, MAX_LOOK);
      for (const [id] of batch) this.#waiting.delete(id);
      try {
        const found = await this.store.readAll(batch.map(([id]) => id));
        for (const [id, { resolve }] of batch) resolve(found.get(id));
      } catch (error) {
        for (const [, { reject }] of batch) reject(error);
      }
    }
    this.#isLooking = false;
  }
}

/** Promise.withResolvers, which Node 20 does not have. */
function withResolvers<T>() {
  let resolve: (value: T) => void = () => {};
  let reject: (reason: unknown) => void = () => {};
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

interface Kept<T> {
  /** Of the store, or the one before it where this instance has just written. */
  readonly version: bigint;
  readonly value: T | undefined;
  /** Until when it need not be in a list: milliseconds of this process's clock. */
  readonly unlistedUntil: number;
}

/** What the store has of an entry, and what it means. */
export interface ReadEntry<T> {
  readonly previous: StoredEntry | undefined;
  readonly value: T | undefined;
}

/** What becomes of an entry, and what is said of that. */
export interface Edit<R> {
  readonly result: R;
  /** Undefined: it stays as it is. `expires` in milliseconds since 1970; never, where it is left out. */
  readonly next?: { readonly value: unknown; readonly expires?: number } | undefined;
}

/** So often an entry that others change at the same time is tried. */
const MAX_TRIES = 10;

/** The entries of one kind. */
export class CopiedEntries<T> implements Follows {
  readonly #kept = new Map<string, Kept<T>>();
  #values: readonly T[] | undefined;
  readonly #copy: StateCopy;
  readonly #meaning: (value: unknown, id: string) => T | undefined;

  /** For StateCopy.of. */
  constructor(
    copy: StateCopy,
    readonly kind: string,
    meaning: (value: unknown, id: string) => T | undefined,
  ) {
    this.#copy = copy;
    this.#meaning = meaning;
  }

  /** What is known here. */
  get(id: string): T | undefined {
    return this.#kept.get(id)?.value;
  }

  /** All that are known here. */
  values(): readonly T[] {
    this.#values ??= [...this.#kept.values()].flatMap(({ value }) => value ?? []);
    return this.#values;
  }

  /** What is known here, or else what the store has. @throws as StateCopy.look */
  async find(id: string): Promise<T | undefined> {
    return this.get(id) ?? (await this.look(id));
  }

  /** What the store has, asked together with others. @throws as StateCopy.look */
  async look(id: string): Promise<T | undefined> {
    this.#learn(id, await this.#copy.look(id));
    return this.get(id);
  }

  /** What the store has now. @throws SolrUnavailable, SolrTimeout */
  async read(id: string, signal?: AbortSignal): Promise<ReadEntry<T>> {
    const previous = await this.#copy.store.read(id, signal);
    this.#learn(id, previous);
    return { previous, value: previous && this.#meaning(previous.value, id) };
  }

  /** Writes an entry if it is still as it was read. @returns false when another was faster. @throws as StateStore.write */
  async #write(
    id: string,
    { value, expires = NEVER }: NonNullable<Edit<unknown>["next"]>,
    previous: StoredEntry | undefined,
  ): Promise<boolean> {
    const entry = { kind: this.kind, value, expires };
    if (!(await this.#copy.store.write(id, entry, previous))) return false;
    // What the store calls this version is not known here: newer than the one before, and so than any list of that.
    const version = BigInt(previous?.version ?? 0);
    const before = this.#kept.get(id)?.version ?? -1n;
    if (before <= version) this.#keep(id, version, value, performance.now() + LATE_MS);
    return true;
  }

  /**
   * Changes an entry; of two who do so at once the later one begins again with what the other wrote.
   *
   * @param work what becomes of what the store has
   * @param busy what is said where others change it all the time
   * @throws ServiceBusy; what `work` throws; as StateStore.write
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

  take(entries: readonly ListedEntry[], isWhole: boolean): void {
    for (const { id, version, value } of entries) this.#renewed(id, BigInt(version), value, 0);
    if (!isWhole) return;
    const listed = new Set(entries.map(({ id }) => id));
    const now = performance.now();
    for (const [id, { unlistedUntil }] of this.#kept) {
      if (listed.has(id) || unlistedUntil > now) continue;
      this.#kept.delete(id);
      this.#values = undefined;
    }
  }

  #learn(id: string, entry: StoredEntry | undefined): void {
    const until = performance.now() + LATE_MS;
    if (entry !== undefined) this.#renewed(id, BigInt(entry.version), entry.value, until);
  }

  #renewed(id: string, version: bigint, value: unknown, until: number): void {
    if ((this.#kept.get(id)?.version ?? -1n) < version) this.#keep(id, version, value, until);
  }

  #keep(id: string, version: bigint, value: unknown, unlistedUntil: number): void {
    this.#kept.set(id, { version, value: this.#meaning(value, id), unlistedUntil });
    this.#values = undefined;
  }
}
