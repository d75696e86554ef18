/** HDF5 filters -> the codecs of zarr v2 that undo them on the client's side. */
import type { Filter } from "../../netcdf/hdf5/messages.js";
import { FILTER } from "../../netcdf/render/filter-ids.js";

/** A codec of numcodecs by its id, with the parameters its configuration needs. */
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

/** Codecs under which stored chunks can be sent. */
export interface Passing {
  readonly codecs: readonly Codec[];
  /** Whether a checksum follows each stored chunk: it is verified here, and not sent. */
  readonly isChecked: boolean;
}

const COMPRESSORS: ReadonlySet<Codec["id"]> = new Set(["zlib", "zstd", "blosc"]);

/** By their numbers among the filter's parameters; no client's Blosc is built with snappy, which would be 3. */
const BLOSC_NAMES = ["blosclz", "lz4", "lz4hc", undefined, "zlib", "zstd"];

const within = (value: number | undefined, low: number, high: number, otherwise: number): number =>
  value !== undefined && value >= low && value <= high ? value : otherwise;

/**
 * The codecs under which stored chunks can be sent as they lie in the file.
 *
 * Only those that every client has: zarrita knows neither fletcher32 nor bz2. A checksum that was
 * taken of the compressed bytes, as h5py does, can be cut off.
 *
 * @param elementSize bytes of an element
 * @param bytes of a whole chunk, decoded
 * @returns undefined when a filter has no counterpart, or has one that would not undo it
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
      // zarrita goes by the element's type, and what was compressed before has none.
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
