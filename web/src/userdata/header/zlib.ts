/** node:zlib for the reader of NetCDF and HDF5 in browsers, which have no synchronous zlib. */
import { unzlibSync, zlibSync } from "fflate";

/** @throws if the stream is invalid; cuts off what exceeds the limit, which then does not fit its chunk */
export const inflateSync = (
  data: Uint8Array,
  { maxOutputLength }: { readonly maxOutputLength: number },
): Uint8Array => unzlibSync(data, { out: new Uint8Array(maxOutputLength) });

/** Unused here; the type requires it. */
export const deflateSync = (data: Uint8Array, options: { readonly level: 1 }): Uint8Array =>
  zlibSync(data, options);
