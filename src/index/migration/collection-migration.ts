/**
 * Migrates one collection from the former index to the new one. Every copy keeps the version of its source, so that a
 * comparison shows the remaining work: an interruption loses nothing.
 */
import { batchesOf } from "../../platform/time-slices.js";
import { SolrCollection } from "../transport/client.js";
import type { SolrHttp } from "../transport/http.js";
import {
  BATCH,
  commit,
  documentJson,
  type Extent,
  extent,
  later,
  type Migrate,
  type Refused,
  readWhole,
  remove,
  send,
} from "./copy-documents.js";
import { differences, type Listed, listing } from "./key-listing.js";
import type { IndexPlace } from "./layout.js";

/** Batches in flight: one is read while another is indexed. */
const IN_FLIGHT = 3;
/** Changes this long before the last one are compared again, because writes may become visible out of order. */
const OVERLAP = 60_000n << 20n;

/** Called with the number of documents that were copied, deleted, or already there. */
export type OnCopied = (documents: number) => void;

export interface MigrationOptions {
  readonly former: IndexPlace;
  readonly target: IndexPlace;
  readonly migrate: Migrate;
  readonly onCopied: OnCopied;
  readonly onRefused: (refused: Refused) => void;
}

/** The state of a file in the new index. */
interface Present {
  readonly file: string;
  readonly _version_: string;
  readonly _copied_version_?: string;
}

export class CollectionMigration {
  readonly #http: SolrHttp;
  #options: MigrationOptions;
  /** The former index's state at the last synchronisation. */
  #synchronised: Extent = { count: -1, newest: "0" };
  #isResumed = false;
  /** Number of keys copied; it can exceed the count at the last synchronisation. */
  #copiedCount = -1;
  /** Versions of the latest copied changes, by file. */
  #recent = new Map<string, string>();
  copied = 0;
  deleted = 0;
  refused = 0;

  constructor(http: SolrHttp, options: MigrationOptions) {
    this.#http = http;
    this.#options = options;
  }

