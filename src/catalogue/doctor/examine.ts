/** Examines the data that the index names. */
import type { Search } from "../../domain/search/search.js";
import { countFound } from "../../index/export/sorted-export.js";
import { folderVersion } from "../../index/loading/version.js";
import type { SolrHttp } from "../../index/transport/http.js";
import { readAhead } from "../crawl/pipeline.js";
import { about, compareWithin } from "./against-dataset.js";
import { compareWithFile, type Problem, type Verdict } from "./against-file.js";
import { compareVersions } from "./against-versions.js";
import { type ContentsByFile, ContentsReader } from "./contents.js";
import type { IndexedFile } from "./entry.js";
import { Duplicates } from "./find-duplicates.js";
import { Inspector } from "./inspect.js";
import type { Inspection } from "./inspect-program.js";
import type { Finding } from "./kinds.js";
import { ProblemCounter } from "./problem-counter.js";
import type { NoHeader, ReadHeader } from "./read-header.js";
import { type Group, readIndex } from "./read-index.js";

interface ExamineOptions {
  /** Whether to read headers too: only of files on disk, never of archived ones. */
  readonly headers: boolean;
  /** Timeout of a file system, and of reading a header, in milliseconds. */
  readonly timeout: number;
  readonly onProgress: (done: number, total: number) => void;
}

export class Examination {
  readonly counter = new ProblemCounter();
  readonly #http: SolrHttp;
  readonly #search: Search;
  readonly #options: ExamineOptions;
  readonly #inspector: Inspector;
  readonly #opener: ContentsReader;
  /** Numbers of files by folder, for findings that concern whole folders. */
  readonly #below = { elsewhere: new Map<string, number>(), silent: new Map<string, number>() };

  constructor(http: SolrHttp, search: Search, options: ExamineOptions) {
    this.#http = http;
    this.#search = search;
    this.#options = options;
    this.#inspector = new Inspector(options.timeout);
    this.#opener = new ContentsReader(options.timeout);
  }

  /**
   * The findings dataset by dataset, then those about folders and duplicates.
   *
   * @throws SolrUnavailable, SolrTimeout: the findings so far are incomplete
   */
  async *findings(): AsyncGenerator<Finding> {
    for await (const finding of this.#all()) {
      this.counter.count(finding);
      yield finding;
    }
  }

  async close(): Promise<void> {
    this.#inspector.close();
    await this.#opener.close();
  }

  async *#all(): AsyncGenerator<Finding> {
    const total = await countFound(this.#http, this.#search);
    const duplicates = new Duplicates(this.#http, this.#search, total);
    for await (const groups of readAhead(readIndex(this.#http, this.#search), 1)) {
      const entries = groups.flatMap((group) => group.entries);
      const seen = await this.#probe(entries);
      const contents = await this.#open(entries, seen);
      for (const group of groups) yield* this.#ofGroup(group, seen, contents);
      for (const entry of entries) if (!duplicates.add(entry)) this.counter.addUnknown("identity");
      this.counter.files += entries.length;
      this.counter.datasets += groups.filter(({ dataset_id }) => dataset_id !== undefined).length;
      this.#options.onProgress(this.counter.files, Math.max(total, this.counter.files));
    }
    yield* this.#belowFolders();
    yield* duplicates.findings();
    this.counter.addUnknown("suspects", duplicates.left);
  }

  /** Results by file, for local paths only. */
  async #probe(entries: readonly IndexedFile[]): Promise<ReadonlyMap<string, Inspection>> {
    const paths = entries.flatMap(({ file }) => (file.startsWith("/") ? [file] : []));
    const seen = await this.#inspector.inspect(paths);
    return new Map(paths.map((path, i) => [path, seen[i] as Inspection]));
  }

  async #open(
    entries: readonly IndexedFile[],
    seen: ReadonlyMap<string, Inspection>,
  ): Promise<ContentsByFile> {
    if (!this.#options.headers) return new Map();
    const contents = await this.#opener.open(entries, seen);
    this.counter.opened += contents.size;
    const isThere = ({ file }: IndexedFile): boolean => seen.get(file)?.kind === "there";
    this.counter.addUnknown("contents", entries.filter(isThere).length - contents.size);
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
      const wrong: Problem[] = [...verdict.wrong, ...this.#ofHeader(entry, header)];
      if (contradiction !== undefined) wrong.push({ kind: "version", detail: contradiction });
      for (const { kind, detail } of wrong) yield { kind, ...about(entry), detail };
    }
    yield* compareWithin(group, headers, this.counter);
    if (group.dataset_id !== undefined && !group.isPart) yield* compareVersions(group.entries);
  }

  #note({ file }: IndexedFile, { unknown, elsewhere }: Verdict): void {
    for (const kind of unknown) this.counter.addUnknown(kind);
    const add = (to: Map<string, number>, folder: string): void => {
      to.set(folder, (to.get(folder) ?? 0) + 1);
    };
    if (elsewhere !== undefined) add(this.#below.elsewhere, elsewhere);
    if (unknown.includes("silent")) add(this.#below.silent, this.#inspector.silentAbove(file));
  }

  #ofHeader({ file }: IndexedFile, header: ReadHeader | NoHeader | undefined): readonly Problem[] {
    if (header === undefined) return [];
    if ("reason" in header) {
      this.counter.addUnknown("unopened");
      const kind = header.isDamaged ? "damaged" : "unreadable";
      return [{ kind, detail: `cannot be read: ${header.reason}` }];
    }
    const wrong: Problem[] = [];
    const { emptyDimension, version, contradictions } = header;
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
    for (const detail of contradictions) wrong.push({ kind: "facet", detail });
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
