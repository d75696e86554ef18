/**
 * One Solr request that explains a search with too few results: what each constraint removes, which constraints exclude
 * everything together, and which values the others leave.
 *
 * Each filter has a tag, and each count excludes the tags of other filters (Solr Reference Guide, "Tagging and Excluding Filters").
 */
import {
  anyOf,
  EVERYTHING,
  everyOf,
  exactly,
  exists,
  fuzzy,
  literal,
  noneOf,
  onlyValue,
  sameLetters,
  startsWith,
  tagged,
} from "../search/lucene.js";
import type { Constraint, FacetSearch, Search } from "../search/search.js";
import { lowerCase } from "../text/case-folding.js";
import {
  lettersOf,
  MAX_KNOWN,
  MAX_NEAR_LENGTH,
  MIN_PREFIX,
  slipsIn,
} from "../text/similar-values.js";
import { COUNTABLE_DETAILS, isDetail } from "../vocabulary/details.js";
import { FACET_NAMES } from "../vocabulary/facets.js";
import { type CountedSet, setFacets, smallSets, type Tagged } from "./excluding-sets.js";
import { counting, eachValue, type FacetTree } from "./facet-request.js";

/** Values of a search that are examined one by one. */
const MAX_VALUES = 50;
/** Values for which Solr searches similar ones: it walks all terms of the field for each. */
const MAX_NEAR_SEARCHES = 20;
/** More near searches than this take longer than an ordinary search. */
const MAX_LIGHT = 5;
/** Similar values taken from Solr, the most frequent first. */
const MAX_FOUND = 200;

/** One value of a constraint, and the names of the facets that examine it. */
export interface ValueProbe {
  readonly value: string;
  /** Without wildcards. */
  readonly literal: string | undefined;
  /** Facet: documents of any search that have the value. */
  readonly count: string;
  /** Facet: values similar to this one; requested if `findsNear`. */
  readonly near: string;
  readonly findsNear: boolean;
  /** Facet: variables with this standard or long name. */
  readonly named: string;
}

export interface ProbedConstraint extends Constraint, Tagged {
  /** Facet: documents found without the constraint. */
  readonly without: string;
  /** Facet: the most frequent values among them. */
  readonly known: string;
  readonly probes: readonly ValueProbe[];
  /** Tags of the filters that its facets ignore, separated by commas: its own, and others if `relaxed`. */
  readonly ignored: string;
  /** Tags of all constraints of the search, separated by commas. */
  readonly all: string;
}

export interface WhyQuery extends Pick<FacetSearch, "filters"> {
  /** Whether it takes longer than an ordinary search. */
  readonly isHeavy: boolean;
  readonly facets: FacetTree;
  readonly constraints: readonly ProbedConstraint[];
  /** Smaller ones first. */
  readonly sets: readonly CountedSet<ProbedConstraint>[];
}

const FACET_LIKE: ReadonlySet<string> = new Set([...FACET_NAMES, "version"]);
/** Fields with few enough values to list. */
const COUNTED: ReadonlySet<string> = new Set([...FACET_LIKE, ...COUNTABLE_DETAILS]);

/** Whether values of a field may be reported: user names may not. */
const isReportable = (field: string | undefined): field is string =>
  field !== undefined && (FACET_LIKE.has(field) || isDetail(field));

/** Matches the standard or long name, with words joined by `_` or by spaces. */
function hasName(text: string): string {
  const [joined, spaced] = [text.replaceAll(" ", "_"), text.replaceAll("_", " ")];
  return anyOf([exactly("standard_name", joined), exactly("long_name", spaced)]);
}

export function whyQuery({ base, constraints: given }: FacetSearch): WhyQuery {
  const { isHeavy, constraints } = probed(given);
  const sets = smallSets(constraints);
  const facets = [setFacets(sets, constraints), ...constraints.map(probeFacets)];
  return {
    isHeavy,
    filters: [...base, ...constraints.map(({ tag, filter }) => tagged(tag, filter))],
    facets: Object.assign({}, ...facets),
    constraints,
    sets,
  };
}

/** Finds near values of constraints among all documents of a population. */
export function nearQuery({ filters }: Search, given: readonly Constraint[]): WhyQuery {
  const { isHeavy, constraints: tagged } = probed(given);
  const constraints = tagged.map((one) => ({ ...one, ignored: "", all: "" }));
  const facets = Object.assign({}, ...constraints.map(probeFacets));
  return { isHeavy, filters, facets, constraints, sets: [] };
}

