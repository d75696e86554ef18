import type { components } from "../../../../generated/openapi.js";
import type { UnknownValue } from "../../../domain/errors.js";
import { type Flavour, primaryFacets, translation } from "../../../domain/vocabulary/flavours.js";
import type { FacetCounts } from "../../../index/query/facets.js";

type MetadataSearchResult = components["schemas"]["MetadataSearchResult"];

const MAX_VALUES = 10_000;

interface Remarks {
  /** The address of the values of a facet after one. */
  readonly nextValues: (facet: string, after: string) => string;
  /** Values up to this one are left out. */
  readonly valuesAfter?: string | undefined;
  readonly unknown?: readonly UnknownValue[] | undefined;
  readonly why?: string | undefined;
}

/**
 * Formats facet counts as the answer of a metadata search: values sorted, at most MAX_VALUES of a facet; counts as strings.
 */
export function facetSummary(
  { total, counts, known }: FacetCounts,
  flavour: Flavour,
  translate: boolean,
  { unknown, why, nextValues, valuesAfter }: Remarks,
): MetadataSearchResult {
  const output = translation(flavour, translate);
  const ofFlavour = translation(flavour);
  const fields = [...counts.keys()];
  const more: NonNullable<MetadataSearchResult["more_values"]> = {};
  const facets = [...counts].map(([facet, values]) => {
    const name = output.name(facet);
    const { flat, last } = shownValues(values, valuesAfter);
    if (last !== undefined) more[name] = { count: values.size, next: nextValues(name, last) };
    return [name, flat] as const;
  });
  return {
    total_count: total,
    facets: Object.fromEntries(facets),
    facet_mapping: Object.fromEntries(fields.map((facet) => [facet, ofFlavour.name(facet)])),
    ...(known.size > 0 && { known_files: Object.fromEntries(known) }),
    primary_facets: primaryFacets(flavour).map(output.name),
    ...(Object.keys(more).length > 0 && { more_values: more }),
    ...(unknown && {
      unknown_values: unknown.map(({ name, value, near }) => ({ name, value, near: [...near] })),
    }),
    ...(why !== undefined && { links: { why } }),
  };
}

/** @param values sorted @returns the values that are shown, each with its count; the last of them if there are more */
function shownValues(
  values: ReadonlyMap<string, number>,
  after: string | undefined,
): { readonly flat: string[]; readonly last?: string } {
  const flat: string[] = [];
  for (const [value, count] of values) {
    if (after !== undefined && value <= after) continue;
    const last = flat.at(-2);
    if (flat.length === 2 * MAX_VALUES && last !== undefined) return { flat, last };
    flat.push(value, String(count));
  }
  return { flat };
}
