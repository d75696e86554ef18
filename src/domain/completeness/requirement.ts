/** The requirement for complete groups of files: the grouping facets, and the needs of each group. */
import { invalidParameter, TooManyResults } from "../errors.js";
import { anyOf, exactly, literal, literally } from "../search/lucene.js";
import { facetsByName, listedNames, type NamesInput, namingOf } from "../search/named-facets.js";
import type { Constraint, FacetSearch } from "../search/search.js";
import { DETAILS, SEARCHABLE_DETAILS } from "../vocabulary/details.js";
import { FACETS, type Facet } from "../vocabulary/facets.js";
import { unknownName } from "../vocabulary/unknown-name.js";
import { combinations } from "./combinations.js";
import { foldCase } from "./folded-values.js";
import { type Need, needOf, readNeeds } from "./need.js";
import { pairText } from "./need-text.js";

export interface GroupFacet {
  /** As the flavour names it. */
  readonly name: string;
  /** The schema field. */
  readonly field: string;
}

export interface Requirement {
  readonly groupBy: readonly GroupFacet[];
  readonly needs: readonly Need[];
  /** Whether all files of the search are scanned; otherwise only those that meet some need. */
  readonly isOfAll: boolean;
}

/** The parameters about complete groups. */
export interface RequirementInput extends NamesInput {
  readonly query: NamesInput["query"] & {
    readonly group_by?: readonly string[] | undefined;
    readonly need?: readonly string[] | undefined;
    readonly require_all_on?: readonly string[] | undefined;
  };
}

const MAX_FACETS = 4;
const MAX_NEEDS = 50;
/** Values of all needs together: each becomes a clause of the query. */
const MAX_NEEDED_VALUES = 1000;
const MAX_COMBINATIONS = 1000;

/** Periods and regions have no discrete values, and user names are private: none of them can group files. */
const isOnRequest = (name: string): boolean =>
  Object.hasOwn(FACETS, name) && FACETS[name as Facet].onRequest === true;

/** Schema fields by the flavour's names. */
const facetFields = (input: RequirementInput): Map<string, string> =>
  new Map([...facetsByName(input)].filter(([, facet]) => !isOnRequest(facet)));

/** The facets that a parameter lists. */
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
    const reason = isOnRequest(name)
      ? "cannot be used for grouping"
      : unknownName(name, naming, known);
    throw invalidParameter(parameter, `${JSON.stringify(name)} ${reason}`);
  });
  if (facets.length === 0) throw invalidParameter(parameter, "must name at least one facet");
  if (facets.length > MAX_FACETS) {
    const reason = `names ${facets.length} facets; at most ${MAX_FACETS} are allowed`;
    throw invalidParameter(parameter, reason);
  }
  return facets;
}

/**
 * The requirement that a request states; undefined if it asks for no groups.
 *
 * @throws TooManyResults for more than MAX_COMBINATIONS combinations
 */
export function requirementOf(
  input: RequirementInput,
  search: FacetSearch,
): Requirement | undefined {
  const { group_by, need = [], require_all_on } = input.query;
  if (group_by !== undefined && require_all_on !== undefined) {
    throw invalidParameter("require_all_on", "must not be combined with group_by");
  }
  const given = group_by ?? require_all_on;
  if (given === undefined) {
    if (need.length > 0) throw invalidParameter("group_by", "is required together with need");
    return undefined;
  }
  if (require_all_on !== undefined && need.length > 0) {
    throw invalidParameter("need", "must not be combined with require_all_on; use group_by");
  }
  const parameter = group_by === undefined ? "require_all_on" : "group_by";
  const fields = facetFields(input);
  const groupBy = groupFacets(parameter, given, fields, input);
  if (need.length === 0) {
    return { groupBy, needs: everyCombination(search, groupBy), isOfAll: true };
  }
  if (need.length > MAX_NEEDS) {
    const reason = `is given ${need.length} times; at most ${MAX_NEEDS} are allowed`;
    throw invalidParameter("need", reason);
  }
  const texts = SEARCHABLE_DETAILS.filter((detail) => DETAILS[detail].kind === "text");
  const all = new Map([...fields, ...texts.map((detail) => [detail, detail] as const)]);
  const naming = namingOf(input);
  const needs = readNeeds(need, {
    field: (name) => all.get(name),
    unknown: (name) =>
      isOnRequest(name) ? "cannot be used in a need" : unknownName(name, naming, [...all.keys()]),
    groupBy: groupBy.map(({ name }) => name),
  });
  const count = needs.flatMap(({ values }) => values.flatMap((one) => one.values)).length;
  if (count > MAX_NEEDED_VALUES) {
    const reason = `has ${count} values; at most ${MAX_NEEDED_VALUES} are allowed`;
    throw invalidParameter("need", reason);
  }
  // A need on all facets is met by the group's own files, so files that meet no need cannot complete a group.
  const isOfAll = !needs.some(({ on }) => on.length === groupBy.length);
  return { groupBy, needs, isOfAll };
}

/**
 * intake-esm's `require_all_on`: every combination of the searched values of all keys that are not grouped by
 * (intake_esm/_search.py, search_apply_require_all_on).
 */
function everyCombination(
  { constraints }: FacetSearch,
  groupBy: readonly GroupFacet[],
): readonly Need[] {
  const grouped = new Set(groupBy.map(({ field }) => field));
  const choices = constraints.flatMap(({ name, field, values, included }) => {
    if (!included || field === undefined || grouped.has(field)) return [];
    const named = values.map(literal).filter((value) => value !== undefined);
    const distinct = new Map(named.map((value) => [foldCase(field, value), value]));
    return distinct.size === 0
      ? []
      : [[...distinct.values()].map((value) => ({ name, field, value }))];
  });
  if (choices.length === 0) return [];
  const count = choices.reduce((product, { length }) => product * length, 1);
  if (count > MAX_COMBINATIONS) {
    throw new TooManyResults(count, MAX_COMBINATIONS, "combinations of searched values");
  }
  const on = groupBy.map((_, facet) => facet);
  return [...combinations(choices)].map((pairs) => {
    const text = pairs.map(({ name, value }) => pairText(name, value)).join(";");
    return needOf(
      text,
      pairs.map(({ field, value }) => ({ field, values: [value] })),
      on,
    );
  });
}

/** The search with the values of its needs among its constraints: those that no entry has are reported, too. */
export function withNeededValues(input: RequirementInput, search: FacetSearch): FacetSearch {
  if (input.query.need === undefined) return search;
  const names = new Map<string, string>(
    [...facetsByName(input)].map(([name, field]) => [field, name]),
  );
  const needs = requirementOf(input, search)?.needs ?? [];
  const needed = needs.flatMap(({ values }) =>
    values.map(({ field, values: all }): Constraint => {
      const clauses = all.map((value) => exactly(field, value));
      const name = names.get(field) ?? field;
      return {
        name,
        native: field,
        field,
        isFlag: false,
        values: all.map(literally),
        included: true,
        clauses,
        filter: anyOf(clauses),
      };
    }),
  );
  return { ...search, constraints: [...search.constraints, ...needed] };
}
