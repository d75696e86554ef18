import type { Search } from "../address/address.js";

/** The two constraints that are no facets. */
export type Kind = "time" | "bbox";

/** A search without its period, or without its region: what there is to choose from. */
export const without = (pairs: Search["pairs"], kind: Kind): Search["pairs"] =>
  pairs.filter(([name]) => ![kind, `${kind}_select`].includes(name.replace("-", "_")));
