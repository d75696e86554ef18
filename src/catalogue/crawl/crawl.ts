/**
 * Brings trees of files into the index.
 *
 * The index is the only state: a file that it has with the same path, size, time and inode is not opened again. So the
 * next crawl completes an interrupted one.
 */
import { Loader } from "../../index/loading/load.js";
import { makeVisible } from "../../index/loading/lookups.js";
import { completeMarks } from "../../index/loading/marks/complete-marks.js";
import { settleDatasets } from "../../index/loading/marks/settle.js";
import { datasetVersion } from "../../index/loading/version.js";
import type { Solr } from "../../index/solr.js";
import type { SolrHttp } from "../../index/transport/http.js";
import type { FileDescription } from "./describe/describe-file.js";
import { removeGone } from "./gone.js";
import { plan, type Rereading } from "./known.js";
import { batches, mapConcurrently, readAhead } from "./pipeline.js";
import type { FileSystem } from "./tree/file-system.js";
import type { FoundFile, Report } from "./tree/found-file.js";
import { holdsFile, type Shard } from "./tree/shard.js";
import { ListedPaths, type PathList, type Roots, rootsOf } from "./tree/sources.js";
import { Walk } from "./tree/walk.js";
import { isUnchanged, oldEnough, type Todo, type YoungFilesOptions } from "./tree/young-files.js";

export interface CrawlOptions extends Pick<YoungFilesOptions, "minAge" | "signal">, Rereading {
  /** Absolute paths of folders and files. */
  readonly paths: readonly string[];
  readonly lists: readonly PathList[];
  readonly shard: Shard | undefined;
  /** Whether entries of missing files stay in the index. */
  readonly keepGone: boolean;
  /** Whether the standard would file data at this path. */
  readonly isFiled: (path: string) => boolean;
  /** The storage of a path, and whether its files must not be opened. */
  readonly storageOf: (path: string) => { readonly fs_type?: string; readonly isArchive: boolean };
  readonly describe: (file: FoundFile, isArchive: boolean) => Promise<FileDescription>;
  readonly report: Report;
  readonly onProgress: (counts: Counts) => void;
}

export class Counts {
  /** Files and zarr stores. */
  found = 0;
  fresh = 0;
  changed = 0;
  unchanged = 0;
  /** Unchanged, and read for the checksum that the index lacks. */
  unsummed = 0;
  /** Unchanged, and read because all are. */
  again = 0;
  /** Left for the next crawl, because they may still be written to. */
  young = 0;
  /** Registered by users. */
  users = 0;
  opened = 0;
  /** Files that were described or refused. */
  read = 0;
  stored = 0;
  gone = 0;
  /** Whether the walk has finished. */
  isWalked = false;
}

/** The document of a file. */
type Ready = Readonly<Record<string, unknown>> & { readonly file: string };

/** Files per index query, and milliseconds to wait for a full batch. */
const LOOKUP = { max: 5000, milliseconds: 1000 };
/** Documents per load, and milliseconds to wait for a full batch. A killed crawl reads this many again. */
const LOAD = { max: 20_000, milliseconds: 10_000 };
/** Files found ahead of reading, so that the remaining work is known. */
const MAX_AHEAD = 50_000;
const CONCURRENCY = 8;

export class Crawl {
  readonly counts = new Counts();
  readonly #fs: FileSystem;
  readonly #options: CrawlOptions;
  /** Aborted by a failure too, which ends the search for files. */
  readonly #stop = new AbortController();
  #roots: Roots = { folders: [], files: [] };
  #walk: Walk | undefined;

  constructor(fs: FileSystem, options: CrawlOptions) {
    this.#fs = fs;
    this.#options = options;
    const { signal } = options;
    if (signal.aborted) this.#stop.abort();
    signal.addEventListener("abort", () => this.#stop.abort(), { once: true });
  }

  /** Checks the paths. Must be called first. */
  async prepare(): Promise<void> {
    this.#roots = await rootsOf(this.#fs, this.#options.paths);
  }

  /** All documents, whatever the index has. */
  async *documents(): AsyncGenerator<Readonly<Record<string, unknown>>, void, undefined> {
    const listed = this.#listed();
    const every = async function* (files: AsyncIterable<FoundFile>) {
      for await (const file of files) yield { kind: "new", file } as const;
    };
    const waiting = readAhead(this.#oldEnough(every(this.#found(listed))), MAX_AHEAD);
    for await (const ready of mapConcurrently(this.#untilEnd(waiting), CONCURRENCY, (one) =>
      this.#make(one),
    )) {
      if (ready !== undefined) yield ready;
    }
  }

  /** Updates the index to the files on disk. Can be interrupted and run again. */
  async run(solr: Solr): Promise<void> {
    const { http } = solr;
    // A killed crawl may have sent documents without a commit, and without the marks of older versions.
    await makeVisible(http);
    await completeMarks(http);
    const listed = this.#listed();
    try {
      const planned = this.#oldEnough(this.#planned(http, this.#found(listed)));
      const waiting = this.#untilEnd(readAhead(planned, MAX_AHEAD));
      const made = mapConcurrently(waiting, CONCURRENCY, (one) => this.#make(one));
      for await (const portion of batches(made, LOAD.max, LOAD.milliseconds)) {
        const ready = portion.filter((one) => one !== undefined);
        await this.#load(http, ready).catch((error: unknown) => {
          // Otherwise the generator would first finish the files it is reading.
          this.#stop.abort();
          throw error;
        });
        this.#options.onProgress(this.counts);
      }
      if (!this.#stop.signal.aborted && !this.#options.keepGone)
        await this.#removeGone(solr, listed);
    } finally {
      this.#stop.abort();
    }
  }

  #listed(): ListedPaths {
    const { report, shard } = this.#options;
    return new ListedPaths(this.#fs, report, shard, this.#stop.signal);
  }

  /** Files named by the user, then listed ones, then those in folders. */
  async *#found(listed: ListedPaths): AsyncGenerator<FoundFile, void, undefined> {
    const roots = this.#roots;
    const { lists, report, shard, isFiled } = this.#options;
    const { signal } = this.#stop;
    yield* this.#counted(roots.files.filter(({ path }) => holdsFile(shard, path)));
    yield* this.#counted(listed.files(lists));
    const folders = [...roots.folders, ...listed.folders];
    this.#walk = new Walk(this.#fs, folders, { report, signal, shard, isFiled });
    yield* this.#counted(this.#walk.files());
    this.counts.isWalked = !signal.aborted;
  }

  async *#counted(
    files: Iterable<FoundFile> | AsyncIterable<FoundFile>,
  ): AsyncGenerator<FoundFile, void, undefined> {
    for await (const file of files) {
      this.counts.found += 1;
      yield file;
    }
  }

