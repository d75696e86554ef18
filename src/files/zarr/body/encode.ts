/** Encodes values for the codecs of their array. */

import { promisify } from "node:util";
import { deflate, deflateSync } from "node:zlib";
import { shuffle } from "../../netcdf/render/shuffle.js";
import type { Codec } from "../metadata/codecs.js";

const deflating = promisify<Uint8Array, object, Buffer>(deflate);
/** The fastest: clients decode any level. */
const LEVEL = { level: 1 };

export function encode(values: Uint8Array, codecs: readonly Codec[]): Uint8Array {
  let data = values;
  for (const codec of codecs) data = apply(data, codec);
  return data;
}

/** As `encode`, and compresses beside the main thread. */
export async function encoded(values: Uint8Array, codecs: readonly Codec[]): Promise<Uint8Array> {
  let data = values;
  for (const codec of codecs)
    data = codec.id === "zlib" ? await deflating(data, LEVEL) : apply(data, codec);
  return data;
}

function apply(data: Uint8Array, codec: Codec): Uint8Array {
  switch (codec.id) {
    case "shuffle":
      return shuffle(data, codec.elementsize);
    case "zlib":
      return deflateSync(data, LEVEL);
    case "zstd":
      return zstdFrame(data);
    case "blosc":
      return bloscFrame(data);
  }
}

const ZSTD_BLOCK = 128 << 10;

/** A frame of raw blocks (RFC 8878, 3.1.1): valid Zstandard without a compressor. */
function zstdFrame(data: Uint8Array): Uint8Array {
  const blocks = Math.max(1, Math.ceil(data.length / ZSTD_BLOCK));
  const frame = new Uint8Array(9 + blocks * 3 + data.length);
  const view = new DataView(frame.buffer);
  view.setUint32(0, 0xfd2fb528, true);
  view.setUint8(4, 0xa0); // a single segment, with its size in four bytes
  view.setUint32(5, data.length, true);
  let at = 9;
  for (let block = 0; block < blocks; block++) {
    const piece = data.subarray(block * ZSTD_BLOCK, (block + 1) * ZSTD_BLOCK);
    const head = (piece.length << 3) | (block === blocks - 1 ? 1 : 0);
    view.setUint16(at, head & 0xffff, true);
    view.setUint8(at + 2, head >>> 16);
    frame.set(piece, at + 3);
    at += 3 + piece.length;
  }
  return frame;
}

const BLOSC_COPIED = 0x02;

/** A Blosc 1 buffer with uncompressed content (c-blosc, README_HEADER.rst). */
function bloscFrame(data: Uint8Array): Uint8Array {
  const frame = new Uint8Array(16 + data.length);
  const view = new DataView(frame.buffer);
  frame.set([2, 1, BLOSC_COPIED, 1]);
  view.setUint32(4, data.length, true);
  view.setUint32(8, data.length, true);
  view.setUint32(12, frame.length, true);
  frame.set(data, 16);
  return frame;
}
