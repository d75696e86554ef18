/** What a metadata search tells -> the facets, as people choose in them. Pure. */
import type { components } from "../../../generated/openapi.js";

export interface FacetValue {
  /** In lower case. */
  readonly value: string;
  /** How many files there would be with it. */
  readonly count: number;
}

export interface Facet {
  /** By which all flavours know it. */
  readonly native: string;
  readonly name: string;
  readonly isPrimary: boolean;
  readonly values: readonly FacetValue[];
}

type Counted = components["schemas"]["MetadataSearchResult"];

/** Those with the most files first: what most people look for is in sight. */
const byCount = (a: FacetValue, b: FacetValue): number =>
  b.count - a.count || (a.value < b.value ? -1 : 1);

/** In the order of the answer. */
export function facetsOf({ facets, facet_mapping, primary_facets }: Counted): Facet[] {
  const natives = new Map(Object.entries(facet_mapping).map(([native, name]) => [name, native]));
  // With `translate=false` the names are the native ones, and the mapping says what they are called elsewhere.
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
