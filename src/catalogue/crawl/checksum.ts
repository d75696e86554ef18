/** File checksums, in the form that documents of the index have. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import type { Told } from "../../files/cf/header.js";

/**
 * Hashes as many bytes as the file had when it was found. Bytes appended since are not read.
 *
 * @returns `sha256:<hex>`, or one line with the reason why there is none
 */
export async function checksumOf(file: {
  readonly path: string;
  readonly kind: "file" | "zarr";
  readonly size: number;
}): Promise<Told<string>> {
  const { path, kind, size } = file;
  if (kind === "zarr") return { reason: "checksum: a store of many files has none" };
  try {
    const hash = createHash("sha256");
    let read = 0;
    if (size > 0) {
      for await (const piece of createReadStream(path, { end: size - 1 })) {
        read += (piece as Buffer).length;
        hash.update(piece as Buffer);
      }
    }
    if (read === size) return { value: `sha256:${hash.digest("hex")}` };
    return { reason: "checksum: left out, as the file has become shorter" };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return { reason: `checksum: the file cannot be read (${code ?? message})` };
  }
}
