/** Writes an answer to standard output, or to a file that gets its name once it is complete. */
import { randomUUID } from "node:crypto";
import { closeSync, openSync, unlinkSync } from "node:fs";
import { type FileHandle, open, realpath, rename, stat, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { refusalOf, UserError } from "../../platform/errors.js";
import { print } from "../terminal/print-line.js";

/** Resolves when the next piece can be written. */
export type Write = (piece: string | Uint8Array) => Promise<void>;

class UnwritableFile extends UserError {
  override readonly name = "UnwritableFile";
  static of(path: string, cause: unknown): UnwritableFile {
    return new UnwritableFile(`${path} cannot be written (${refusalOf(cause)}).`);
  }
}

/** Runs work that writes. If it fails, the file is unchanged. @param path output file; standard output by default */
export async function writeTo<T>(
  path: string | undefined,
  work: (write: Write) => Promise<T>,
): Promise<T> {
  if (path === undefined) return work(print);
  // A symbolic link stays; its target is replaced.
  const target = await realpath(path).catch(() => path);
  const known = await stat(target).catch(() => undefined);
  if (known?.isDirectory()) throw new UnwritableFile(`${path} is a folder.`);
  const isPlain = known === undefined || known.isFile();
  const partial = isPlain
    ? join(dirname(target), `.${basename(target)}.${randomUUID()}.part`)
    : target;
  const rethrow = (error: unknown): never => {
    throw UnwritableFile.of(path, error as NodeJS.ErrnoException);
  };
  const watch = isPlain ? removeOnSignal(partial) : undefined;
  let opened: FileHandle | undefined;
  try {
    const file = await create(partial, isPlain).catch(rethrow);
    opened = file;
    const result = await work((piece) => file.appendFile(piece).catch(rethrow));
    await file.close().catch(rethrow);
    if (isPlain) await rename(partial, target).catch(rethrow);
    return result;
  } catch (error) {
    await opened?.close().catch(() => {});
    if (isPlain) await unlink(partial).catch(() => {});
    throw error;
  } finally {
    watch?.end();
  }
}

/** A new plain file is there when this function returns, so that no signal comes between it and its creation. */
async function create(path: string, isPlain: boolean): Promise<FileHandle> {
  if (isPlain) closeSync(openSync(path, "wx"));
  return open(path, isPlain ? "r+" : "w");
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Removes the unfinished file if a signal ends this process. */
function removeOnSignal(path: string): { end(): void } {
  const end = (): void => {
    for (const signal of SIGNALS) process.removeListener(signal, remove);
  };
  const remove = (signal: NodeJS.Signals): void => {
    try {
      unlinkSync(path);
    } catch {
      // It has been renamed or removed already.
    }
    end();
    process.kill(process.pid, signal);
  };
  for (const signal of SIGNALS) process.on(signal, remove);
  return { end };
}
