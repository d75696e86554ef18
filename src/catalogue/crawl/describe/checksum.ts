/** File checksums, in the form that documents of the index have. */

import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Finding } from "../../../files/cf/header.js";
import { refusalOf, UserError } from "../../../platform/errors.js";
import { type FileSystem, FileSystemError } from "../tree/file-system.js";
import type { FoundFile } from "../tree/found-file.js";

/** Limits the bytes a second of all readings that share it. */
export class BytePace {
  readonly #rate: number;
  /** When the next bytes may be read, by performance.now(). */
  #due = 0;

  /** @param rate bytes a second */
  constructor(rate: number) {
    this.#rate = rate;
  }

  /** Resolves when this many bytes may have been read. */
  async passing(bytes: number): Promise<void> {
    const now = performance.now();
    this.#due = Math.max(this.#due, now) + (bytes / this.#rate) * 1000;
    if (this.#due > now) await sleep(this.#due - now);
  }
}

/**
 * Hashes as many bytes as the file had when it was found. Bytes appended since are not read.
 *
 * @returns `sha256:<hex>`, or one line with the reason why there is none
 * @throws UserError if too many files get no answer
 */
export async function checksumOf(
  { path, kind, size }: Pick<FoundFile, "path" | "kind" | "size">,
  fs: FileSystem,
  pace?: BytePace,
): Promise<Finding<string>> {
  if (kind === "zarr") return { reason: "checksum: a store of many files has none" };
  try {
    const hash = createHash("sha256");
    let read = 0;
    if (size > 0) {
      for await (const piece of fs.read(path, size)) {
        read += piece.length;
        hash.update(piece);
        await pace?.passing(piece.length);
      }
    }
    if (read === size) return { value: `sha256:${hash.digest("hex")}` };
    return { reason: "checksum: left out, as the file has become shorter" };
  } catch (error) {
    if (error instanceof UserError) throw error;
    if (error instanceof FileSystemError) return { reason: `checksum: the file ${error.message}` };
    return { reason: `checksum: the file cannot be read (${refusalOf(error)})` };
  }
}
