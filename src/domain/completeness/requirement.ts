/** What makes groups of files complete: by which facets they are grouped, and what each of them must have. */
import { invalidParameter, TooManyResults } from "../errors.js";
import { literal } from "../search/lucene.js";
import { facetsByName, listedNames, type NamesInput, namingOf } from "../search/named-facets.js";
import type { FacetSearch } from "../search/search.js";
import { DETAILS, SEARCHABLE_DETAILS } from "../vocabulary/details.js";
import { FACETS, type Facet } from "../vocabulary/facets.js";
import { unknownName } from "../vocabulary/unknown-name.js";
import { combinations } from "./combinations.js";
import { folded } from "./folded-values.js";
import { type Need, needOf, readNeeds } from "./need.js";
import { pairText } from "./need-text.js";

export interface GroupFacet {
  /** As the flavour calls it. */
  readonly name: string;
  /** The field of the schema. */
  readonly field: string;
}

export interface Requirement {
  readonly groupBy: readonly GroupFacet[];
  readonly needs: readonly Need[];
  /** Whether all that the search finds is looked at; else what meets some need. */
  readonly isOfAll: boolean;
}

/** What a request says of complete groups. */
export interface RequirementInput extends NamesInput {
  readonly query: NamesInput["query"] & {
    readonly group_by?: readonly string[] | undefined;
    readonly need?: readonly string[] | undefined;
    readonly require_all_on?: readonly string[] | undefined;
  };
}

const MAX_FACETS = 4;
const MAX_NEEDS = 50;
/** Values of all needs together: each is a clause of a query. */
const MAX_NEEDED_VALUES = 1000;
const MAX_COMBINATIONS = 1000;

/** Periods, regions and users, which have other values than facets, or none that are everybody's business. */
const isOnRequest = (name: string): boolean =>
  Object.hasOwn(FACETS, name) && FACETS[name as Facet].onRequest === true;

/** Fields by the names that a flavour has for them. */
const facetFields = (input: RequirementInput): Map<string, string> =>
  new Map([...facetsByName(input)].filter(([, facet]) => !isOnRequest(facet)));

/** The facets that a parameter names, several times or separated by commas. */
function groupFacets(
  parameter: string,
  given: readonly string[],
  fields: ReadonlyMap<string, string>,
  input: RequirementInput,
): GroupFacet[] {
  const known = [...fields.keys()];
  const naming = namingOf(input);
  const facets = [...new Set(listedNames(given))].map((name) => {
    const field = fields.get(name);
    if (field !== undefined) return { name, field };
    const reason = isOnRequest(name) ? "is not grouped by" : unknownName(name, naming, known);
    throw invalidParameter(parameter, `${JSON.stringify(name)} ${reason}`);
  });
  if (facets.length === 0) throw invalidParameter(parameter, "must name a facet");
  if (facets.length > MAX_FACETS) {
    throw invalidParameter(parameter, `names ${facets.length} facets, but may name ${MAX_FACETS}`);
  }
  return facets;
}

/**
 * What makes groups complete, as a request says it.
 *
 * @returns undefined where it says nothing of groups
 * @throws InvalidParameters; TooManyResults where there are too many combinations
 */
export function requirementOf(
  input: RequirementInput,
  search: FacetSearch,
): Requirement | undefined {
  const { group_by, need = [], require_all_on } = input.query;
  if (group_by !== undefined && require_all_on !== undefined) {
    throw invalidParameter("require_all_on", "is not to be given with group_by: it says the same");
  }
  const given = group_by ?? require_all_on;
  if (given === undefined) {
    if (need.length > 0)
      throw invalidParameter("group_by", "must say of which groups this is needed");
    return undefined;
  }
  if (require_all_on !== undefined && need.length > 0) {
    throw invalidParameter("need", "is not to be given with require_all_on, but with group_by");
  }
  const parameter = group_by === undefined ? "require_all_on" : "group_by";
  const fields = facetFields(input);
  const groupBy = groupFacets(parameter, given, fields, input);
  if (need.length === 0) {
    return { groupBy, needs: everyCombination(search, groupBy), isOfAll: true };
  }
  if (need.length > MAX_NEEDS) {
    throw invalidParameter(
      "need",
      `is given ${need.length} times, but may be given ${MAX_NEEDS} times`,
    );
  }
  const texts = SEARCHABLE_DETAILS.filter((detail) => DETAILS[detail].kind === "text");
  const all = new Map([...fields, ...texts.map((detail) => [detail, detail] as const)]);
  const naming = namingOf(input);
  const needs = readNeeds(need, {
    field: (name) => all.get(name),
    unknown: (name) =>
      isOnRequest(name) ? "cannot be needed" : unknownName(name, naming, [...all.keys()]),
    groupBy: groupBy.map(({ name }) => name),
  });
  const count = needs.flatMap(({ values }) => values.flatMap((one) => one.values)).length;
  if (count > MAX_NEEDED_VALUES) {
    throw invalidParameter("need", `has ${count} values, but may have ${MAX_NEEDED_VALUES}`);
  }
  // A group that is complete has files of each need; only of what is on some of the facets these may be others' alone.
  const isOfAll = !needs.some(({ on }) => on.length === groupBy.length);
  return { groupBy, needs, isOfAll };
}

/**
 * intake-esm's `require_all_on`: every combination of the values that are searched for by name, but of those that are
 * grouped by (intake_esm/_search.py, search_apply_require_all_on).
 */
function everyCombination(
  { constraints }: FacetSearch,
  groupBy: readonly GroupFacet[],
): readonly Need[] {
  const grouped = new Set(groupBy.map(({ field }) => field));
  const choices = constraints.flatMap(({ name, field, values, included }) => {
    if (!included || field === undefined || grouped.has(field)) return [];
    const named = values.map(literal).filter((value) => value !== undefined);
    const distinct = new Map(named.map((value) => [folded(field, value), value]));
    return distinct.size === 0
      ? []
      : [[...distinct.values()].map((value) => ({ name, field, value }))];
  });
  if (choices.length === 0) return [];
  const count = choices.reduce((product, { length }) => product * length, 1);
  if (count > MAX_COMBINATIONS) {
    throw new TooManyResults(
      count,
      MAX_COMBINATIONS,
      "combinations of the values that are searched for",
    );
  }
  const on = groupBy.map((_, place) => place);
  return [...combinations(choices)].map((pairs) => {
    const text = pairs.map(({ name, value }) => pairText(name, value)).join(";");
    return needOf(
      text,
      pairs.map(({ field, value }) => ({ field, values: [value] })),
      on,
    );
  });
}
