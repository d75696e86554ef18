import { type FileHandle, mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Maximal bytes in memory; more go to a temporary file. */
const IN_MEMORY = 1 << 20;

/**
 * Bytes that are written first and read back later, in order. Past a megabyte they are in a temporary file that only this
 * account can read.
 */
export class Spool {
  #pieces: Uint8Array[] = [];
  #held = 0;
  #folder: string | undefined;
  #file: FileHandle | undefined;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  async write(piece: Uint8Array): Promise<void> {
    this.#pieces.push(piece);
    this.#held += piece.length;
    this.#length += piece.length;
    if (this.#held >= IN_MEMORY) await this.#flush();
  }

  async #flush(): Promise<void> {
    if (this.#file === undefined) {
      this.#folder = await mkdtemp(join(tmpdir(), "climate-nextgen-"));
      this.#file = await open(join(this.#folder, "spool"), "wx+", 0o600);
    }
    await this.#file.writev(this.#pieces);
    this.#pieces = [];
    this.#held = 0;
  }

  async *read(): AsyncGenerator<Uint8Array, void, undefined> {
    const inFile = this.#length - this.#held;
    for (let position = 0; position < inFile; ) {
      const buffer = new Uint8Array(Math.min(IN_MEMORY, inFile - position));
      const read = await this.#file?.read(buffer, 0, buffer.length, position);
      if (!read?.bytesRead) throw new Error("the spool is shorter than what was written");
      position += read.bytesRead;
      yield buffer.subarray(0, read.bytesRead);
    }
    yield* this.#pieces;
  }

  async close(): Promise<void> {
    await this.#file?.close();
    if (this.#folder !== undefined) await rm(this.#folder, { recursive: true, force: true });
    this.#file = undefined;
    this.#folder = undefined;
  }
}
