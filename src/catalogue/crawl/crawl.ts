/**
 * Brings trees of files into the index.
 *
 * The index is the only state: a file that it has with the same path, size, time and inode is not opened again. So the
 * next crawl completes an interrupted one.
 */
import { indexedVersions, wholeDocuments } from "../../index/loading/latest.js";
import { Loader } from "../../index/loading/load.js";
import { removeDocuments } from "../../index/loading/remove-files.js";
import { drsKey } from "../../index/loading/version.js";
import type { Solr } from "../../index/solr.js";
import { SolrCollection } from "../../index/transport/client.js";
import type { SolrHttp } from "../../index/transport/http.js";
import type { Measure } from "../../platform/file-system/file-stats.js";
import { batchesOf } from "../../platform/time-slices.js";
import { type FileSystem, FileSystemError } from "./file-system.js";
import type { FoundFile, Report } from "./found-file.js";
import { absent, Gone } from "./gone.js";
import { plan, publicEntries, registeredByUsers } from "./known.js";
import { batches, mapConcurrently, readAhead } from "./pipeline.js";
import type { Shard } from "./shard.js";
import { holdsFile } from "./shard.js";
import { ListedPaths, type PathList, type Roots, rootsOf } from "./sources.js";
import { Walk } from "./walk.js";

/** A document, or the reason why there is none. */
export type Described =
  | { readonly document: Readonly<Record<string, unknown>>; readonly notes: readonly string[] }
  | { readonly reason: string };

export interface CrawlOptions {
  /** Absolute paths of folders and files. */
  readonly paths: readonly string[];
  readonly lists: readonly PathList[];
  readonly shard: Shard | undefined;
  /** Seconds since the last change after which a file is read. */
  readonly minAge: number;
  /** Whether entries of missing files stay in the index. */
  readonly keepGone: boolean;
  /** Whether the standard would file data at this path. */
  readonly isFiled: (path: string) => boolean;
  /** The storage of a path, and whether its files must not be opened. */
  readonly storageOf: (path: string) => { readonly fs_type?: string; readonly isArchive: boolean };
  readonly describe: (file: FoundFile, isArchive: boolean) => Promise<Described>;
  readonly report: Report;
  readonly onProgress: (counts: Counts) => void;
  /** Stops the crawl: files already read are loaded, nothing is removed. */
  readonly signal: AbortSignal;
}

/** Progress of a crawl. */
export interface Counts {
  /** Files and zarr stores. */
  found: number;
  fresh: number;
  changed: number;
  unchanged: number;
  /** In the index, but loaded again because an earlier load was interrupted. */
  unsettled: number;
  /** Left for the next crawl, because they may still be written to. */
  young: number;
  /** Registered by users. */
  users: number;
  opened: number;
  /** Files that were described or refused. */
  read: number;
  stored: number;
  gone: number;
  /** Whether the walk has finished. */
  isWalked: boolean;
}

/** Files per index query, and milliseconds to wait for a full batch. */
const LOOKUP = { max: 5000, milliseconds: 1000 };
/** Documents per load, and milliseconds to wait for a full batch. A killed crawl reads this many again. */
const LOAD = { max: 20_000, milliseconds: 10_000 };
/** Files found ahead of reading, so that the remaining work is known. */
const MAX_AHEAD = 50_000;
/** Files described at a time. */
const CONCURRENCY = 8;
/** Entries removed per request, and names per index query. */
const REMOVAL_BATCH = 5000;
const NAMES_PER_QUERY = 100;

/** A document to load. */
interface Ready {
  readonly file: string;
  readonly text: string;
}

export class Crawl {
  readonly counts: Counts = {
    ...{ found: 0, fresh: 0, changed: 0, unchanged: 0, unsettled: 0, young: 0, users: 0 },
    ...{ opened: 0, read: 0, stored: 0, gone: 0, isWalked: false },
  };
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

