/** Recognises zarr stores by the names in a folder. */

export type StoreFormat = "zarr v2" | "zarr v3";

/** Names that mark a zarr v2 store: a group, an array, or consolidated metadata. */
const VERSION_2 = [".zgroup", ".zarray", ".zmetadata"];
const VERSION_3 = "zarr.json";

/** Names that mark a store. */
export const STORE_MARKS: readonly string[] = [VERSION_3, ...VERSION_2];

/** The format of a store by the names in its folder; undefined if it is none. */
export function storeFormat(names: readonly string[]): StoreFormat | undefined {
  if (names.includes(VERSION_3)) return "zarr v3";
  return VERSION_2.some((name) => names.includes(name)) ? "zarr v2" : undefined;
}
