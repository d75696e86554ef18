/**
 * Probes files without opening them. Runs as a child process, which can be killed: a hung file system blocks its caller in the
 * kernel for ever.
 */
import { constants } from "node:fs";
import { access, lstat, readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { STORE_MARKS } from "../../files/zarr/store/format.js";

/** What is at a path. */
export type ProbeResult =
  | {
      readonly kind: "there";
      readonly isFolder: boolean;
      /** Bytes. */
      readonly size: number;
      /** Milliseconds since 1970, whole ones. */
      readonly modified: number;
      readonly inode: string;
    }
  | {
      readonly kind: "gone";
      /** Whether it is a dangling symbolic link. */
      readonly isLink: boolean;
      /** The nearest existing folder above. */
      readonly above: string;
      readonly isAboveEmpty: boolean;
    }
  | { readonly kind: "refused"; readonly code: string }
  /** Neither a file nor a zarr store. */
  | { readonly kind: "other" }
  | { readonly kind: "silent" }
  /** Not probed, as another path did not answer. */
  | { readonly kind: "untried" };

export interface ProbeRequest {
  readonly paths: readonly string[];
  /** Milliseconds within which a file system must answer. */
  readonly timeout: number;
}

/** Paths probed at a time: one per thread. */
const AT_ONCE = Number(process.env.UV_THREADPOOL_SIZE ?? 4);
const GONE = new Set(["ENOENT", "ENOTDIR"]);

const codeOf = (error: unknown): string => {
  const { code, message } = error as NodeJS.ErrnoException;
  return code ?? message;
};

async function probe(path: string): Promise<ProbeResult> {
  try {
    const stats = await stat(path, { bigint: true });
    const isFolder = stats.isDirectory();
    if (isFolder ? !(await isStore(path)) : !stats.isFile()) return { kind: "other" };
    await access(path, constants.R_OK);
    return {
      kind: "there",
      isFolder,
      size: Number(stats.size),
      modified: Number(stats.mtimeNs / 1_000_000n),
      inode: stats.ino.toString(),
    };
  } catch (error) {
    const code = codeOf(error);
    return GONE.has(code) ? gone(path) : { kind: "refused", code };
  }
}

async function isStore(path: string): Promise<boolean> {
  for (const mark of STORE_MARKS) {
    const isThere = await access(join(path, mark)).then(
      () => true,
      (error: unknown) => {
        if (GONE.has(codeOf(error))) return false;
        throw error;
      },
    );
    if (isThere) return true;
  }
  return false;
}

async function gone(path: string): Promise<ProbeResult> {
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
      const code = codeOf(error);
      // The folder may be traversed but not listed.
      if (code === "EACCES") return { kind: "gone", isLink, above, isAboveEmpty: false };
      if (!GONE.has(code)) return { kind: "refused", code };
      if (above === dirname(above)) return { kind: "gone", isLink, above, isAboveEmpty: false };
      above = dirname(above);
    }
  }
}

async function probeAll({ paths, timeout }: ProbeRequest): Promise<ProbeResult[]> {
  const seen: ProbeResult[] = paths.map(() => ({ kind: "untried" }));
  let next = 0;
  let isSilent = false;
  const work = async (): Promise<void> => {
    for (let at = next++; at < paths.length && !isSilent; at = next++) {
      let timer: NodeJS.Timeout | undefined;
      const silence = new Promise<ProbeResult>((resolve) => {
        timer = setTimeout(() => {
          isSilent = true;
          resolve({ kind: "silent" });
        }, timeout);
      });
      seen[at] = await Promise.race([probe(paths[at] as string), silence]);
      clearTimeout(timer);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return seen;
}

process.on("message", (order: ProbeRequest) => {
  probeAll(order).then(
    (seen) => process.send?.(seen),
    (error) => {
      process.stderr.write(`${(error as Error).stack}\n`);
      process.exit(1);
    },
  );
});
process.on("disconnect", () => process.exit());
