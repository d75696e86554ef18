/** The answer of a metadata search -> the facets shown. Pure. */
import type { components } from "../../../generated/openapi.js";

export interface FacetValue {
  /** In lower case. */
  readonly value: string;
  /** Files that the search would find with it. */
  readonly count: number;
}

export interface Facet {
  /** The name that all flavours share. */
  readonly native: string;
  readonly name: string;
  readonly isPrimary: boolean;
  readonly values: readonly FacetValue[];
}

type Counted = components["schemas"]["MetadataSearchResult"];

/** Most files first. */
const byCount = (a: FacetValue, b: FacetValue): number =>
  b.count - a.count || (a.value < b.value ? -1 : 1);

/** In the order of the answer. */
export function facetsOf({ facets, facet_mapping, primary_facets }: Counted): Facet[] {
  const natives = new Map(Object.entries(facet_mapping).map(([native, name]) => [name, native]));
  // With `translate=false`, names are native, but the mapping still has the flavour's names.
  const isTranslated = Object.keys(facets).every((name) => natives.has(name));
  return Object.entries(facets).map(([name, list]) => ({
    native: isTranslated ? (natives.get(name) ?? name) : name,
    name,
    isPrimary: primary_facets.includes(name),
    values: list
      .flatMap((value, index) =>
        index % 2 === 0 ? [{ value, count: Number(list[index + 1]) }] : [],
      )
      .sort(byCount),
  }));
}