  /** Checks the paths. Must be called first. @throws NoSuchRoot */
  async prepare(): Promise<void> {
    this.#roots = await rootsOf(this.#fs, this.#options.paths);
  }

  /** All documents, whatever the index has. @throws FileSystemSilent */
  async *documents(): AsyncGenerator<Readonly<Record<string, unknown>>, void, undefined> {
    const listed = this.#listed();
    const every = async function* (files: AsyncIterable<FoundFile>) {
      for await (const file of files) yield { kind: "new", file } as const;
    };
    const waiting = readAhead(this.#oldEnough(every(this.#found(listed))), MAX_AHEAD);
    for await (const ready of mapConcurrently(this.#untilEnd(waiting), CONCURRENCY, (one) =>
      this.#make(one),
    )) {
      if (ready !== undefined) yield JSON.parse(ready.text);
    }
  }

  /**
   * Updates the index to the files on disk. Can be interrupted and run again.
   *
   * @throws FileSystemSilent, SolrUnavailable, SolrTimeout
   */
  async run(solr: Solr): Promise<void> {
    const { http } = solr;
    // A killed crawl may have sent documents without a commit.
    const collections = ["files", "latest"].map((name) => new SolrCollection(http, name));
    await Promise.all(collections.map((collection) => collection.commit(true)));
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
    yield* this.#counted(
      (async function* () {
        for (const file of roots.files) if (holdsFile(shard, file.path)) yield file;
      })(),
    );
    yield* this.#counted(listed.files(lists));
    const folders = [...roots.folders, ...listed.folders];
    this.#walk = new Walk(this.#fs, folders, { report, signal, shard, isFiled });
    yield* this.#counted(this.#walk.files());
    this.counts.isWalked = !signal.aborted;
  }

