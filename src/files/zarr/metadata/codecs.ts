/** Maps HDF5 filters to the zarr v2 codecs with which clients decode them. */
import type { Filter } from "../../netcdf/hdf5/messages.js";
import { FILTER } from "../../netcdf/render/filter-ids.js";

/** A codec of numcodecs by id, with the required parameters. */
export type Codec =
  | { readonly id: "shuffle"; readonly elementsize: number }
  | { readonly id: "zlib"; readonly level: number }
  | { readonly id: "zstd"; readonly level: number }
  | {
      readonly id: "blosc";
      readonly cname: string;
      readonly clevel: number;
      readonly shuffle: number;
      readonly blocksize: number;
    };

/** Codecs that let clients decode stored chunks. */
interface Passing {
  readonly codecs: readonly Codec[];
  /** Whether stored chunks end in a checksum, which is verified and removed. */
  readonly isChecked: boolean;
}

const COMPRESSORS: ReadonlySet<Codec["id"]> = new Set(["zlib", "zstd", "blosc"]);

/** Indexed by the filter's parameter. Index 3 is snappy, which no client's Blosc supports. */
const BLOSC_NAMES = ["blosclz", "lz4", "lz4hc", undefined, "zlib", "zstd"];

const within = (value: number | undefined, low: number, high: number, otherwise: number): number =>
  value !== undefined && value >= low && value <= high ? value : otherwise;

/**
 * The codecs with which stored chunks can be sent unchanged.
 *
 * Only those that every client supports: zarrita lacks fletcher32 and bz2. A checksum of the compressed bytes, as h5py
 * writes it, can be removed.
 *
 * @returns undefined if a filter has no codec, or one that would decode it differently
 */
export function codecsOf(
  filters: readonly Filter[],
  elementSize: number,
  bytes: number,
): Passing | undefined {
  const isChecked = filters.at(-1)?.id === FILTER.fletcher32;
  const codecs: Codec[] = [];
  for (const { id, parameters } of isChecked ? filters.slice(0, -1) : filters) {
    if (id === FILTER.shuffle) {
      const elementsize = parameters[0] ?? 0;
      if (elementsize === 1) continue;
      // zarrita uses the element's type, which compressed data do not have.
      if (elementsize !== elementSize || bytes % elementsize !== 0 || codecs.length > 0) {
        return undefined;
      }
      codecs.push({ id: "shuffle", elementsize });
    } else {
      const compressor = compressorOf(id, parameters);
      if (compressor === undefined) return undefined;
      codecs.push(compressor);
    }
  }
  return { codecs, isChecked };
}

function compressorOf(id: number, parameters: readonly number[]): Codec | undefined {
  switch (id) {
    case FILTER.deflate:
      return { id: "zlib", level: within(parameters[0], 0, 9, 4) };
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

/** The codecs as members of `.zarray`: a compressor at the end goes into `compressor`. */
export function codecMembers(codecs: readonly Codec[]): { filters: string; compressor: string } {
  const last = codecs.at(-1);
  const hasCompressor = last !== undefined && COMPRESSORS.has(last.id);
  const filters = hasCompressor ? codecs.slice(0, -1) : codecs;
  return {
    filters: filters.length === 0 ? "null" : JSON.stringify(filters),
    compressor: hasCompressor ? JSON.stringify(last) : "null",
  };
}
