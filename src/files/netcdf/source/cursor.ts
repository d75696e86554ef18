import { DamagedFile } from "../errors.js";

const UTF8 = new TextDecoder("utf-8");
const LATIN1 = new TextDecoder("latin1");

/** Decodes UTF-8. Invalid bytes become U+FFFD. */
export const utf8 = (bytes: Uint8Array): string => UTF8.decode(bytes);

/** The bytes before the first NUL. */
export function upToNul(bytes: Uint8Array): Uint8Array {
  const end = bytes.indexOf(0);
  return end < 0 ? bytes : bytes.subarray(0, end);
}

/** Compares byte strings, also without Buffer, as in a browser: negative if `a` comes first. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** Reads a piece of a file from front to back. Every read is checked against the piece's end. */
export class Cursor {
  readonly #view: DataView;
  at = 0;

  /** Byte order of integers: HDF5 is little-endian throughout, NetCDF-3 big-endian. */
  readonly #little: boolean;

  constructor(
    readonly bytes: Uint8Array,
    little = true,
  ) {
    this.#little = little;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get left(): number {
    return this.bytes.byteLength - this.at;
  }

  #take(count: number): number {
    const from = this.at;
    if (!(count >= 0) || count > this.left) {
      throw new DamagedFile("A structure of the file is longer than the space it has.");
    }
    this.at = from + count;
    return from;
  }

  skip(count: number): void {
    this.#take(count);
  }

  u8(): number {
    return this.#view.getUint8(this.#take(1));
  }

  u16(): number {
    return this.#view.getUint16(this.#take(2), this.#little);
  }

  u32(): number {
    return this.#view.getUint32(this.#take(4), this.#little);
  }

  u64(): number {
    const from = this.#take(8);
    const first = this.#view.getUint32(from, this.#little);
    const second = this.#view.getUint32(from + 4, this.#little);
    const high = this.#little ? second : first;
    if (high >= 0x20_0000) {
      throw new DamagedFile("A size or an address in the file is beyond 2^53.");
    }
    return high * 2 ** 32 + (this.#little ? first : second);
  }

  /** An unsigned integer of 1 to 8 bytes. */
  uint(size: number): number {
    if (size === 8) return this.u64();
    const from = this.#take(size);
    let value = 0;
    for (let i = 0; i < size; i++) {
      const byte = this.bytes[from + (this.#little ? size - 1 - i : i)] ?? 0;
      value = value * 256 + byte;
    }
    return value;
  }

  /** The next bytes, without a copy. */
  take8(count: number): Uint8Array {
    const from = this.#take(count);
    return this.bytes.subarray(from, from + count);
  }

  signature(expected: string): void {
    const found = LATIN1.decode(this.take8(expected.length));
    if (found !== expected) {
      throw new DamagedFile(`The file has no ${expected} structure where one should be.`);
    }
  }

  /** Text up to a NUL, which is skipped. */
  textToNul(): string {
    const end = this.bytes.indexOf(0, this.at);
    if (end < 0) throw new DamagedFile("A name in the file has no end.");
    const text = utf8(this.bytes.subarray(this.at, end));
    this.at = end + 1;
    return text;
  }
}
