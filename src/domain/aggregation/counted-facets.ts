/** Which facets a metadata search counts. Source: search-semantics, "Facets and flavours". */
import { InvalidParameters } from "../errors.js";
import { tagged } from "../search/lucene.js";
import {
  ALL,
  facetsByName,
  listedNames,
  type NamesInput,
  namingOf,
  standardFacets,
} from "../search/named-facets.js";
import type { FacetSearch, Search } from "../search/search.js";
import { COUNTABLE_DETAILS, DETAILS, isDetail } from "../vocabulary/details.js";
import { type CountedField, FACET_NAMES } from "../vocabulary/facets.js";
import { unknownName } from "../vocabulary/unknown-name.js";

interface CountedFacetsInput extends NamesInput {
  readonly query: NamesInput["query"] & { readonly facets?: readonly string[] | undefined };
}

/**
 * The facets to count, in the order of facets.
 *
 * @throws InvalidParameters that names every unknown facet
 */
export function countedFacets(input: CountedFacetsInput): CountedField[] {
  const standard = standardFacets(input);
  const names = listedNames(input.query.facets);
  if (names.length === 0) return standard;
  const facets = facetsByName(input);
  const chosen = new Set<CountedField>();
  const unknown: string[] = [];
  for (const name of names) {
    const known = facets.get(name) ?? COUNTABLE_DETAILS.find((one) => one === name);
    if (known) chosen.add(known);
    else if (ALL.has(name)) for (const each of standard) chosen.add(each);
    else unknown.push(name);
  }
  if (unknown.length > 0) {
    const known = [...facets.keys(), ...COUNTABLE_DETAILS];
    const naming = namingOf(input);
    throw new InvalidParameters(
      unknown.map((name, before) => ({
        name: "facets",
        in: "query",
        reason: `${JSON.stringify(name)} ${uncountable(name) ?? unknownName(name, naming, known, before)}`,
      })),
    );
  }
  const order: readonly CountedField[] = [...FACET_NAMES, "version", ...COUNTABLE_DETAILS];
  return order.filter((field) => chosen.has(field));
}

/** Why a detail cannot be counted, as a predicate; undefined for names that are not details. */
function uncountable(name: string): string | undefined {
  if (!isDetail(name)) return undefined;
  return DETAILS[name].kind === "text"
    ? "cannot be counted: nearly every file or dataset has its own value"
    : "cannot be counted: it is a range without discrete values";
}

/** A search whose facets are counted as if they were not restricted themselves, so each shows its alternatives. */
export interface FacetCountSearch extends Search {
  /** By native facet name: the tags of its own filters, which its counts leave out. */
  readonly ownTags: ReadonlyMap<string, readonly string[]>;
}

export function facetCountSearch({ base, constraints }: FacetSearch): FacetCountSearch {
  const ownTags = new Map<string, string[]>();
  const filters = constraints.map(({ native, filter }, index) => {
    const tag = `c${index}`;
    ownTags.set(native, [...(ownTags.get(native) ?? []), tag]);
    return tagged(tag, filter);
  });
  return { filters: [...base, ...filters], ownTags };
}
