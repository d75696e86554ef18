/** What is wrong with the data that the index names. */
import type { Search } from "../../domain/search/search.js";
import { countFound } from "../../index/export/sorted-export.js";
import { folderVersion } from "../../index/loading/version.js";
import { ahead } from "../crawl/pipeline.js";
import { about, compareWithin } from "./against-dataset.js";
import { compareWithFile, type Verdict, type Wrong } from "./against-file.js";
import { type ContentsByFile, Opener } from "./contents.js";
import type { Entry } from "./entry.js";
import { Duplicates } from "./find-duplicates.js";
import { Inspector } from "./inspect.js";
import type { Inspection } from "./inspect-program.js";
import type { Finding } from "./kinds.js";
import { Tally } from "./problem-counter.js";
import type { NoHeader, ReadHeader } from "./read-header.js";
import { type Group, type Index, readIndex } from "./read-index.js";

export interface ExamineOptions {
  /** Whether headers are read as well: of files on disk alone, never of those in an archive. */
  readonly headers: boolean;
  /** Milliseconds that a file system, or the reading of a header, may take. */
  readonly patience: number;
  /** @param total of files */
  readonly onProgress: (done: number, total: number) => void;
}

/** One walk over what a search finds. */
export class Examination {
  readonly tally = new Tally();
  readonly #index: Index;
  readonly #search: Search;
  readonly #options: ExamineOptions;
  readonly #inspector: Inspector;
  readonly #opener: Opener;
  /** Files below a folder of which one thing is told of all of them. */
  readonly #below = { elsewhere: new Map<string, number>(), silent: new Map<string, number>() };

  constructor(index: Index, search: Search, options: ExamineOptions) {
    this.#index = index;
    this.#search = search;
    this.#options = options;
    this.#inspector = new Inspector(options.patience);
    this.#opener = new Opener(options.patience);
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
    this.#inspector.close();
    await this.#opener.close();
  }

  async *#all(): AsyncGenerator<Finding> {
    const total = await countFound(this.#index.http, this.#search);
    const duplicates = new Duplicates(this.#index, this.#search, total);
    for await (const groups of ahead(readIndex(this.#index, this.#search), 1)) {
      const entries = groups.flatMap((group) => group.entries);
      const seen = await this.#look(entries);
      const contents = await this.#open(entries, seen);
      for (const group of groups) yield* this.#ofGroup(group, seen, contents);
      for (const entry of entries) if (!duplicates.add(entry)) this.tally.miss("identity");
      this.tally.files += entries.length;
      this.tally.datasets += groups.filter(({ dataset_id }) => dataset_id !== undefined).length;
      this.#options.onProgress(this.tally.files, Math.max(total, this.tally.files));
    }
    yield* this.#belowFolders();
    yield* duplicates.findings();
  }

  /** By file; none of what is no path of this machine. */
  async #look(entries: readonly Entry[]): Promise<ReadonlyMap<string, Inspection>> {
    const paths = entries.flatMap(({ file }) => (file.startsWith("/") ? [file] : []));
    const seen = await this.#inspector.inspect(paths);
    return new Map(paths.map((path, i) => [path, seen[i] as Inspection]));
  }

  async #open(
    entries: readonly Entry[],
    seen: ReadonlyMap<string, Inspection>,
  ): Promise<ContentsByFile> {
    if (!this.#options.headers) return new Map();
    const contents = await this.#opener.open(entries, seen);
    this.tally.opened += contents.size;
    const isThere = ({ file }: Entry): boolean => seen.get(file)?.kind === "there";
    this.tally.miss("contents", entries.filter(isThere).length - contents.size);
    return contents;
  }

  *#ofGroup(
    group: Group,
    seen: ReadonlyMap<string, Inspection>,
    contents: ContentsByFile,
  ): Generator<Finding> {
    const headers = new Map<string, ReadHeader>();
    for (const entry of group.entries) {
      const { file, contradiction } = entry;
      const { header, store } = contents.get(file) ?? {};
      if (header !== undefined && !("reason" in header)) headers.set(file, header);
      const verdict = compareWithFile(entry, seen.get(file), store);
      this.#note(entry, verdict);
      const wrong: Wrong[] = [...verdict.wrong, ...this.#ofHeader(entry, header)];
      if (contradiction !== undefined) wrong.push({ kind: "version", detail: contradiction });
      for (const { kind, detail } of wrong) yield { kind, ...about(entry), detail };
    }
    yield* compareWithin(group, headers, this.tally);
  }

  #note({ file }: Entry, { unknown, elsewhere }: Verdict): void {
    for (const kind of unknown) this.tally.miss(kind);
    const add = (to: Map<string, number>, folder: string): void => {
      to.set(folder, (to.get(folder) ?? 0) + 1);
    };
    if (elsewhere !== undefined) add(this.#below.elsewhere, elsewhere);
    if (unknown.includes("silent")) add(this.#below.silent, this.#inspector.silentAbove(file));
  }

  #ofHeader({ file }: Entry, header: ReadHeader | NoHeader | undefined): readonly Wrong[] {
    if (header === undefined) return [];
    if ("reason" in header) {
      this.tally.miss("unopened");
      const kind = header.isDamaged ? "damaged" : "unreadable";
      return [{ kind, detail: `cannot be read: ${header.reason}` }];
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
