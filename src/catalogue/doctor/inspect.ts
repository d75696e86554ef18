/** Inspects many files without opening them, and skips folders and mounts that do not answer. */
import { dirname } from "node:path";
import { batchesOf } from "../../platform/concurrency/time-slices.js";
import { UserError } from "../../platform/errors.js";
import { readMounts } from "../../platform/file-system/mounts.js";
import { WorkerFailed } from "../../platform/workers/pool-options.js";
import { startProcess } from "../../platform/workers/start-worker.js";
import { WorkerPool } from "../../platform/workers/worker-pool.js";
import type { Inspection, InspectQuestion } from "./inspect-program.js";

/** Paths at a time: on a network file system most of the time is waiting. */
const CONCURRENCY = 16;
const MAX_PATHS = 2000;
/** After this many silent folders the whole mount is skipped. */
const MAX_SILENT = 3;

const PROGRAM = new URL("./inspect-program.js", import.meta.url);

type InspectPool = WorkerPool<InspectQuestion, readonly Inspection[]>;

/** The program sets a deadline for each path itself, so that the pool needs none. */
const startPool = (): InspectPool =>
  new WorkerPool({
    start: () => startProcess(PROGRAM, { UV_THREADPOOL_SIZE: String(CONCURRENCY) }),
    max: 1,
  });

export class Inspector {
  readonly #timeout: number;
  /** Mount points, the deepest first. The root is left out: this program lies on it. */
  readonly #mounts: readonly string[];
  /** Folders and mounts that did not answer. */
  readonly #silent = new Set<string>();
  readonly #silentOfMount = new Map<string, number>();
  #pool = startPool();

  /** @param timeout milliseconds that a file system may take to answer */
  constructor(timeout: number) {
    this.#timeout = timeout;
    const points = new Set(readMounts().map(({ path }) => path));
    this.#mounts = [...points].filter((path) => path !== "/").sort((a, b) => b.length - a.length);
  }

  /** Inspects each of the paths. @throws UserError when the process that inspects them ends */
  async inspect(paths: readonly string[]): Promise<Inspection[]> {
    const all: Inspection[] = [];
    for (const batch of batchesOf(paths, MAX_PATHS)) {
      all.push(...(await this.#inspectBatch(batch)));
    }
    return all;
  }

  /** The folder or mount under which a silent path is reported. */
  silentAbove(path: string): string {
    const mount = this.#mountOf(path);
    return this.#silent.has(mount) ? mount : dirname(path);
  }

  close(): void {
    this.#pool.close();
  }

  async #inspectBatch(paths: readonly string[]): Promise<Inspection[]> {
    const results: Inspection[] = paths.map(() => ({ kind: "untried" }));
    for (;;) {
      for (const [at, path] of paths.entries()) {
        if (results[at]?.kind === "untried" && this.#isSilent(path)) {
          results[at] = { kind: "silent" };
        }
      }
      const open = paths.flatMap((_, at) => (results[at]?.kind === "untried" ? [at] : []));
      if (open.length === 0) return results;
      const untried = open.map((at) => paths[at] as string);
      const answers = await this.#ask(untried);
      for (const [i, at] of open.entries()) results[at] = answers[i] as Inspection;
      const silent = untried.filter((_, i) => answers[i]?.kind === "silent");
      if (silent.length === 0) continue;
      for (const path of silent) this.#note(path);
      // Threads of the process wait for the silent folder. The kernel may not let it end: nothing waits for that.
      this.#pool.close();
      this.#pool = startPool();
    }
  }

  #isSilent(path: string): boolean {
    return this.#silent.has(dirname(path)) || this.#silent.has(this.#mountOf(path));
  }

  #note(path: string): void {
    const folder = dirname(path);
    if (this.#silent.has(folder)) return;
    this.#silent.add(folder);
    const mount = this.#mountOf(path);
    const count = (this.#silentOfMount.get(mount) ?? 0) + 1;
    this.#silentOfMount.set(mount, count);
    if (count >= MAX_SILENT && mount !== "/") this.#silent.add(mount);
  }

  #mountOf(path: string): string {
    return this.#mounts.find((mount) => path === mount || path.startsWith(`${mount}/`)) ?? "/";
  }

  async #ask(paths: readonly string[]): Promise<readonly Inspection[]> {
    try {
      return await this.#pool.ask({ paths, timeout: this.#timeout });
    } catch (error) {
      if (!(error instanceof WorkerFailed)) throw error;
      throw new UserError(`The process that inspects files ended (${error.message}).`);
    }
  }
}
