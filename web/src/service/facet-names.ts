/** The facets of the current search, by the names that it uses. */
import { search } from "../address/address.js";
import { useFlavour, useOverview } from "./flavours.js";

/** The first facets of every flavour's list, which are the same in all, by their native names. */
const FIRST = [
  ...(["project", "product", "institute", "model", "experiment"] as const),
  ...(["time_frequency", "realm", "variable", "ensemble"] as const),
];

/** Names in a flavour by native names. */
export type FirstNames = Readonly<Record<(typeof FIRST)[number], string>>;

/** Facets without values to choose from. */
const RANGES = ["time", "bbox", "user"];

export interface FacetNames {
  readonly flavour: string;
  readonly names: readonly string[];
  readonly first: FirstNames;
}

/** @returns undefined until known; the failure if they cannot be loaded */
export function useFacetNames(): { readonly facets?: FacetNames; readonly failure?: Error } {
  const { value, failure } = useOverview();
  const flavour = useFlavour();
  if (value === undefined || flavour === undefined) return failure === undefined ? {} : { failure };
  const { pairs } = search.value;
  const isNative = pairs.some(([name, one]) => name === "translate" && /^(?:f|0|n|off)/i.test(one));
  const names = value.attributes[isNative ? "native" : flavour] ?? [];
  const first = Object.fromEntries(
    FIRST.map((native, place) => [native, names[place] ?? ""]),
  ) as FirstNames;
  return { facets: { flavour, first, names: names.filter((name) => !RANGES.includes(name)) } };
}
