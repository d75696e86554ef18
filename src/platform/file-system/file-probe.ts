/** Inspects paths of this machine with a deadline, because a network file system may hang for hours. */
import { batchesOf } from "../concurrency/time-slices.js";
import { DataUnavailable } from "../errors.js";
import { WorkerFailed, type WorkerPoolOptions, WorkerTimeout } from "../workers/pool-options.js";
import { WorkerPool } from "../workers/worker-pool.js";
import type { FileOperations, FileQuestion, ResolvedPath } from "./file-probe-program.js";

/** Paths in one question: other callers have their turn between two. */
const BATCH = 1000;
const TIMEOUT = 10_000;

const PROGRAM = new URL("./file-probe-program.js", import.meta.url);

export class FileProbe {
  readonly #pool: WorkerPool<FileQuestion, unknown>;

  /** By default three threads at a time, and 10 s for an answer and for a free thread. */
  constructor(options: Partial<WorkerPoolOptions> = {}) {
    const { timeout = TIMEOUT } = options;
    const defaults = { max: 3, timeout, queue: { timeoutMs: timeout } };
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
      const answers = await orUnavailable(this.ask("resolve", batch));
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

/** The answer of a worker that asks the file system. @throws DataUnavailable instead of the errors of a WorkerPool */
export async function orUnavailable<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof WorkerTimeout) {
      throw new DataUnavailable(
        error.isQueued
          ? "every thread waits for the file system"
          : "the file system does not answer",
      );
    }
    if (error instanceof WorkerFailed) {
      throw new DataUnavailable(`the file system cannot be asked: ${error.message}`);
    }
    throw error;
  }
}
