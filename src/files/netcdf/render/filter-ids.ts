/** Filters of HDF5 by their registered numbers (HDF Group, "Registered Filter Plugins"), as far as they are undone here. */
import type { Filter } from "../hdf5/messages.js";

export const FILTER = {
  deflate: 1,
  shuffle: 2,
  fletcher32: 3,
  blosc: 32001,
  zstd: 32015,
  blosc2: 32026,
} as const;

/** What compresses within Blosc, of either version, as the filter's parameters tell it. */
export function bloscCompressor({ parameters }: Filter): "snappy" | "zlib" | "another" {
  const number = parameters[6] ?? 0;
  return number === 3 ? "snappy" : number === 4 ? "zlib" : "another";
}
