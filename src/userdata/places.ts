/**
 * What lies on this machine under the paths that users register.
 *
 * The file system is asked in threads of its own, one call after the other: 100,000 paths take a second there
 * and hold nobody up, and a mount that hangs has such a thread, not one of those that all reading shares.
 */
import { Worker } from "node:worker_threads";
import { DataUnavailable } from "../errors.js";

export type Look =
  /** There is something: where it really is, its inode as decimal text, and the user id of its owner. */
  | {
      readonly real: string;
      readonly inode: string;
      readonly uid: number;
      /** Of a file its bytes, and when it was changed, in milliseconds since 1970. */
      readonly size?: number;
      readonly modified?: number;
    }
  /** There is nothing that can be seen: where it would be, links resolved as far as there are any. */
  | { readonly absent: string };

/**
 * What the threads run. Text, as the thread must find plain JavaScript whether this file runs compiled or
 * straight from TypeScript, as it does in tests.
 */
const THREAD = `
const { parentPort } = require("node:worker_threads");
const { lstatSync, realpathSync, statSync } = require("node:fs");
const { basename, dirname, join } = require("node:path");
const ABSENT = new Set(["ENOENT", "ENOTDIR", "EACCES", "ELOOP", "ENAMETOOLONG"]);
const unlessAbsent = (look) => {
  try {
    return look();
  } catch (error) {
    if (!ABSENT.has(error.code)) throw error;
  }
};
parentPort.on("message", (paths) => {
  const folders = new Map();
  const folderOf = (path) => {
    const known = folders.get(path);
    if (known !== undefined) return known;
    const real = unlessAbsent(() => realpathSync.native(path));
    const found =
      real !== undefined || dirname(path) === path
        ? { real: real ?? path, isThere: real !== undefined }
        : { real: join(folderOf(dirname(path)).real, basename(path)), isThere: false };
    folders.set(path, found);
    return found;
  };
  const look = (path) => {
    const folder = folderOf(dirname(path));
    const named = join(folder.real, basename(path));
    if (!folder.isThere) return { absent: named };
    const entry = unlessAbsent(() => lstatSync(named, { bigint: true }));
    if (entry === undefined) return { absent: named };
    const real = entry.isSymbolicLink() ? unlessAbsent(() => realpathSync.native(named)) : named;
    if (real === undefined) return { absent: named };
    const found = real === named ? entry : unlessAbsent(() => statSync(real, { bigint: true }));
    if (found === undefined) return { absent: named };
    const place = { real, inode: String(found.ino), uid: Number(found.uid) };
    if (!found.isFile()) return place;
    return Object.assign(place, { size: Number(found.size), modified: Number(found.mtimeMs) });
  };
  try {
    parentPort.postMessage({ looks: paths.map(look) });
  } catch (error) {
    parentPort.postMessage({ failure: String(error.code ?? error) });
  }
});`;

/** Paths in one question, between which others have their turn. */
const BATCH = 1000;
/** Threads, those that hang included: each may be stuck for as long as its mount is. */
const MAX_THREADS = 3;
/** Milliseconds for one question, and to wait for a thread. */
const PATIENCE = 10_000;

interface Answer {
  readonly looks?: readonly Look[];
  readonly failure?: string;
}

export class Places {
  readonly #idle: Worker[] = [];
  readonly #waiting: ((worker: Worker) => void)[] = [];
  #threads = 0;
  readonly #patience: number;

  constructor(patience = PATIENCE) {
    this.#patience = patience;
  }

  /**
   * What lies under each of the paths.
   *
   * @param paths absolute, without `.` and `..`
   * @throws DataUnavailable when the file system does not answer in time, or fails
   */
  async look(paths: Iterable<string>): Promise<ReadonlyMap<string, Look>> {
    const all = [...new Set(paths)];
    const found = new Map<string, Look>();
    for (let from = 0; from < all.length; from += BATCH) {
      const batch = all.slice(from, from + BATCH);
      for (const [index, look] of (await this.#ask(batch)).entries()) {
        found.set(batch[index] ?? "", look);
      }
    }
    return found;
  }

  async #ask(paths: readonly string[]): Promise<readonly Look[]> {
    const worker = await this.#thread();
    const { looks, failure } = await this.#answer(worker, paths);
    this.#giveBack(worker);
    if (looks !== undefined) return looks;
    throw new DataUnavailable(`the file system cannot be asked: ${failure}`);
  }

  #answer(worker: Worker, paths: readonly string[]): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const fail = (reason: string): void => {
        // One that hangs in the system ends only when the system lets it; until then it counts.
        void worker.terminate();
        reject(new DataUnavailable(reason));
      };
      const timer = setTimeout(() => fail("the file system does not answer"), this.#patience);
      worker.once("message", (answer: Answer) => {
        clearTimeout(timer);
        resolve(answer);
      });
      worker.postMessage(paths);
    });
  }

  #thread(): Promise<Worker> {
    const idle = this.#idle.pop();
    if (idle !== undefined) return Promise.resolve(idle);
    if (this.#threads < MAX_THREADS) return Promise.resolve(this.#start());
    return new Promise((resolve, reject) => {
      const take = (worker: Worker): void => {
        clearTimeout(timer);
        resolve(worker);
      };
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(take), 1);
        reject(new DataUnavailable("every thread waits for the file system"));
      }, this.#patience);
      this.#waiting.push(take);
    });
  }

  #giveBack(worker: Worker): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#idle.push(worker);
    else next(worker);
  }

  #start(): Worker {
    const worker = new Worker(THREAD, { eval: true, execArgv: [] });
    this.#threads += 1;
    worker.unref();
    worker.on("error", () => {});
    worker.once("exit", () => {
      this.#threads -= 1;
      const at = this.#idle.indexOf(worker);
      if (at >= 0) this.#idle.splice(at, 1);
      if (this.#waiting.length > 0) this.#giveBack(this.#start());
    });
    return worker;
  }
}
