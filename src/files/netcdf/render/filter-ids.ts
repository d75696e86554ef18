/** Registered numbers of the HDF5 filters implemented here (HDF Group, "Registered Filter Plugins"). */
import type { Filter } from "../hdf5/messages.js";

export const FILTER = {
  deflate: 1,
  shuffle: 2,
  fletcher32: 3,
  blosc: 32001,
  zstd: 32015,
  blosc2: 32026,
} as const;

/** The compressor inside Blosc, of either version, from the filter's parameters. */
export function bloscCompressor({ parameters }: Filter): "snappy" | "zlib" | "another" {
  const number = parameters[6] ?? 0;
  return number === 3 ? "snappy" : number === 4 ? "zlib" : "another";
}
