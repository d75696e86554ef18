/** Where the answer to a search goes: standard output, or a file that has its name once it is whole. */
import { randomUUID } from "node:crypto";
import { unlinkSync } from "node:fs";
import { open, realpath, rename, stat, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { UserError } from "../../platform/errors.js";
import { print } from "../terminal/print-line.js";

/** Takes a piece as fast as it can be taken. */
export type Write = (piece: string | Uint8Array) => Promise<void>;

/** A file cannot be written. */
export class UnwritableFile extends UserError {
  override readonly name = "UnwritableFile";
  static of(path: string, { code, message }: NodeJS.ErrnoException): UnwritableFile {
    return new UnwritableFile(`${path} cannot be written (${code ?? message}).`);
  }
}

/**
 * Runs work that writes.
 *
 * @param path of a file; standard output where it is left out
 * @throws UnwritableFile, and what the work throws: then nothing has the file's name that had not before
 */
export async function writeTo<T>(
  path: string | undefined,
  work: (write: Write) => Promise<T>,
): Promise<T> {
  if (path === undefined) return work(print);
  // What a link leads to is written, not the link.
  const target = await realpath(path).catch(() => path);
  const known = await stat(target).catch(() => undefined);
  if (known?.isDirectory()) throw new UnwritableFile(`${path} is a folder.`);
  const isPlain = known === undefined || known.isFile();
  const partial = isPlain
    ? join(dirname(target), `.${basename(target)}.${randomUUID()}.part`)
    : target;
  const told = (error: unknown): never => {
    throw UnwritableFile.of(path, error as NodeJS.ErrnoException);
  };
  const file = await open(partial, isPlain ? "wx" : "w").catch(told);
  const watch = isPlain ? removeOnSignal(partial) : undefined;
  try {
    const result = await work((piece) => file.appendFile(piece).catch(told));
    await file.close().catch(told);
    if (isPlain) await rename(partial, target).catch(told);
    return result;
  } catch (error) {
    await file.close().catch(() => {});
    if (isPlain) await unlink(partial).catch(() => {});
    throw error;
  } finally {
    watch?.end();
  }
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Whoever ends this process by a signal ends it, and leaves no half of a file behind. */
function removeOnSignal(path: string): { end(): void } {
  const end = (): void => {
    for (const signal of SIGNALS) process.removeListener(signal, remove);
  };
  const remove = (signal: NodeJS.Signals): void => {
    try {
      unlinkSync(path);
    } catch {
      // It has its name already, or is gone.
    }
    end();
    process.kill(process.pid, signal);
  };
  for (const signal of SIGNALS) process.on(signal, remove);
  return { end };
}