  async *#counted(files: AsyncIterable<FoundFile>): AsyncGenerator<FoundFile, void, undefined> {
    for await (const file of files) {
      this.counts.found += 1;
      yield file;
    }
  }

  /** What has to be read or loaded, compared with the index. */
  async *#planned(
    http: SolrHttp,
    files: AsyncIterable<FoundFile>,
  ): AsyncGenerator<Todo, void, undefined> {
    for await (const portion of batches(files, LOOKUP.max, LOOKUP.milliseconds)) {
      for (const one of await plan(http, portion)) {
        if (one.kind === "unchanged") this.counts.unchanged += 1;
        else if (one.kind === "user") this.#leaveToUser(one.file.path);
        else yield one;
      }
      this.#options.onProgress(this.counts);
    }
  }

  /** Drops files that changed too recently, and counts the rest as new or changed. */
  async *#oldEnough(todos: AsyncIterable<Todo>): AsyncGenerator<Todo, void, undefined> {
    const { minAge, report } = this.#options;
    for await (const todo of todos) {
      if (todo.kind === "unsettled") {
        this.counts.unsettled += 1;
        yield todo;
        continue;
      }
      const age = (Date.now() - todo.file.modified) / 1000;
      // A future time comes from a wrong clock. It does not mean that the file is being written.
      if (Math.abs(age) < minAge) {
        this.counts.young += 1;
        report.refuse(
          todo.file.path,
          `waits, as it was written ${Math.max(0, Math.round(age))} s ago`,
        );
        continue;
      }
      if (todo.kind === "new") this.counts.fresh += 1;
      else this.counts.changed += 1;
      yield todo;
    }
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
    if (todo.kind === "unsettled") return { file: path, text: todo.text };
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
    if (!isArchive && !(await this.#isAsItWas(file))) {
      report.refuse(path, "was written while it was read");
      return undefined;
    }
    for (const note of described.notes) report.note(path, note);
    return { file: path, text: JSON.stringify(described.document) };
  }

  async #isAsItWas({ path, kind, size, modified, inode }: FoundFile): Promise<boolean> {
    try {
      const now =
        kind === "zarr"
          ? await this.#fs.measure(path)
          : ((await this.#fs.stat([path]))[0] as Measure);
      return now.size === size && now.modified === modified && now.inode === inode;
    } catch (error) {
      if (!(error instanceof FileSystemError)) throw error;
      return false;
    }
  }

  #leaveToUser(path: string): void {
    this.counts.users += 1;
    this.#options.report.note(path, "is data of a user, and stays so");
  }

  async #load(http: SolrHttp, ready: readonly Ready[]): Promise<void> {
    const users = await registeredByUsers(
      http,
      ready.map(({ file }) => file),
    );
    const mine = ready.filter(({ file }) => !users.has(file));
    for (const file of users) this.#leaveToUser(file);
    this.counts.stored += await this.#loadTexts(http, mine);
    await this.#settle(http, mine);
  }

  async #loadTexts(http: SolrHttp, ready: readonly Ready[]): Promise<number> {
    if (ready.length === 0) return 0;
    const loader = new Loader(http, {
      onRefused: ({ line, reason }) =>
        this.#options.report.refuse(ready[line - 1]?.file ?? "", reason),
    });
    const { stored } = await loader.load(
      (async function* () {
        for (const [index, { text }] of ready.entries()) yield { text, line: index + 1 };
      })(),
    );
    return stored;
  }

  /** Another crawl may have loaded another version at the same time. The later of the two sees both. */
  async #settle(http: SolrHttp, ready: readonly Ready[]): Promise<void> {
    const versioned = ready.filter(({ file }) => drsKey(file) !== file);
    if (versioned.length === 0) return;
    const keys = [...new Set(versioned.map(({ file }) => drsKey(file)))];
    const doubled = [...(await indexedVersions(http, "latest", keys)).values()].filter(
      (versions) => versions.length > 1,
    );
    if (doubled.length === 0) return;
    const again: Ready[] = [];
    for await (const document of wholeDocuments(
      http,
      doubled.flat().map(({ file }) => file),
    )) {
      again.push({ file: document.file, text: JSON.stringify(document) });
    }
    await this.#loadTexts(http, again);
  }

  async #removeGone(solr: Solr, listed: ListedPaths): Promise<void> {
    const { report, shard } = this.#options;
    const out = async (files: readonly string[]): Promise<void> => {
      this.counts.gone += await removeDocuments(solr.http, files);
      this.#options.onProgress(this.counts);
    };
    const gone = new Gone(this.#walk as Walk, this.#fs, report, shard);
    const walked = [...this.#roots.folders, ...listed.folders].map(({ path }) => path);
    for (const batch of batchesOf(walked, NAMES_PER_QUERY)) {
      const entries = publicEntries(solr, batch);
      await this.#inPortions(entries, (files) => gone.of(files), out);
    }
    gone.reportStaying();
    for (const batch of batchesOf(listed.removed, NAMES_PER_QUERY)) {
      // A list may name a removed file twice or out of order, so only files that are absent now count.
      const absentPaths = await absent(this.#fs, batch);
      const mine = async (files: readonly string[]): Promise<string[]> =>
        (await absent(this.#fs, files)).filter((file) => holdsFile(shard, file));
      await this.#inPortions(publicEntries(solr, absentPaths), mine, out);
    }
  }

  async #inPortions(
    entries: AsyncIterable<readonly string[]>,
    choose: (files: readonly string[]) => Promise<string[]>,
    out: (files: readonly string[]) => Promise<void>,
  ): Promise<void> {
    let chosen: string[] = [];
    for await (const batch of entries) {
      if (this.#options.signal.aborted) return;
      chosen.push(...(await choose(batch)));
      if (chosen.length < REMOVAL_BATCH) continue;
      await out(chosen);
      chosen = [];
    }
    if (chosen.length > 0) await out(chosen);
  }
}

type Todo =
  | { readonly kind: "new" | "changed"; readonly file: FoundFile }
  | { readonly kind: "unsettled"; readonly file: FoundFile; readonly text: string };