function probed(given: readonly Constraint[]): Pick<WhyQuery, "isHeavy" | "constraints"> {
  let left = MAX_VALUES;
  let nearSearches = 0;
  const all = given.map((_, index) => `c${index}`).join(",");
  const constraints = given.map((constraint, index): ProbedConstraint => {
    const tag = `c${index}`;
    const { included, field, isFlag, values } = constraint;
    const examined = included && (field !== undefined || isFlag) ? values.slice(0, left) : [];
    left -= examined.length;
    const probes = examined.map(
      (value, i): ValueProbe => ({
        value,
        literal: literal(value),
        findsNear: nearSearches++ < MAX_NEAR_SEARCHES,
        count: `${tag}_${i}`,
        near: `found_${tag}_${i}`,
        named: `named_${tag}_${i}`,
      }),
    );
    const names = { without: `without_${tag}`, known: `known_${tag}` };
    return { ...constraint, tag, ignored: tag, all, probes, ...names };
  });
  return { isHeavy: nearSearches > MAX_LIGHT, constraints };
}

/**
 * A constraint whose facets also ignore other constraints.
 *
 * If two constraints match nothing, neither has near values among what the other lets through.
 */
export const relaxed = (
  constraint: ProbedConstraint,
  others: readonly ProbedConstraint[],
): ProbedConstraint => ({
  ...constraint,
  ignored: [...new Set([constraint, ...others].map(({ tag }) => tag))].join(","),
});

/** The facets of a constraint: which of its values exist at all; and, of what the others let through, near values. */
export function probeFacets({
  ignored,
  all,
  field,
  clauses,
  probes,
  ...names
}: ProbedConstraint): FacetTree {
  const facets: Record<string, FacetTree[string]> = {
    [names.without]: counting(EVERYTHING, ignored),
  };
  for (const [index, probe] of probes.entries()) {
    const { literal } = probe;
    facets[probe.count] = counting(clauses[index] ?? "", all);
    if (literal === undefined || !isReportable(field)) continue;
    const near = probe.findsNear ? nearClause(field, literal) : undefined;
    const values = { of: { ...eachValue(field), limit: MAX_FOUND } };
    if (near !== undefined) facets[probe.near] = counting(near, ignored, values);
    if (field === "variable") facets[probe.named] = counting(hasName(literal), ignored, values);
  }
  if (probes.length > 0 && isReportable(field) && COUNTED.has(field)) {
    const domain = ignored === "" ? {} : { domain: { excludeTags: ignored } };
    facets[names.known] = { ...eachValue(field), limit: MAX_KNOWN, ...domain };
  }
  return facets;
}

/**
 * Whether a variable has a standard or long name of its own, as the documents show of any search that have no other variable:
 * those where it has the name, and those where it has another one. The index keeps no order of several names.
 */
export function ownNameFacets(
  name: string,
  variable: string,
  { all }: Pick<ProbedConstraint, "all">,
): { readonly own: FacetTree[string]; readonly other: FacetTree[string] } {
  const alone = onlyValue("variable", variable);
  const count = (clauses: readonly string[]) => counting(everyOf([alone, ...clauses]), all);
  const isNamed = anyOf([exists("standard_name"), exists("long_name")]);
  return { own: count([hasName(name)]), other: count([isNamed, noneOf([hasName(name)])]) };
}

/** Counts the documents with a value, in any spelling, that the constraints let through which are not ignored. */
export const valueFacet = (
  { ignored, field = "" }: Pick<ProbedConstraint, "ignored" | "field">,
  value: string,
): FacetTree[string] => counting(exactly(field, value), ignored);

/** A searched text may be this much longer than the value, such as a name with a version appended. */
const MAX_TAIL = 12;

/** For longer texts Solr only allows an edit distance of 1: distance 2 takes up to 0.1 s. */
const MAX_TWO_SLIPS = 64;

/**
 * Matches documents with a value similar to a text; undefined if the text is too short or too long.
 *
 * @param written without wildcards
 */
function nearClause(field: string, written: string): string | undefined {
  const text = lowerCase(written);
  if (text.length < MIN_PREFIX || text.length > MAX_NEAR_LENGTH) return undefined;
  const distance = text.length > MAX_TWO_SLIPS ? 1 : slipsIn(text);
  const letters = lettersOf(text);
  const first = Math.max(MIN_PREFIX, text.length - MAX_TAIL);
  const prefixes = Array.from({ length: text.length - first }, (_, i) => text.slice(0, first + i));
  return anyOf([
    startsWith(field, text),
    ...(distance === 0 ? [] : [fuzzy(field, text, distance)]),
    ...(letters === "" ? [] : [sameLetters(field, letters)]),
    ...prefixes.map((prefix) => exactly(field, prefix)),
  ]);
}
