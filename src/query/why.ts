/**
 * What is asked about a search that finds too little: what each of its constraints takes away, which of them exclude
 * everything together, and which values there are for the others.
 *
 * All of it is one request: each filter has a tag, and each number is counted without those that it names (Solr
 * Reference Guide, "Tagging and Excluding Filters").
 */
import { COUNTABLE_DETAILS } from "../vocabulary/details.js";
import { FACET_NAMES } from "../vocabulary/facets.js";
import { eachValue, type FacetTree, type TermsFacet } from "./facet-tree.js";
import { anyOf, exactly, literal, tagged } from "./lucene.js";
import type { Constraint, FacetSearch } from "./search.js";

/** Values of a search that are looked at one by one. */
const MAX_VALUES = 50;
/** Up to so many constraints every set of them is looked at, of more only small ones. */
const MAX_THOROUGH = 8;
const SMALL = 3;

/** One value of a constraint, and where the answer has it. */
export interface AskedValue {
  readonly value: string;
  /** Without wildcards. */
  readonly literal: string | undefined;
  /** Names of facets: its documents among the rest, and the variables that are called so in words. */
  readonly count: string;
  readonly named: string | undefined;
}

export interface AskedConstraint extends Constraint {
  /** Names of facets: what is found without it, and which values there are then. */
  readonly without: string;
  readonly asked: readonly AskedValue[];
  readonly known: string | undefined;
}

/** Constraints that are counted together, alone of all, and the facet that does so; smaller sets first. */
export interface AskedSet {
  readonly members: readonly AskedConstraint[];
  readonly count: string;
}

export interface WhyQuestion {
  readonly collection: FacetSearch["collection"];
  readonly filters: readonly string[];
  readonly facets: FacetTree;
  readonly constraints: readonly AskedConstraint[];
  readonly sets: readonly AskedSet[];
}

const isCounted = (field: string): boolean =>
  field === "version" ||
  [...FACET_NAMES, ...COUNTABLE_DETAILS].some((name) => name === field && name !== "user");

/** Holds for what is called so by a standard or a long name, however its words are joined. */
function calledSo(text: string): string {
  const [joined, spaced] = [text.replaceAll(" ", "_"), text.replaceAll("_", " ")];
  return anyOf([exactly("standard_name", joined), exactly("long_name", spaced)]);
}

/** Sets of so many, as the places of their members. */
function* choices(from: number, count: number, size: number): Generator<number[]> {
  if (size === 0) yield [];
  else {
    for (let first = from; first <= count - size; first++) {
      for (const rest of choices(first + 1, count, size - 1)) yield [first, ...rest];
    }
  }
}

/** What is asked of Solr about a search. */
export function whyQuestion({ collection, base, constraints: given }: FacetSearch): WhyQuestion {
  const facets: Record<string, FacetTree[string]> = {};
  const tags = given.map((_, index) => `c${index}`);
  const all = { type: "query", q: "*:*" } as const;
  let left = MAX_VALUES;
  const constraints = given.map((constraint, index): AskedConstraint => {
    const tag = tags[index] ?? "";
    const domain = { excludeTags: [tag] };
    const { field, included, clauses } = constraint;
    facets[`without_${tag}`] = { ...all, domain };
    const isNear = included && field !== undefined;
    const values = isNear ? constraint.values.slice(0, left) : [];
    left -= values.length;
    const asked = values.map((value, i): AskedValue => {
      const [count, named] = [`${tag}_${i}`, `named_${tag}_${i}`];
      const text = literal(value);
      facets[count] = { type: "query", q: clauses[i] ?? "", domain };
      if (field !== "variable" || text === undefined) {
        return { value, literal: text, count, named: undefined };
      }
      facets[named] = { type: "query", q: calledSo(text), domain, facet: { of: eachValue(field) } };
      return { value, literal: text, count, named };
    });
    const known = isNear && isCounted(field) ? `known_${tag}` : undefined;
    if (known !== undefined && field !== undefined) {
      facets[known] = { ...eachValue(field), domain } satisfies TermsFacet;
    }
    return { ...constraint, without: `without_${tag}`, asked, known };
  });
  const largest = given.length <= MAX_THOROUGH ? given.length : SMALL;
  const sets: AskedSet[] = [];
  for (let size = 0; size <= largest; size++) {
    for (const places of choices(0, given.length, size)) {
      const count = `set_${places.join("_")}`;
      const excludeTags = tags.filter((_, index) => !places.includes(index));
      facets[count] = excludeTags.length > 0 ? { ...all, domain: { excludeTags } } : all;
      sets.push({ members: places.flatMap((place) => constraints[place] ?? []), count });
    }
  }
  const filters = [...base, ...given.map(({ filter }, index) => tagged(tags[index] ?? "", filter))];
  return { collection, filters, facets, constraints, sets };
}
