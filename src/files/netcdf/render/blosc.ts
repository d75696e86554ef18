/**
 * Decodes Blosc 1 buffers compressed by zlib, which the decoder library lacks.
 *
 * Source: c-blosc 1.21, README_CHUNK_FORMAT.rst and blosc/blosc.c (blosc_d), blosc/bitshuffle-generic.c.
 */
import { inflateSync } from "node:zlib";
import { DamagedFile } from "../errors.js";
import { unshuffle } from "./shuffle.js";

const HEADER = 16;
const FLAG = { shuffled: 0x01, copied: 0x02, bitShuffled: 0x04, whole: 0x10 } as const;
/** The code of zlib in the three highest bits of the flags. */
const ZLIB = 3;
/** Blocks are split by bytes of elements, except if there are more of these, or if the parts would be too small. */
const MAX_SPLITS = 16;
const MIN_PER_SPLIT = 128;

const damaged = (cause?: unknown): DamagedFile =>
  new DamagedFile("A chunk of the file cannot be uncompressed.", { cause });

export function decodeBloscZlib(frame: Uint8Array, max: number): Uint8Array {
  if (frame.length < HEADER) throw damaged();
  const view = new DataView(frame.buffer, frame.byteOffset, frame.length);
  const flags = view.getUint8(2);
  const typeSize = view.getUint8(3);
  const bytes = view.getUint32(4, true);
  const blockSize = view.getUint32(8, true);
  if (bytes > max || typeSize < 1 || view.getUint32(12, true) !== frame.length) throw damaged();
  if ((flags & FLAG.copied) !== 0) {
    if (frame.length !== HEADER + bytes) throw damaged();
    return frame.subarray(HEADER);
  }
  if (flags >> 5 !== ZLIB || (bytes > 0 && blockSize < 1)) throw damaged();
  const result = new Uint8Array(bytes);
  for (let from = 0, block = 0; from < bytes; from += blockSize, block++) {
    const length = Math.min(blockSize, bytes - from);
    const isSplit =
      (flags & FLAG.whole) === 0 &&
      length === blockSize &&
      typeSize <= MAX_SPLITS &&
      blockSize / typeSize >= MIN_PER_SPLIT;
    const start = HEADER + 4 * block;
    if (start + 4 > frame.length) throw damaged();
    const at = view.getUint32(start, true);
    const data = readBlock(view, frame, at, length, isSplit ? typeSize : 1);
    result.set(undoShuffle(data, flags, typeSize), from);
  }
  return result;
}

/** The pieces of a block, each after its length. Incompressible pieces are copied. */
function readBlock(
  view: DataView,
  frame: Uint8Array,
  start: number,
  length: number,
  pieces: number,
): Uint8Array {
  const block = new Uint8Array(length);
  const each = Math.floor(length / pieces);
  let at = start;
  for (let piece = 0; piece < pieces; piece++) {
    if (at + 4 > frame.length) throw damaged();
    const stored = view.getUint32(at, true);
    const data = frame.subarray(at + 4, at + 4 + stored);
    if (data.length !== stored) throw damaged();
    const values = stored === each ? data : inflate(data, each);
    if (values.length !== each) throw damaged();
    block.set(values, piece * each);
    at += 4 + stored;
  }
  return block;
}

/** @param max bytes: more are refused as a decompression bomb */
export function inflate(data: Uint8Array, max: number): Uint8Array {
  try {
    return inflateSync(data, { maxOutputLength: Math.max(1, max) });
  } catch (cause) {
    throw damaged(cause);
  }
}

function undoShuffle(data: Uint8Array, flags: number, typeSize: number): Uint8Array {
  if ((flags & FLAG.shuffled) !== 0) return unshuffle(data, typeSize);
  return (flags & FLAG.bitShuffled) === 0 ? data : unshuffleBits(data, typeSize);
}

/** Restores bit-shuffled elements. Blocks whose number of elements is no multiple of 8 are not shuffled. */
function unshuffleBits(data: Uint8Array, size: number): Uint8Array {
  const count = Math.floor(data.length / size);
  if (count % 8 !== 0) return data;
  const result = new Uint8Array(data.length);
  const row = count / 8;
  for (let bit = 0; bit < size * 8; bit++) {
    const [byte, place] = [bit >> 3, bit & 7];
    for (let i = 0; i < row; i++) {
      const bits = data[bit * row + i] ?? 0;
      for (let k = 0; bits >> k !== 0; k++) {
        const at = (8 * i + k) * size + byte;
        if (((bits >> k) & 1) !== 0) result[at] = (result[at] ?? 0) | (1 << place);
      }
    }
  }
  result.set(data.subarray(count * size), count * size);
  return result;
}
