import type { FileIdentity } from "../../netcdf/source/file-identity.js";
import type { Documents } from "../metadata/documents.js";

/** The metadata of a file: everything but its values. */
export interface FileIndex extends Documents {
  readonly identity: FileIdentity;
  readonly format: "NetCDF-3" | "NetCDF-4/HDF5";
}
