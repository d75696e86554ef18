/**
 * What is asked about a search that finds too little: what each of its constraints takes away, which of them exclude
 * everything together, and which values there are for the others.
 *
 * All of it is one request: each filter has a tag, and each number is counted without those that it names (Solr
 * Reference Guide, "Tagging and Excluding Filters").
 */

import { anyOf, exactly, literal, tagged, unshared } from "../search/lucene.js";
import type { Constraint, FacetSearch } from "../search/search.js";
import { nearClause } from "../search/similar-clause.js";
import { MAX_KNOWN } from "../text/similar-values.js";
import { COUNTABLE_DETAILS, isDetail } from "../vocabulary/details.js";
import { FACET_NAMES } from "../vocabulary/facets.js";
import { type AskedSet, setFacets, smallSets, type Tagged } from "./excluding-sets.js";
import { eachValue, type FacetTree } from "./facet-request.js";

/** Values of a search that are looked at one by one. */
const MAX_VALUES = 50;
/** Of these, values near which Solr looks for others: it goes through all terms of a field for each. */
const MAX_SOUGHT = 20;
/** With more values a question takes longer than a search. */
const MAX_LIGHT = 5;
/** Values of the documents that Solr itself finds to have near ones, the most frequent. */
const MAX_FOUND = 200;

/** One value of a constraint, and the names of the facets that tell of it. */
export interface AskedValue {
  readonly value: string;
  /** Without wildcards. */
  readonly literal: string | undefined;
  /** How many documents have it that the other constraints let through. */
  readonly count: string;
  /** Values among which Solr finds near ones, if it is asked to; and variables that are called so in words. */
  readonly found: string;
  readonly isSought: boolean;
  readonly named: string;
}

export interface AskedConstraint extends Constraint, Tagged {
  /** Names of facets: what is found without it, and the most frequent values that there are then. */
  readonly without: string;
  readonly known: string;
  readonly asked: readonly AskedValue[];
}

export interface WhyQuestion extends Pick<FacetSearch, "collection" | "filters"> {
  readonly isHeavy: boolean;
  readonly facets: FacetTree;
  readonly constraints: readonly AskedConstraint[];
  /** Smaller ones first. */
  readonly sets: readonly AskedSet<AskedConstraint>[];
}

const FACET_LIKE: ReadonlySet<string> = new Set([...FACET_NAMES, "version"]);
/** Fields with so few values, as a rule, that they can be looked through. */
const COUNTED: ReadonlySet<string> = new Set([...FACET_LIKE, ...COUNTABLE_DETAILS]);

/** Whether values of a field are told. @param field undefined for names of users, among others */
const isTold = (field: string | undefined): field is string =>
  field !== undefined && (FACET_LIKE.has(field) || isDetail(field));

/** Holds for what is called so by a standard or a long name, however its words are joined. */
function calledSo(text: string): string {
  const [joined, spaced] = [text.replaceAll(" ", "_"), text.replaceAll("_", " ")];
  return anyOf([exactly("standard_name", joined), exactly("long_name", spaced)]);
}

/** What is asked of Solr about a search. */
export function whyQuestion({ collection, base, constraints: given }: FacetSearch): WhyQuestion {
  let left = MAX_VALUES;
  let sought = 0;
  const constraints = given.map((constraint, index): AskedConstraint => {
    const tag = `c${index}`;
    const { included, field, values } = constraint;
    const looked = included && field !== undefined ? values.slice(0, left) : [];
    left -= looked.length;
    const asked = looked.map((value, i): AskedValue => {
      const names = {
        count: `${tag}_${i}`,
        found: `found_${tag}_${i}`,
        named: `named_${tag}_${i}`,
      };
      const isSought = sought++ < MAX_SOUGHT;
      return { value, literal: literal(value), isSought, ...names };
    });
    return { ...constraint, tag, asked, without: `without_${tag}`, known: `known_${tag}` };
  });
  const sets = smallSets(constraints);
  const facets = [setFacets(sets, constraints), ...constraints.map(facetsOf)];
  return {
    isHeavy: sought > MAX_LIGHT,
    collection,
    filters: [...base, ...constraints.map(({ tag, filter }) => tagged(tag, filter))],
    facets: Object.assign({}, ...facets),
    ...{ constraints, sets },
  };
}

/** What is asked about a constraint: all of it is counted among what the other ones let through. */
function facetsOf({ tag, field, clauses, asked, ...names }: AskedConstraint): FacetTree {
  const domain = { excludeTags: tag };
  // Kept, what is asked about values would push out filters of searches.
  const having = (clause: string, facet?: FacetTree): FacetTree[string] => ({
    ...{ type: "query", q: unshared(clause), domain },
    ...(facet && { facet }),
  });
  const facets: Record<string, FacetTree[string]> = {
    [names.without]: { type: "query", q: "*:*", domain },
  };
  for (const [index, { literal, isSought, count, found, named }] of asked.entries()) {
    facets[count] = having(clauses[index] ?? "");
    if (literal === undefined || !isTold(field)) continue;
    const near = isSought ? nearClause(field, literal) : undefined;
    const values = { of: { ...eachValue(field), limit: MAX_FOUND } };
    if (near !== undefined) facets[found] = having(near, values);
    if (field === "variable") facets[named] = having(calledSo(literal), values);
  }
  if (asked.length > 0 && isTold(field) && COUNTED.has(field)) {
    facets[names.known] = { ...eachValue(field), limit: MAX_KNOWN, domain };
  }
  return facets;
}

/** How many documents have a value, in any spelling, of those that all constraints but its own let through. */
export const valueFacet = (
  { tag, field = "" }: Pick<AskedConstraint, "tag" | "field">,
  value: string,
): FacetTree[string] => ({
  ...{ type: "query", q: unshared(exactly(field, value)) },
  domain: { excludeTags: tag },
});