  /** The files that must be read or loaded, by comparison with the index. */
  async *#planned(
    http: SolrHttp,
    files: AsyncIterable<FoundFile>,
  ): AsyncGenerator<Todo, void, undefined> {
    for await (const portion of batches(files, LOOKUP.max, LOOKUP.milliseconds)) {
      for (const one of await plan(http, portion, this.#options)) {
        if (one.kind === "unchanged") this.counts.unchanged += 1;
        else if (one.kind === "user") this.#leaveToUser(one.file.path);
        else yield one;
      }
      this.#options.onProgress(this.counts);
    }
  }

  #oldEnough(todos: AsyncIterable<Todo>): AsyncIterable<Todo> {
    const { minAge, report } = this.#options;
    return oldEnough(this.#fs, todos, {
      minAge,
      signal: this.#stop.signal,
      taken: ({ kind }) => {
        this.counts[kind === "new" ? "fresh" : kind] += 1;
      },
      left: ({ file }, reason) => {
        this.counts.young += 1;
        report.refuse(file.path, reason);
      },
    });
  }

  async *#untilEnd(todos: AsyncIterable<Todo>): AsyncGenerator<Todo, void, undefined> {
    for await (const todo of todos) {
      if (this.#stop.signal.aborted) return;
      yield todo;
    }
  }

  /** The document of a file; undefined if it was refused, which is reported here. */
  async #make(todo: Todo): Promise<Ready | undefined> {
    const { path } = todo.file;
    const { report, storageOf, describe } = this.#options;
    const { fs_type, isArchive } = storageOf(path);
    const file = fs_type === undefined ? todo.file : { ...todo.file, fs_type };
    if (!isArchive) this.counts.opened += 1;
    const described = await describe(file, isArchive);
    this.counts.read += 1;
    this.#options.onProgress(this.counts);
    if ("reason" in described) {
      report.refuse(path, described.reason);
      return undefined;
    }
    if (!isArchive && !(await isUnchanged(this.#fs, file))) {
      report.refuse(path, "was written while it was read");
      return undefined;
    }
    for (const note of described.notes) report.note(path, note);
    return { ...todo.kept, ...described.document };
  }

  /** Loads documents, except those of files that users have registered meanwhile. */
  async #load(http: SolrHttp, ready: readonly Ready[]): Promise<void> {
    const { report } = this.#options;
    const loader = new Loader(http, {
      onRefused: ({ line, reason }) => report.refuse(ready[line - 1]?.file ?? "", reason),
      onUsers: (file) => this.#leaveToUser(file),
    });
    const { stored } = await loader.load(
      (function* () {
        for (const [index, document] of ready.entries())
          yield { text: JSON.stringify(document), line: index + 1 };
      })(),
    );
    this.counts.stored += stored;
    // Another crawl may have loaded another version at the same time. The later of the two sees both.
    const datasets = ready.flatMap((document) => datasetVersion(document)?.dataset ?? []);
    await settleDatasets(http, datasets);
  }

  #leaveToUser(path: string): void {
    this.counts.users += 1;
    this.#options.report.note(path, "is data of a user, and stays so");
  }

  async #removeGone(solr: Solr, listed: ListedPaths): Promise<void> {
    const { report, shard, signal } = this.#options;
    const found = {
      walk: this.#walk as Walk,
      folders: [...this.#roots.folders, ...listed.folders].map(({ path }) => path),
      removed: listed.removed,
    };
    const onRemoved = (entries: number): void => {
      this.counts.gone += entries;
      this.#options.onProgress(this.counts);
    };
    await removeGone(solr, this.#fs, found, { report, shard, signal, onRemoved });
  }
}
