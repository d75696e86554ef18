import type { components } from "../../../../generated/openapi.js";
import type { UnknownValue } from "../../../domain/errors.js";
import { type Flavour, primaryFacets, translation } from "../../../domain/vocabulary/flavours.js";
import type { FacetCounts } from "../../../index/query/facets.js";

type MetadataSearchResult = components["schemas"]["MetadataSearchResult"];

interface Remarks {
  readonly unknown?: readonly UnknownValue[] | undefined;
  readonly why?: string | undefined;
}

/**
 * Formats facet counts as the answer of a metadata search: values sorted, counts as strings.
 *
 * @param unknown values that no entry has; left out if not known
 * @param why address that explains why nothing is found
 */
export function facetSummary(
  { total, counts, known }: FacetCounts,
  flavour: Flavour,
  translate: boolean,
  { unknown, why }: Remarks,
): MetadataSearchResult {
  const output = translation(flavour, translate);
  const ofFlavour = translation(flavour);
  const fields = [...counts.keys()];
  return {
    total_count: total,
    facets: Object.fromEntries(
      [...counts].map(([facet, values]) => [output.name(facet), flatten(values)]),
    ),
    facet_mapping: Object.fromEntries(fields.map((facet) => [facet, ofFlavour.name(facet)])),
    ...(known.size > 0 && { known_files: Object.fromEntries(known) }),
    primary_facets: primaryFacets(flavour).map(output.name),
    ...(unknown && {
      unknown_values: unknown.map(({ name, value, near }) => ({ name, value, near: [...near] })),
    }),
    ...(why !== undefined && { links: { why } }),
  };
}

function flatten(values: ReadonlyMap<string, number>): string[] {
  // By code unit, independent of the locale.
  const sorted = [...values].sort(([a], [b]) => (a < b ? -1 : 1));
  return sorted.flatMap(([value, count]) => [value, String(count)]);
}
