/** The file system of a crawl: a folder or file that does not answer in time is an error, and the crawl goes on. */
import { createReadStream } from "node:fs";
import { dirname } from "node:path";
import { inTime } from "../../../platform/concurrency/in-time.js";
import { refusalOf, UserError } from "../../../platform/errors.js";
import { FileProbe } from "../../../platform/file-system/file-probe.js";
import type { PathStats } from "../../../platform/file-system/file-probe-program.js";
import type { Measure } from "../../../platform/file-system/file-stats.js";
import { plainError, WorkerFailed, WorkerTimeout } from "../../../platform/workers/pool-options.js";
import { WorkerPool } from "../../../platform/workers/worker-pool.js";
import type { ListQuestion, Portion } from "./list-program.js";

/** A call of the file system fails; `code` is its error code, such as EACCES. */
export class FileSystemError extends Error {
  override readonly name = "FileSystemError";
  constructor(readonly code: string) {
    super(
      code === SILENT
        ? "gets no answer from the file system"
        : `cannot be read (${refusalOf({ code })})`,
    );
  }
}

export const SILENT = "SILENT";
const MAX_ENTRIES = 5000;
/** Milliseconds for an answer, or to the next heartbeat. */
const TIMEOUT = 60_000;
/** Calls that may time out: each thread can hang for as long as its mount does. */
const MAX_SILENT = 8;

const LISTER = new URL("./list-program.js", import.meta.url);

interface FileSystemOptions {
  /** Milliseconds for an answer, or to the next heartbeat. */
  readonly timeout?: number;
  /** The program that lists folders. */
  readonly lister?: URL;
  /** The program that inspects single paths. */
  readonly prober?: URL;
}

export class FileSystem {
  /** Folders without an answer, which are not asked again. */
  readonly silentFolders = new Set<string>();
  /** Lists folders. Requests go one at a time to the thread that has the folder open. */
  readonly #lister: WorkerPool<ListQuestion, Portion>;
  /** Probes single files, so that listing does not wait for it. */
  readonly #probe: FileProbe;
  readonly #timeout: number;
  #silent = 0;

  constructor({ timeout = TIMEOUT, lister = LISTER, prober }: FileSystemOptions = {}) {
    this.#timeout = timeout;
    const threads = { max: MAX_SILENT + 1, concurrency: 1, timeout, errorOf: plainError };
    this.#lister = new WorkerPool({ ...threads, program: lister });
    this.#probe = new FileProbe({ ...threads, queue: {}, ...(prober && { program: prober }) });
  }

  /** The entries of a folder in the order of the file system. Only one folder may be listed at a time. */
  async *list(path: string, measured = true): AsyncGenerator<Portion, void, undefined> {
    const max = MAX_ENTRIES;
    let isOpen = true;
    let question: ListQuestion = { kind: "list", path, max, measured };
    try {
      while (isOpen) {
        const current = question;
        const portion = await this.#call(() => this.#lister.ask(current));
        isOpen = !portion.done;
        yield portion;
        question = { kind: "more", max };
      }
    } catch (error) {
      isOpen = false;
      if (error instanceof FileSystemError && error.code === SILENT) this.silentFolders.add(path);
      throw error;
    } finally {
      if (isOpen) await this.#call(() => this.#lister.ask({ kind: "close" }));
    }
  }

  /** Bytes of all files in a folder and the newest of their times. */
  measure(path: string): Promise<Measure> {
    return this.#call(() => this.#probe.ask("measure", path));
  }

  /**
   * Inspects each of the paths. Those in a folder without an answer have the code `SILENT`.
   *
   * @param isLink whether a link is described itself, not its target
   */
  async stat(paths: readonly string[], isLink = false): Promise<readonly PathStats[]> {
    const found = await this.#stat(
      paths.filter((path) => !this.#isSilent(path)),
      isLink,
    );
    return paths.map((path) => found.get(path) ?? { code: SILENT });
  }

  async #stat(paths: readonly string[], isLink: boolean): Promise<ReadonlyMap<string, PathStats>> {
    const found = new Map<string, PathStats>();
    if (paths.length === 0) return found;
    try {
      const all = await this.#call(() => this.#probe.ask("stat", paths, isLink));
      for (const [index, path] of paths.entries()) found.set(path, all[index] as PathStats);
    } catch (error) {
      if (!(error instanceof FileSystemError)) throw error;
      const [folder = "", ...others] = new Set(paths.map((path) => dirname(path)));
      // Only the folder that has no answer is left out.
      for (const one of others.length === 0 ? [] : [folder, ...others]) {
        const inside = paths.filter((path) => dirname(path) === one);
        for (const [path, stats] of await this.#stat(inside, isLink)) found.set(path, stats);
      }
      if (others.length > 0) return found;
      for (const path of paths) found.set(path, { code: error.code });
      // A single path may have no answer because it is a mount itself.
      const [only = ""] = paths;
      if (error.code === SILENT) this.silentFolders.add(paths.length === 1 ? only : folder);
    }
    return found;
  }

  #isSilent(path: string): boolean {
    return [...this.silentFolders].some((one) => path === one || path.startsWith(`${one}/`));
  }

  /** The first bytes of a file, piece by piece. */
  async *read(path: string, bytes: number): AsyncGenerator<Buffer, void, undefined> {
    const stream = createReadStream(path, { end: bytes - 1 });
    const pieces: AsyncIterator<Buffer> = stream[Symbol.asyncIterator]();
    const late = (): never => {
      throw new WorkerTimeout(false);
    };
    const next = () => this.#call(() => inTime(pieces.next(), this.#timeout, late));
    try {
      for (let piece = await next(); !piece.done; piece = await next()) yield piece.value;
    } finally {
      stream.destroy();
    }
  }

  /** A path without links. */
  realPath(path: string): Promise<string> {
    return this.#call(() => this.#probe.ask("realPath", path));
  }

  async close(): Promise<void> {
    this.#lister.close();
    this.#probe.close();
  }

  async #call<T>(call: () => Promise<T>): Promise<T> {
    // Otherwise the crawl would omit most of the data.
    if (this.#silent >= MAX_SILENT) {
      throw new UserError(
        `The file system does not answer in ${this.#silent} places; what is not read yet is left for the next time.`,
      );
    }
    try {
      return await call();
    } catch (error) {
      if (error instanceof WorkerTimeout) {
        this.#silent += 1;
        throw new FileSystemError(SILENT);
      }
      if (error instanceof WorkerFailed) throw new FileSystemError(error.message);
      throw error;
    }
  }
}
