/** Splits and joins keys of a zarr store. */

export { joinPath as joinKey } from "../../netcdf/paths.js";

/** The last name of a key. */
export const nameOf = (key: string): string => key.slice(key.lastIndexOf("/") + 1);

/** A key without its last name. */
export const parentOf = (key: string): string => key.slice(0, Math.max(0, key.lastIndexOf("/")));

/** The attribute with the names of an array's dimensions, in zarr v2. */
export const DIMENSIONS = "_ARRAY_DIMENSIONS";

/** The group attribute that lists omitted members, one sentence each. */
export const LEFT_OUT = "_left_out";
