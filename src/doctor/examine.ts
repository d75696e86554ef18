/** What is wrong with the data that the index names. */
import type { Search } from "../query/search.js";
import { countFound } from "../solr/sorted-export.js";
import { Datasets } from "../zarr/datasets.js";
import { about, compareWithin } from "./against-dataset.js";
import { compareWithFile, type Wrong } from "./against-file.js";
import { type Entry, folderVersion } from "./entry.js";
import { Duplicates } from "./find-duplicates.js";
import type { Finding } from "./kinds.js";
import { Looker } from "./look.js";
import type { Seen } from "./look-process.js";
import { type NoHeader, type ReadHeader, readHeader } from "./read-header.js";
import { type Group, type Index, readIndex } from "./read-index.js";
import { Tally } from "./tally.js";

export interface ExamineOptions {
  /** Whether headers are read as well: of files on disk alone, never of those in an archive. */
  readonly headers: boolean;
  /** Milliseconds that a file system, or the reading of a header, may take. */
  readonly patience: number;
  /** @param total of files */
  readonly onProgress: (done: number, total: number) => void;
}

/** Headers that are read at a time. */
const HEADERS_AT_ONCE = 4;
/** What is kept of files that were read: none of them is asked for again. */
const METADATA_BYTES = 8 << 20;

/** One walk over what a search finds. */
export class Examination {
  readonly tally = new Tally();
  readonly #index: Index;
  readonly #search: Search;
  readonly #options: ExamineOptions;
  readonly #looker: Looker;
  readonly #datasets: Datasets;
  /** Files below a folder of which one thing is told of all of them. */
  readonly #below = { elsewhere: new Map<string, number>(), silent: new Map<string, number>() };

  constructor(index: Index, search: Search, options: ExamineOptions) {
    this.#index = index;
    this.#search = search;
    this.#options = options;
    this.#looker = new Looker(options.patience);
    this.#datasets = new Datasets({ metadataBytes: METADATA_BYTES, time: options.patience });
  }

  /**
   * What is wrong, data set by data set; then what is told of all together.
   *
   * @throws SolrUnavailable, SolrTimeout: what was told until then is not all
   */
  async *findings(): AsyncGenerator<Finding> {
    for await (const finding of this.#all()) {
      this.tally.count(finding);
      yield finding;
    }
  }

  async close(): Promise<void> {
    this.#looker.close();
    await this.#datasets.close();
  }

  async *#all(): AsyncGenerator<Finding> {
    const total = await countFound(this.#index.http, this.#search);
    const duplicates = new Duplicates(this.#index, this.#search, total);
    for await (const groups of readIndex(this.#index, this.#search)) {
      const entries = groups.flatMap((group) => group.entries);
      const seen = await this.#look(entries);
      const headers = await this.#read(entries, seen);
      for (const group of groups) yield* this.#ofGroup(group, seen, headers);
      for (const entry of entries) if (!duplicates.add(entry)) this.tally.miss("identity");
      this.tally.files += entries.length;
      this.tally.datasets += groups.filter(({ dataset_id }) => dataset_id !== undefined).length;
      this.#options.onProgress(this.tally.files, Math.max(total, this.tally.files));
    }
    yield* this.#belowFolders();
    yield* duplicates.findings();
  }

  /** By file; none of what is no path of this machine. */
  async #look(entries: readonly Entry[]): Promise<ReadonlyMap<string, Seen>> {
    const paths = entries.flatMap(({ file }) => (file.startsWith("/") ? [file] : []));
    const seen = await this.#looker.look(paths);
    return new Map(paths.map((path, i) => [path, seen[i] as Seen]));
  }

  async #read(
    entries: readonly Entry[],
    seen: ReadonlyMap<string, Seen>,
  ): Promise<ReadonlyMap<string, ReadHeader | NoHeader>> {
    const headers = new Map<string, ReadHeader | NoHeader>();
    if (!this.#options.headers) return headers;
    const there = entries.filter(({ file }) => seen.get(file)?.kind === "there");
    const open = there.filter(({ isArchived }) => !isArchived);
    this.tally.miss("contents", there.length - open.length);
    let next = 0;
    const work = async (): Promise<void> => {
      for (let entry = open[next++]; entry !== undefined; entry = open[next++]) {
        headers.set(entry.file, await readHeader(this.#datasets, entry.file));
        this.tally.opened += 1;
      }
    };
    await Promise.all(Array.from({ length: HEADERS_AT_ONCE }, work));
    return headers;
  }

  *#ofGroup(
    group: Group,
    seen: ReadonlyMap<string, Seen>,
    headers: ReadonlyMap<string, ReadHeader | NoHeader>,
  ): Generator<Finding> {
    const read = new Map<string, ReadHeader>();
    for (const entry of group.entries) {
      const header = headers.get(entry.file);
      if (header !== undefined && !("reason" in header)) read.set(entry.file, header);
      const wrong = [
        ...this.#ofFile(entry, seen.get(entry.file)),
        ...this.#ofHeader(entry, header),
        ...(entry.contradiction === undefined
          ? []
          : [{ kind: "version", detail: entry.contradiction } as const]),
      ];
      for (const { kind, detail } of wrong) yield { kind, ...about(entry), detail };
    }
    yield* compareWithin(group, read, this.tally);
  }

  #ofFile(entry: Entry, seen: Seen | undefined): readonly Wrong[] {
    const { wrong, unknown, elsewhere } = compareWithFile(entry, seen);
    for (const kind of unknown) this.tally.miss(kind);
    const add = (to: Map<string, number>, folder: string): void => {
      to.set(folder, (to.get(folder) ?? 0) + 1);
    };
    if (elsewhere !== undefined) add(this.#below.elsewhere, elsewhere);
    if (unknown.includes("silent")) add(this.#below.silent, this.#looker.silentAbove(entry.file));
    return wrong;
  }

  #ofHeader({ file }: Entry, header: ReadHeader | NoHeader | undefined): readonly Wrong[] {
    if (header === undefined) return [];
    if ("reason" in header) {
      this.tally.miss("unopened");
      return [{ kind: header.isDamaged ? "damaged" : "unreadable", detail: header.reason }];
    }
    const wrong: Wrong[] = [];
    const { emptyDimension, version } = header;
    if (emptyDimension !== undefined) {
      wrong.push({
        kind: "empty",
        detail: `has no records: its dimension ${emptyDimension} is empty`,
      });
    }
    const folder = folderVersion(file);
    if (version !== undefined && folder !== undefined && version.date !== folder) {
      const { attribute, date } = version;
      const detail = `lies in the folder v${folder}, but its attribute ${attribute} says ${date}`;
      wrong.push({ kind: "version", detail });
    }
    return wrong;
  }

  *#belowFolders(): Generator<Finding> {
    const files = (count: number): string => (count === 1 ? "1 file" : `${count} files`);
    for (const [file, count] of this.#below.elsewhere) {
      const detail = `is not on this machine: ${files(count)} of the index below it were not looked at`;
      yield { kind: "elsewhere", file, detail, count };
    }
    for (const [file, count] of this.#below.silent) {
      yield {
        kind: "silent",
        file,
        detail: `does not answer: ${files(count)} in it were not looked at`,
        count,
      };
    }
  }
}
