/** Keys of a zarr store: the paths of groups and variables, and the names below them. */

export { joinPath as joinKey } from "../../netcdf/paths.js";

/** The last name of a key. */
export const nameOf = (key: string): string => key.slice(key.lastIndexOf("/") + 1);

/** A key without its last name. */
export const parentOf = (key: string): string => key.slice(0, Math.max(0, key.lastIndexOf("/")));

/** The attribute of a group that names what of it is not served, one sentence each. */
export const LEFT_OUT = "_left_out";
