/** Converts stored elements to the variable's type. */

import { TooLarge } from "../errors.js";
import type { IntegerType } from "../hdf5/datatype.js";
import type { GlobalHeaps } from "../hdf5/structures/global-heap.js";
import type { StoredElement, Variable } from "../model.js";
import { readInteger } from "../netcdf4/attributes.js";
import { encodeNumber } from "../numbers.js";
import { Cursor, upToNul } from "../source/cursor.js";

export function convert(
  data: Uint8Array,
  { stored, type }: Variable,
  heaps: GlobalHeaps | undefined,
): Uint8Array {
  switch (stored.kind) {
    case "as-is":
      return data;
    case "packed":
      return pack(data, stored);
    case "integer":
      return type.kind === "plain" ? widen(data, stored, type.dtype) : data;
    case "fixed-text":
      return texts(data, stored.size, (bytes) => fixedText(bytes, stored.padding));
    case "vlen-text":
      return texts(data, stored.size, (bytes) => {
        if (heaps === undefined) return bytes.subarray(0, 0);
        return upToNul(heaps.resolve(new Cursor(bytes), 1));
      });
  }
}

function pack(
  data: Uint8Array,
  { size, pieces }: Extract<StoredElement, { kind: "packed" }>,
): Uint8Array {
  const packed = pieces.reduce((sum, { length }) => sum + length, 0);
  const count = Math.floor(data.length / size);
  const result = new Uint8Array(count * packed);
  let to = 0;
  for (let i = 0; i < count; i++) {
    for (const { from, length } of pieces) {
      result.set(data.subarray(i * size + from, i * size + from + length), to);
      to += length;
    }
  }
  return result;
}

function widen(data: Uint8Array, stored: IntegerType, dtype: string): Uint8Array {
  const size = Number(dtype.slice(2));
  const count = Math.floor(data.length / stored.size);
  const result = new Uint8Array(count * size);
  for (let i = 0; i < count; i++) {
    const value = readInteger(data.subarray(i * stored.size, (i + 1) * stored.size), stored);
    const bytes = encodeNumber(dtype, value);
    if (bytes !== undefined) result.set(bytes, i * size);
  }
  return result;
}

/** Trailing spaces are kept, as in netCDF-C. */
function fixedText(bytes: Uint8Array, padding: string): Uint8Array {
  if (padding === "space") return bytes;
  if (padding === "nul-terminated") return upToNul(bytes);
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) end -= 1;
  return bytes.subarray(0, end);
}

const MAX_TEXTS = 1 << 28;

function texts(
  data: Uint8Array,
  size: number,
  read: (element: Uint8Array) => Uint8Array,
): Uint8Array {
  const count = Math.floor(data.length / size);
  const pieces: Uint8Array[] = [];
  let total = 4;
  for (let i = 0; i < count; i++) {
    const text = validUtf8(read(data.subarray(i * size, (i + 1) * size)));
    total += 4 + text.length;
    if (total > MAX_TEXTS) throw new TooLarge("The texts of a chunk are too long.");
    pieces.push(text);
  }
  return vlenUtf8(pieces);
}

/** Texts as numcodecs' vlen-utf8 stores them: their number, then the length and bytes of each. */
export function vlenUtf8(pieces: readonly Uint8Array[]): Uint8Array {
  const total = pieces.reduce((sum, { length }) => sum + 4 + length, 4);
  const result = new Uint8Array(total);
  const view = new DataView(result.buffer);
  view.setUint32(0, pieces.length, true);
  let at = 4;
  for (const text of pieces) {
    view.setUint32(at, text.length, true);
    result.set(text, at + 4);
    at += 4 + text.length;
  }
  return result;
}

/** Replaces invalid UTF-8 by U+FFFD, because clients would fail on the whole chunk. */
function validUtf8(bytes: Uint8Array): Uint8Array {
  if (bytes.every((byte) => byte < 0x80)) return bytes;
  return new TextEncoder().encode(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes));
}
