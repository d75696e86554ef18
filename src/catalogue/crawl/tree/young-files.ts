/** Tells files that may still be written from those that are complete. */
import { setTimeout as sleep } from "node:timers/promises";
import { batchesOf } from "../../../platform/concurrency/time-slices.js";
import type { Measure } from "../../../platform/file-system/file-stats.js";
import { type FileSystem, FileSystemError } from "./file-system.js";
import type { FoundFile } from "./found-file.js";

/** A file whose header is to be read. */
export interface Todo {
  /** `unsummed`: unchanged, but the index has no checksum of it. `again`: unchanged, and read nevertheless. */
  readonly kind: "new" | "changed" | "unsummed" | "again";
  readonly file: FoundFile;
  /** Fields of an unchanged file that reading it again does not give. */
  readonly kept?: Readonly<Record<string, unknown>>;
}

export interface YoungFilesOptions {
  /**
   * Seconds since the last change after which a file is read. Left out: a file that changed within a minute is read if
   * it stays the same for SETTLE_MS.
   */
  readonly minAge: number | undefined;
  /** Stops the crawl: files already read are loaded, nothing is removed. */
  readonly signal: AbortSignal;
  /** Called for each file that is passed on. */
  readonly taken: (todo: Todo) => void;
  /** Called for each file that is left for the next crawl. @param reason a predicate of the file */
  readonly left: (todo: Todo, reason: string) => void;
}

/** Seconds since the last change within which a file may still be written. */
const YOUNG = 60;
/** Milliseconds between the two checks of a young file, and files that wait for the second one. */
const SETTLE_MS = 2000;
const MAX_SETTLING = 20_000;
const CHECK_BATCH = 200;

/** Passes on the files that are not being written. The others are left for the next crawl. */
export async function* oldEnough(
  fs: FileSystem,
  todos: AsyncIterable<Todo>,
  options: YoungFilesOptions,
): AsyncGenerator<Todo, void, undefined> {
  const { minAge, taken, left } = options;
  let settling: Todo[] = [];
  for await (const todo of todos) {
    const age = (Date.now() - todo.file.modified) / 1000;
    // A future time comes from a wrong clock. It does not mean that the file is being written.
    if (Math.abs(age) >= (minAge ?? YOUNG)) {
      taken(todo);
      yield todo;
    } else if (minAge !== undefined) {
      left(todo, `waits, as it was written ${Math.max(0, Math.round(age))} s ago`);
    } else settling.push(todo);
    if (settling.length < MAX_SETTLING) continue;
    yield* settled(fs, settling, options);
    settling = [];
  }
  yield* settled(fs, settling, options);
}

/** Checks young files once more, SETTLE_MS after they were found. */
async function* settled(
  fs: FileSystem,
  todos: readonly Todo[],
  { signal, taken, left }: YoungFilesOptions,
): AsyncGenerator<Todo, void, undefined> {
  if (todos.length === 0) return;
  // An abort ends the wait; the files are then not read anyway.
  await sleep(SETTLE_MS, undefined, { signal }).catch(() => {});
  for (const portion of batchesOf(todos, CHECK_BATCH)) {
    if (signal.aborted) return;
    const same = await Promise.all(portion.map(({ file }) => isUnchanged(fs, file)));
    for (const [at, todo] of portion.entries()) {
      if (same[at]) {
        taken(todo);
        yield todo;
      } else left(todo, "waits, as it still changes");
    }
  }
}

/** Whether a file is the same as when it was found. */
export async function isUnchanged(
  fs: FileSystem,
  { path, kind, size, modified, inode }: FoundFile,
): Promise<boolean> {
  try {
    const now = kind === "zarr" ? await fs.measure(path) : ((await fs.stat([path]))[0] as Measure);
    return now.size === size && now.modified === modified && now.inode === inode;
  } catch (error) {
    if (!(error instanceof FileSystemError)) throw error;
    return false;
  }
}
