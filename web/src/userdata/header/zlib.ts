/** What the reader of NetCDF and HDF5 takes of node:zlib, for browsers, which undo no such stream at once. */
import { unzlibSync, zlibSync } from "fflate";

/** @throws where it is no such stream; what is longer than allowed is cut off, and does not fit its chunk then */
export const inflateSync = (
  data: Uint8Array,
  { maxOutputLength }: { readonly maxOutputLength: number },
): Uint8Array => unzlibSync(data, { out: new Uint8Array(maxOutputLength) });

/** Nothing is written here; it stands for completeness. */
export const deflateSync = (data: Uint8Array, options: { readonly level: 1 }): Uint8Array =>
  zlibSync(data, options);