  /** Number of documents in the former index. */
  async count(): Promise<number> {
    return (await extent(this.#http, this.#options.former)).count;
  }

  /** Synchronises the new index by comparing all documents, and commits it to disk. */
  async fill(): Promise<void> {
    const { former, target } = this.#options;
    await this.#commitBoth();
    const before = await extent(this.#http, former);
    await this.#synchronise([]);
    await commit(this.#http, target, false);
    this.#synchronised = { ...before, count: -1 };
  }

  /**
   * Synchronises the new index by the changes since the last call.
   *
   * @returns whether there were none
   */
  async catchUp(): Promise<boolean> {
    const { former, target } = this.#options;
    await commit(this.#http, former, true);
    const now = await extent(this.#http, former);
    if (this.#isUnchanged(now)) return true;
    const from = BigInt(this.#synchronised.newest) - OVERLAP;
    await commit(this.#http, target, true);
    this.#recent = await this.#copyRecent(from);
    await commit(this.#http, target, true);
    // All copies come from the former index, so equal counts mean equal documents.
    const isAlike = async () => {
      const counts = await Promise.all([target, former].map((place) => extent(this.#http, place)));
      return counts[0]?.count === now.count || counts[0]?.count === counts[1]?.count;
    };
    for (const filter of ["user:*", "*:*"])
      if (!(await isAlike())) await this.#synchronise([filter]);
    this.#synchronised = now;
    this.#copiedCount = (await extent(this.#http, target)).count;
    return false;
  }

  /** Whether nothing has changed since, counting documents that came and went in between. */
  #isUnchanged({ count, newest }: Extent): boolean {
    return (
      count === this.#synchronised.count &&
      newest === this.#synchronised.newest &&
      count === this.#copiedCount
    );
  }

  /** Copies documents written since a version. */
  async #copyRecent(from: bigint): Promise<Map<string, string>> {
    const { former, target } = this.#options;
    const recent = new Map<string, string>();
    const since = (field: string): string => `{!cache=false}${field}:[${from} TO *]`;
    const changed = recording(
      listing(this.#http, former, "_version_", [since("_version_")]),
      recent,
    );
    const known = listing(this.#http, target, "_copied_version_", [since("_copied_version_")]);
    const files: Listed[] = [];
    for await (const { former: one } of differences(changed, known)) if (one) files.push(one);
    for (const batch of batchesOf(files, BATCH)) await this.#copy(batch);
    return recent;
  }

  /** Compares both indexes, copies and deletes the differences. */
  async #synchronise(filters: readonly string[]): Promise<void> {
    const { former, target, onCopied } = this.#options;
    let same = 0;
    const left = listing(this.#http, former, "_version_", filters);
    const right = listing(this.#http, target, "_copied_version_", filters);
    const tasks = new TaskLimiter(IN_FLIGHT);
    let copies: Listed[] = [];
    let gone: string[] = [];
    let all = 0;
    try {
      const counted = counting(left, () => {
        all += 1;
        same += 1;
        if (all % BATCH === 0) {
          onCopied(Math.max(0, same));
          same = 0;
        }
      });
      for await (const { former: one, copy } of differences(counted, right)) {
        if (one !== undefined) {
          same -= 1;
          copies.push(one);
        } else if (copy !== undefined) gone.push(copy.file);
        if (copies.length >= BATCH) {
          const batch = copies;
          copies = [];
          await tasks.add(() => this.#copy(batch));
        }
        if (gone.length >= BATCH) {
          const batch = gone;
          gone = [];
          await tasks.add(() => this.#delete(batch));
        }
      }
      await tasks.add(() => this.#copy(copies));
      await tasks.add(() => this.#delete(gone));
    } finally {
      await tasks.finished();
    }
    onCopied(Math.max(0, same));
    await commit(this.#http, target, true);
  }

  async #copy(listed: readonly Listed[]): Promise<void> {
    const { target, migrate, onCopied } = this.#options;
    for (const [part, some] of byPart(listed)) {
      const whole = await readWhole(this.#http, part, some);
      this.#reportRefused(
        await send(
          this.#http,
          target,
          whole.map((document) => documentJson(migrate(document))),
        ),
      );
      this.copied += whole.length;
      onCopied(some.length);
    }
  }

  async #delete(files: readonly string[]): Promise<void> {
    await remove(this.#http, this.#options.target, files);
    this.deleted += files.length;
  }

  #reportRefused(refused: readonly Refused[]): void {
    this.refused += refused.length;
    for (const one of refused) this.#options.onRefused(one);
  }

  async #commitBoth(): Promise<void> {
    const { former, target } = this.#options;
    await Promise.all([former, target].map((place) => commit(this.#http, place, true)));
  }

  /** Sets the places after the switch, which changed their names. */
  relocate(places: { readonly former: IndexPlace; readonly target: IndexPlace }): void {
    this.#options = { ...this.#options, ...places };
  }

  /** Continues an interrupted migration after the switch. The copies show which was the last one. */
  async resume(): Promise<void> {
    const { newest } = await extent(this.#http, this.#options.target, "_copied_version_");
    this.#synchronised = { count: -1, newest };
    this.#isResumed = true;
  }

  /**
   * After the switch, copies late writes from the former index. Newer writes to the new index are kept.
   *
   * @returns whether there were none
   */
  async copyLateWrites(): Promise<boolean> {
    const { former } = this.#options;
    await commit(this.#http, former, true);
    const now = await extent(this.#http, former);
    const { count, newest } = this.#synchronised;
    if (this.#isUnchanged(now)) return true;
    // After an interruption only later changes are safe to copy: a missing earlier one may have been deleted since.
    const from = this.#isResumed ? BigInt(newest) + 1n : BigInt(newest) - OVERLAP;
    const filter = `{!cache=false}_version_:[${from} TO *]`;
    const late: Listed[] = [];
    for await (const one of listing(this.#http, former, "_version_", [filter])) {
      if (one.version !== undefined && this.#recent.get(one.file) !== one.version) late.push(one);
    }
    // In order of versions, so that the last copy shows where to continue after an interruption.
    late.sort((a, b) => Number(BigInt(a.version ?? 0) - BigInt(b.version ?? 0)));
    let added = 0;
    for (const batch of batchesOf(late, BATCH)) added += await this.#copyLate(batch);
    for (const { file, version = "0" } of late) this.#recent.set(file, version);
    if (this.#copiedCount < 0 || now.count !== this.#copiedCount + added) await this.#deleteLate();
    this.#copiedCount = now.count;
    this.#synchronised = { count: now.count, newest: later(now.newest, newest) };
    return late.length === 0 && now.count === count;
  }

  /** @returns number of files missing from the new index */
  async #copyLate(listed: readonly Listed[]): Promise<number> {
    const { target, migrate } = this.#options;
    let added = 0;
    for (const [part, files] of byPart(listed)) {
      const present = await this.#present(files);
      const texts: string[] = [];
      for (const document of await readWhole(this.#http, part, files)) {
        const there = present.get(document.file);
        if (there === undefined) added += 1;
        else if (there._copied_version_ === undefined) continue;
        // Optimistic concurrency: if another client writes first, its document is kept.
        texts.push(documentJson(migrate(document), there?._version_ ?? "-1"));
      }
      this.#reportRefused(await send(this.#http, target, texts));
      this.copied += texts.length;
    }
    await commit(this.#http, target, true);
    return added;
  }

  /** Documents of the new index, including uncommitted ones. */
  async #present(files: readonly string[]): Promise<ReadonlyMap<string, Present>> {
    const fields = ["file", "_version_", "_copied_version_"];
    const collection = new SolrCollection(this.#http, this.#options.target.name);
    const { shards = [] } = this.#options.target;
    const found = await collection.get<Present>(files, fields, { shards });
    return new Map(found.map((one) => [one.file, one]));
  }

  /** Deletes copies of documents deleted from the former index, unless they were written since. */
  async #deleteLate(): Promise<void> {
    const { former, target } = this.#options;
    await commit(this.#http, target, true);
    const copies = ["{!cache=false}_copied_version_:[* TO *]"];
    const gone: string[] = [];
    const left = listing(this.#http, former, "_version_");
    const right = listing(this.#http, target, "_copied_version_", copies);
    for await (const { former: one, copy } of differences(left, right)) {
      if (one === undefined && copy !== undefined) gone.push(copy.file);
    }
    for (const batch of batchesOf(gone, BATCH)) {
      const present = await this.#present(batch);
      const copied = [...present.values()].filter(
        ({ _copied_version_ }) => _copied_version_ !== undefined,
      );
      const collection = new SolrCollection(this.#http, target.name);
      const versions = new Map(copied.map(({ file, _version_ }) => [file, _version_]));
      const stay = await collection.deleteVersions(versions);
      this.deleted += copied.length - stay.length;
    }
    await commit(this.#http, target, true);
  }
}

/** Limits concurrent work. The first failure ends all. */
class TaskLimiter {
  readonly #max: number;
  readonly #running = new Set<Promise<void>>();
  #failure: { readonly error: unknown } | undefined;

  constructor(max: number) {
    this.#max = max;
  }

  /** Starts the work when a slot is free. @throws the error of earlier work */
  async add(work: () => Promise<void>): Promise<void> {
    while (this.#running.size >= this.#max) await Promise.race(this.#running);
    if (this.#failure) throw this.#failure.error;
    const one = work()
      .catch((error: unknown) => {
        this.#failure ??= { error };
      })
      .finally(() => this.#running.delete(one));
    this.#running.add(one);
  }

  /** Waits for all work. @throws the first error */
  async finished(): Promise<void> {
    await Promise.all(this.#running);
    if (this.#failure) throw this.#failure.error;
  }
}

function byPart(listed: readonly Listed[]): ReadonlyMap<string, readonly string[]> {
  const parts = new Map<string, string[]>();
  for (const { file, part } of listed) {
    const files = parts.get(part) ?? [];
    files.push(file);
    parts.set(part, files);
  }
  return parts;
}

/** Passes a list through, and records versions by file. */
async function* recording(
  list: AsyncGenerator<Listed>,
  kept: Map<string, string>,
): AsyncGenerator<Listed> {
  for await (const one of list) {
    kept.set(one.file, one.version ?? "0");
    yield one;
  }
}

async function* counting(list: AsyncGenerator<Listed>, each: () => void): AsyncGenerator<Listed> {
  for await (const one of list) {
    each();
    yield one;
  }
}
