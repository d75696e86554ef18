/** HDF5 filters -> the codecs of zarr v2 that undo them on the client's side. */
import type { Filter } from "./hdf5/messages.js";

export const FILTER = {
  deflate: 1,
  shuffle: 2,
  fletcher32: 3,
  bzip2: 307,
  blosc: 32001,
  zstd: 32015,
} as const;

/** A codec of numcodecs by its id, with the parameters its configuration needs. */
export type Codec =
  | { readonly id: "shuffle"; readonly elementsize: number }
  | { readonly id: "fletcher32" }
  | { readonly id: "zlib"; readonly level: number }
  | { readonly id: "bz2"; readonly level: number }
  | { readonly id: "zstd"; readonly level: number }
  | {
      readonly id: "blosc";
      readonly cname: string;
      readonly clevel: number;
      readonly shuffle: number;
      readonly blocksize: number;
    };

/** Whether chunks can be made for these codecs; those of bz2 are only passed through. */
export function canEncode(codecs: readonly Codec[]): boolean {
  return codecs.every(({ id }) => id !== "bz2");
}

const COMPRESSORS: ReadonlySet<Codec["id"]> = new Set(["zlib", "bz2", "zstd", "blosc"]);

const BLOSC_NAMES = ["blosclz", "lz4", "lz4hc", "snappy", "zlib", "zstd"];

const within = (value: number | undefined, low: number, high: number, otherwise: number): number =>
  value !== undefined && value >= low && value <= high ? value : otherwise;

/**
 * The codecs under which stored chunks can be sent as they lie in the file.
 *
 * @param bytes of a whole chunk, decoded
 * @returns undefined when a filter has no counterpart, or has one that would not undo it
 */
export function codecsOf(filters: readonly Filter[], bytes: number): Codec[] | undefined {
  const codecs: Codec[] = [];
  // Bytes after each filter; undefined once a compressor made them unforeseeable.
  let length: number | undefined = bytes;
  for (const { id, parameters } of filters) {
    if (id === FILTER.shuffle) {
      const elementsize = parameters[0] ?? 0;
      if (elementsize === 1) continue;
      // numcodecs' shuffle wants whole elements. After fletcher32's four bytes, which netCDF-4 puts
      // first, those of eight bytes are not; HDF5 lets the rest be.
      if (elementsize < 1 || length === undefined || length % elementsize !== 0) return undefined;
      codecs.push({ id: "shuffle", elementsize });
    } else if (id === FILTER.fletcher32) {
      codecs.push({ id: "fletcher32" });
      if (length !== undefined) length += 4;
    } else {
      const compressor = compressorOf(id, parameters);
      if (compressor === undefined) return undefined;
      codecs.push(compressor);
      length = undefined;
    }
  }
  return codecs;
}

function compressorOf(id: number, parameters: readonly number[]): Codec | undefined {
  switch (id) {
    case FILTER.deflate:
      return { id: "zlib", level: within(parameters[0], 0, 9, 4) };
    case FILTER.bzip2:
      return { id: "bz2", level: within(parameters[0], 1, 9, 9) };
    case FILTER.zstd:
      return { id: "zstd", level: within(parameters[0], 1, 22, 3) };
    case FILTER.blosc: {
      const cname = BLOSC_NAMES[parameters[6] ?? 0];
      if (cname === undefined) return undefined;
      const clevel = within(parameters[4], 0, 9, 5);
      return { id: "blosc", cname, clevel, shuffle: within(parameters[5], 0, 2, 1), blocksize: 0 };
    }
    default:
      return undefined;
  }
}

/** Codecs as `.zarray` has them: the last one, where it compresses, as compressor. */
export function codecMembers(codecs: readonly Codec[]): { filters: string; compressor: string } {
  const last = codecs.at(-1);
  const hasCompressor = last !== undefined && COMPRESSORS.has(last.id);
  const filters = hasCompressor ? codecs.slice(0, -1) : codecs;
  return {
    filters: filters.length === 0 ? "null" : JSON.stringify(filters),
    compressor: hasCompressor ? JSON.stringify(last) : "null",
  };
}
