import type { Search } from "../address/address.js";

export type Kind = "time" | "bbox";

/** A search without its period or region. */
export const without = (pairs: Search["pairs"], kind: Kind): Search["pairs"] =>
  pairs.filter(([name]) => ![kind, `${kind}_select`].includes(name.replace("-", "_")));
