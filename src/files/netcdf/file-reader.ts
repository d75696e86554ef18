import { DamagedFile, FileChanged, ReadingTimeout, TooLarge } from "./errors.js";
import { Cursor } from "./source/cursor.js";
import type { FileIdentity } from "./source/file-identity.js";

const PAGE = 1 << 16;
/** Cached pages: 4 MiB. HDF5 metadata lie in clusters, so small reads hit the same pages. */
const PAGES = 64;
/** Maximum bytes of one read. */
const MAX_PIECE = 1 << 28;

export interface ReaderLimits {
  /** Maximum milliseconds of one reading. */
  readonly time?: number;
  /** Maximum bytes of one reading in total. Pages read again count again. */
  readonly bytes?: number;
}

/** An open file: on this machine (source.ts), or given to a browser. */
export interface FileBytes {
  readonly identity: FileIdentity;
  /** Whether the file still has this identity. Left out where reading itself fails otherwise. */
  isUnchanged?(): boolean;
  /** Fills the target from its beginning, blocking. The number of bytes may be smaller, and is 0 at the end of the file. */
  read(target: Uint8Array, offset: number): number;
  close(): void;
}

/**
 * Reads pieces of one file, blocking: only for separate processes and tests.
 *
 * Every read is checked against the file's size, and all of them against limits of time and bytes, so that reading ends
 * whatever the file contains.
 */
export class FileReader {
  readonly #pages = new Map<number, Uint8Array>();
  readonly #deadline: number;
  #budget: number;
  #ticks = 0;

  readonly #bytes: FileBytes;

  constructor(bytes: FileBytes, limits: ReaderLimits = {}) {
    this.#bytes = bytes;
    this.#deadline = performance.now() + (limits.time ?? 20_000);
    this.#budget = limits.bytes ?? 16 * 2 ** 30;
  }

  get identity(): FileIdentity {
    return this.#bytes.identity;
  }

  get size(): number {
    return this.identity.size;
  }

  /** Values that were read while a file was written may be of both of its states. @throws FileChanged */
  requireUnchanged(): void {
    if (this.#bytes.isUnchanged?.() === false)
      throw new FileChanged("The file was changed while it was read.");
  }

  close(): void {
    this.#pages.clear();
    this.#bytes.close();
  }

  /** Call in loops over a file's content: ends the reading when its time is over. */
  tick(): void {
    this.#ticks += 1;
    if ((this.#ticks & 63) === 0 && performance.now() > this.#deadline) {
      throw new ReadingTimeout("Reading this file takes too long.");
    }
  }

  #check(offset: number, length: number): void {
    this.tick();
    if (!(offset >= 0) || !(length >= 0) || offset + length > this.size) {
      throw new DamagedFile("The file ends before its contents do.");
    }
    if (length > MAX_PIECE)
      throw new TooLarge("A single piece of the file is too large to be read.");
    this.#budget -= length;
    if (this.#budget < 0) throw new TooLarge("Reading this file takes too many reads.");
  }

  #load(offset: number, target: Uint8Array): void {
    let done = 0;
    while (done < target.byteLength) {
      const count = this.#bytes.read(target.subarray(done), offset + done);
      if (count === 0) throw new FileChanged("The file became shorter while it was read.");
      done += count;
    }
  }

  #page(number: number): Uint8Array {
    const known = this.#pages.get(number);
    if (known !== undefined) {
      this.#pages.delete(number);
      this.#pages.set(number, known);
      return known;
    }
    const page = new Uint8Array(Math.min(PAGE, this.size - number * PAGE));
    this.#load(number * PAGE, page);
    const [oldest = number] = this.#pages.keys();
    if (this.#pages.size >= PAGES) this.#pages.delete(oldest);
    this.#pages.set(number, page);
    return page;
  }

  /** Bytes of the file. They may be shared with other reads: do not write to them. */
  read(offset: number, length: number): Uint8Array {
    this.#check(offset, length);
    if (length === 0) return new Uint8Array(0);
    const first = Math.floor(offset / PAGE);
    const from = offset - first * PAGE;
    if (from + length <= PAGE) return this.#page(first).subarray(from, from + length);
    const bytes = new Uint8Array(length);
    if (length > 2 * PAGE) {
      this.#load(offset, bytes);
      return bytes;
    }
    for (let done = 0; done < length; ) {
      const number = Math.floor((offset + done) / PAGE);
      const skip = offset + done - number * PAGE;
      const piece = this.#page(number).subarray(skip, skip + length - done);
      bytes.set(piece, done);
      done += piece.byteLength;
    }
    return bytes;
  }

  cursor(offset: number, length: number, little = true): Cursor {
    return new Cursor(this.read(offset, length), little);
  }

  /** Up to `length` bytes, fewer at the file's end. */
  cursorUpTo(offset: number, length: number, little = true): Cursor {
    return this.cursor(offset, Math.max(0, Math.min(length, this.size - offset)), little);
  }
}
