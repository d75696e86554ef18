/** The public interface of this library for reading NetCDF and HDF5 files; see README.md. */
export { asReadingError, ReadingError } from "./errors.js";
export type { ReaderLimits } from "./file-reader.js";
export type {
  Attribute,
  AttributeValue,
  ElementType,
  Group,
  LeftOut,
  Storage,
  Variable,
} from "./model.js";
export { decodeNumber } from "./numbers.js";
export { type Hdf5Decoder, loadHdf5Decoder } from "./render/hdf5-decoder.js";
export type { Box } from "./render/region.js";
export { readValues } from "./render/values.js";
export type { FileIdentity } from "./source/file-identity.js";
export { Source } from "./source/source.js";
