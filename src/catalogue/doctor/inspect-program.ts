/**
 * Inspects files without opening them, in a process of its own; see Inspector. A call on a file system that does not answer
 * cannot be interrupted: the process is killed then.
 */
import { constants } from "node:fs";
import { access, lstat, readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { STORE_MARKS } from "../../files/zarr/store/format.js";
import { eachOf } from "../../platform/concurrency/each-of.js";
import { inTime } from "../../platform/concurrency/in-time.js";
import { isNowhere, type Measure, measureOf } from "../../platform/file-system/file-stats.js";
import { answerQuestions, reasonOf } from "../../platform/workers/worker-program.js";

export type Inspection =
  | ({ readonly kind: "there"; readonly isFolder: boolean } & Measure)
  | {
      readonly kind: "gone";
      /** Whether it is a dangling link. */
      readonly isLink: boolean;
      /** The nearest folder above it that exists. */
      readonly above: string;
      readonly isAboveEmpty: boolean;
    }
  | { readonly kind: "refused"; readonly code: string }
  /** Neither a file nor a zarr store. */
  | { readonly kind: "other" }
  /** No answer in time. */
  | { readonly kind: "silent" }
  /** Not tried, because another path was silent before. */
  | { readonly kind: "untried" };

export interface InspectQuestion {
  readonly paths: readonly string[];
  /** Milliseconds for one path. */
  readonly timeout: number;
}

/** Paths at a time: one for each thread of Node. */
const CONCURRENCY = Number(process.env.UV_THREADPOOL_SIZE ?? 4);

async function inspect(path: string): Promise<Inspection> {
  try {
    const stats = await stat(path, { bigint: true });
    const isFolder = stats.isDirectory();
    if (isFolder ? !(await isStore(path)) : !stats.isFile()) return { kind: "other" };
    await access(path, constants.R_OK);
    return { kind: "there", isFolder, ...measureOf(stats) };
  } catch (error) {
    return isNowhere(error) ? gone(path) : { kind: "refused", code: reasonOf(error) };
  }
}

async function isStore(path: string): Promise<boolean> {
  for (const mark of STORE_MARKS) {
    const isThere = await access(join(path, mark)).then(
      () => true,
      (error: unknown) => {
        if (isNowhere(error)) return false;
        throw error;
      },
    );
    if (isThere) return true;
  }
  return false;
}

async function gone(path: string): Promise<Inspection> {
  const isLink = await lstat(path).then(
    (stats) => stats.isSymbolicLink(),
    () => false,
  );
  let above = dirname(path);
  for (;;) {
    try {
      const isAboveEmpty = (await readdir(above)).length === 0;
      return { kind: "gone", isLink, above, isAboveEmpty };
    } catch (error) {
      const code = reasonOf(error);
      // This process may pass through the folder, but not list it.
      if (code === "EACCES") return { kind: "gone", isLink, above, isAboveEmpty: false };
      if (!isNowhere(error)) return { kind: "refused", code };
      if (above === dirname(above)) return { kind: "gone", isLink, above, isAboveEmpty: false };
      above = dirname(above);
    }
  }
}

async function inspectAll({ paths, timeout }: InspectQuestion): Promise<Inspection[]> {
  const results: Inspection[] = paths.map(() => ({ kind: "untried" }));
  let isSilent = false;
  await eachOf(paths, CONCURRENCY, async (path, at) => {
    if (isSilent) return;
    results[at] = await inTime(inspect(path), timeout, (): Inspection => {
      isSilent = true;
      return { kind: "silent" };
    });
  });
  return results;
}

answerQuestions(inspectAll);
