/** Inspects paths of this machine with a deadline, because a network file system may hang for hours. */
import { batchesOf } from "../concurrency/time-slices.js";
import { DataUnavailable } from "../errors.js";
import { type Loss, plainError, type WorkerPoolOptions } from "../workers/pool-options.js";
import { WorkerPool } from "../workers/worker-pool.js";
import type { FileOperations, FileQuestion, ResolvedPath } from "./file-probe-program.js";

/** Paths in one question: other callers have their turn between two. */
const BATCH = 1000;
const TIMEOUT = 10_000;

const PROGRAM = new URL("./file-probe-program.js", import.meta.url);

export class FileProbe {
  readonly #pool: WorkerPool<FileQuestion, unknown>;

  /** By default three threads at a time, 10 s for an answer and for a free thread, and DataUnavailable for any error. */
  constructor(options: Partial<WorkerPoolOptions> = {}) {
    const { timeout = TIMEOUT } = options;
    const defaults = { max: 3, timeout, queue: { timeoutMs: timeout }, errorOf: unavailable };
    this.#pool = new WorkerPool({ ...defaults, program: PROGRAM, ...options });
  }

  /** Answers one question; see the functions of file-probe-program.ts. */
  async ask<K extends keyof FileOperations>(
    operation: K,
    ...args: Parameters<FileOperations[K]>
  ): Promise<ReturnType<FileOperations[K]>> {
    const answer = await this.#pool.ask({ operation, args });
    return answer as ReturnType<FileOperations[K]>;
  }

  /** Resolves the symbolic links of paths. @param paths absolute, without `.` and `..` */
  async resolve(paths: Iterable<string>): Promise<ReadonlyMap<string, ResolvedPath>> {
    const all = [...new Set(paths)];
    const found = new Map<string, ResolvedPath>();
    for (const batch of batchesOf(all, BATCH)) {
      const answers = await this.ask("resolve", batch);
      for (const [index, answer] of answers.entries()) found.set(batch[index] ?? "", answer);
    }
    return found;
  }

  close(): void {
    this.#pool.close();
  }
}

/** The real path of a path that `FileProbe.resolve` has resolved, also if nothing exists there; undefined for other paths. */
export function leadsTo(
  resolved: ReadonlyMap<string, ResolvedPath>,
  path: string | undefined,
): string | undefined {
  const found = path === undefined ? undefined : resolved.get(path);
  if (found === undefined) return undefined;
  return "real" in found ? found.real : found.absent;
}

/** The errors of a pool whose workers ask the file system. */
export function unavailable(loss: Loss, cause: unknown): DataUnavailable {
  if (loss === "refused") return new DataUnavailable("every thread waits for the file system");
  if (loss === "late") return new DataUnavailable("the file system does not answer");
  const { message } = plainError(loss, cause);
  return new DataUnavailable(`the file system cannot be asked: ${message}`);
}
