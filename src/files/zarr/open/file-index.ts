import type { FileIdentity } from "../../netcdf/source/file-identity.js";
import type { Documents } from "../metadata/documents.js";

/** All that is known of a file before its values are read. */
export interface FileIndex extends Documents {
  readonly identity: FileIdentity;
  readonly format: "NetCDF-3" | "NetCDF-4/HDF5";
}
