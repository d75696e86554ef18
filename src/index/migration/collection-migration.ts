/**
 * Migrates the documents of the former index to the new one. Every copy keeps the version of its source, so that a comparison
 * shows the remaining work: an interruption loses nothing.
 *
 * Generations before 3 have the newest versions in a second index, `latest`. A document that is there gets the mark.
 */
import { batchesOf } from "../../platform/concurrency/time-slices.js";
import { FILES } from "../collections/configset.js";
import { completeMarks } from "../loading/marks/complete-marks.js";
import type { SolrHttp } from "../transport/http.js";
import {
  BATCH,
  commit,
  documentJson,
  type Extent,
  extent,
  filesAmong,
  later,
  type Migrate,
  presentIn,
  type Refused,
  readWhole,
  remove,
  removeCopies,
  send,
} from "./copy-documents.js";
import { byPart, counting, differences, type Listed, listing, recording } from "./key-listing.js";
import type { IndexPlace } from "./layout.js";
import { Batches, TaskLimiter } from "./task-limiter.js";

/** Batches in flight: one is read while another is indexed. */
const IN_FLIGHT = 3;
/** Changes this long before the last one are compared again, because writes may become visible out of order. */
const OVERLAP = 60_000n << 20n;

/** Called with the number of documents that were copied, deleted, or already there. */
export type OnCopied = (documents: number) => void;

export interface MigrationOptions {
  readonly former: IndexPlace;
  readonly formerLatest: IndexPlace | undefined;
  readonly target: IndexPlace;
  readonly migrate: Migrate;
  readonly onCopied: OnCopied;
  readonly onRefused: (refused: Refused) => void;
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
    this.#knowShards();
  }

  /** A real-time get needs the names of the shards of the new index. */
  #knowShards(): void {
    const { name, shards } = this.#options.target;
    if (shards === undefined) return;
    const known = this.#http.topology.shards;
    this.#http.topology = { cloud: true, shards: { ...known, [name]: shards, [FILES]: shards } };
  }

  /** The former index may have the marks of other versions, or none. */
  async #completeMarks(): Promise<void> {
    const { target } = this.#options;
    await commit(this.#http, target, true);
    await completeMarks(this.#http, { collection: target.name });
  }

  /** Number of documents in the former index. */
  async count(): Promise<number> {
    return (await extent(this.#http, this.#options.former)).count;
  }

  /** Synchronises the new index by comparing all documents, and commits it to disk. */
  async fill(): Promise<void> {
    const { former, target } = this.#options;
    await Promise.all([former, target].map((place) => commit(this.#http, place, true)));
    const before = await extent(this.#http, former);
    await this.#synchronise([]);
    await this.#completeMarks();
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
    await this.#completeMarks();
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
    const copies = new Batches<Listed>(tasks, BATCH, (batch) => this.#copy(batch));
    const gone = new Batches<string>(tasks, BATCH, (batch) => this.#delete(batch));
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
          await copies.add(one);
        } else if (copy !== undefined) await gone.add(copy.file);
      }
      await copies.flush();
      await gone.flush();
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
      const newest = await this.#newestAmong(some);
      const texts = whole.map((document) => documentJson(migrate(document, newest)));
      this.#reportRefused(await send(this.#http, target, texts));
      this.copied += whole.length;
      onCopied(some.length);
    }
  }

  /** The files that the former index has among the newest versions; undefined if it has marks. */
  async #newestAmong(files: readonly string[]): Promise<ReadonlySet<string> | undefined> {
    const { formerLatest } = this.#options;
    return formerLatest && filesAmong(this.#http, formerLatest, files);
  }

  async #delete(files: readonly string[]): Promise<void> {
    await remove(this.#http, this.#options.target, files);
    this.deleted += files.length;
  }

  #reportRefused(refused: readonly Refused[]): void {
    this.refused += refused.length;
    for (const one of refused) this.#options.onRefused(one);
  }

  /** Sets the places after the switch, which changed their names. */
  relocate(places: Pick<MigrationOptions, "former" | "formerLatest" | "target">): void {
    this.#options = { ...this.#options, ...places };
    this.#knowShards();
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
    await this.#completeMarks();
    this.#copiedCount = now.count;
    this.#synchronised = { count: now.count, newest: later(now.newest, newest) };
    return late.length === 0 && now.count === count;
  }

  /** @returns number of files missing from the new index */
  async #copyLate(listed: readonly Listed[]): Promise<number> {
    const { target, migrate } = this.#options;
    let added = 0;
    for (const [part, files] of byPart(listed)) {
      const present = await presentIn(this.#http, target, files);
      const newest = await this.#newestAmong(files);
      const texts: string[] = [];
      for (const document of await readWhole(this.#http, part, files)) {
        const there = present.get(document.file);
        if (there === undefined) added += 1;
        else if (there._copied_version_ === undefined) continue;
        // Optimistic concurrency: if another client writes first, its document is kept.
        texts.push(documentJson(migrate(document, newest), there?._version_ ?? "-1"));
      }
      this.#reportRefused(await send(this.#http, target, texts));
      this.copied += texts.length;
    }
    await commit(this.#http, target, true);
    return added;
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
      this.deleted += await removeCopies(this.#http, target, batch);
    }
    await commit(this.#http, target, true);
  }
}
