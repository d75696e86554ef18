/** The facets of the current search, by the names that it uses. */
import { search } from "../address/address.js";
import { useOverview } from "./flavours.js";

/** Positions in every flavour's list; the first five facets are the same in all. */
const MODEL = 3;
const EXPERIMENT = 4;

/** Facets without values to choose from. */
const RANGES = ["time", "bbox", "user"];

export interface FacetNames {
  readonly flavour: string;
  readonly names: readonly string[];
  readonly model: string;
  readonly experiment: string;
}

/** @returns undefined until known; the failure if they cannot be loaded */
export function useFacetNames(): { readonly facets?: FacetNames; readonly failure?: Error } {
  const { value, failure } = useOverview();
  if (value === undefined) return failure === undefined ? {} : { failure };
  const { flavour = value.flavours[0] ?? "", pairs } = search.value;
  const isNative = pairs.some(([name, one]) => name === "translate" && /^(?:f|0|n|off)/i.test(one));
  const names = value.attributes[isNative ? "native" : flavour] ?? [];
  return {
    facets: {
      flavour,
      names: names.filter((name) => !RANGES.includes(name)),
      model: names[MODEL] ?? "",
      experiment: names[EXPERIMENT] ?? "",
    },
  };
}
