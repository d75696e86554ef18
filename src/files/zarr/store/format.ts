/** What makes a folder a zarr store. */

export type StoreFormat = "zarr v2" | "zarr v3";

/** Names that zarr v2 has in a folder that is a store: of a group, an array, or consolidated metadata. */
const VERSION_2 = [".zgroup", ".zarray", ".zmetadata"];
const VERSION_3 = "zarr.json";

/** Names by one of which a folder is a store. */
export const STORE_MARKS: readonly string[] = [VERSION_3, ...VERSION_2];

/** What store a folder is, by the names in it; undefined: none. */
export function storeFormat(names: readonly string[]): StoreFormat | undefined {
  if (names.includes(VERSION_3)) return "zarr v3";
  return VERSION_2.some((name) => names.includes(name)) ? "zarr v2" : undefined;
}
