/**
 * Turns a search for STAC items into a search for their files. An item is found if one of its files matches all of the search,
 * as in `databrowser/data-search`.
 */
import { filterClause } from "../cql2/compile.js";
import type { Expression } from "../cql2/expression.js";
import { readSpan, readTimestamp } from "../cql2/instants.js";
import { type FilterContext, neededBy } from "../cql2/property.js";
import { relatedPeriod } from "../cql2/temporal-clauses.js";
import { boxesOf, type Geometry } from "../extent/geometry.js";
import { Unreadable } from "../extent/period.js";
import {
  allBut,
  allOf,
  anyOf,
  contains,
  exists,
  hasValue,
  NOTHING,
  ofSame,
} from "../search/lucene.js";
import { regionClause } from "../search/region-clause.js";
import { buildSearch, type Search } from "../search/search.js";
import { FLAVOURS } from "../vocabulary/flavours.js";
import {
  collectionsClause,
  FILE_PERIOD,
  isNotComparable,
  propertyOf,
  sharedStandard,
} from "./properties.js";

export interface ItemSearchInput {
  readonly collections?: readonly string[] | undefined;
  readonly ids?: readonly string[] | undefined;
  readonly bbox?: readonly number[] | undefined;
  readonly datetime?: string | undefined;
  readonly intersects?: Geometry | undefined;
  /** At least one of them must occur. */
  readonly q?: readonly string[] | undefined;
  readonly filter?: Expression | undefined;
  /** Further conditions, from `query`. */
  readonly query?: Expression | undefined;
  /** Whether a property that no item has is an error; else it is null. */
  readonly isStrict?: boolean | undefined;
}

export interface KnownValues {
  readonly values: ReadonlyMap<string, readonly string[]>;
  readonly boxes: readonly string[];
}

/** The newest public files of all datasets, or with `isEvery` those of all versions. */
export function allItems(isEvery = false): Search {
  const { filters } = buildSearch({
    path: { flavour: FLAVOURS.native, uniq_key: "file" },
    query: {
      "multi-version": isEvery,
      translate: true,
      time_select: "flexible",
      bbox_select: "flexible",
      filters: {},
    },
  });
  return { filters: [...filters, exists("dataset_id")] };
}

/** A part of a request is not valid. */
export class InvalidPart extends Error {
  constructor(
    readonly part: string,
    readonly reason: string,
  ) {
    super(`${part}: ${reason}`);
  }
}

function within<T>(part: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof Unreadable) throw new InvalidPart(part, error.message);
    throw error;
  }
}

const itself = (clause: string): string => clause;

/** Files whose period has an instant in common with `datetime`. */
function datetimeClause(text: string): string {
  const { start, end } = FILE_PERIOD;
  return relatedPeriod("intersects", start, end, readSpan(text, readTimestamp), itself);
}

const CIRCLE = 360;

/** Items whose box meets `bbox`. */
function bboxClause(bbox: readonly number[]): string {
  const clauses = boxesOf(bbox).map(({ west, south, east, north }) => {
    if (east - west >= CIRCLE) return regionClause(`-180,180,${south},${north}`, "flexible");
    // The clause takes longitudes from -180 to 360, with an east below west behind the antimeridian.
    const start = west < -180 ? west + CIRCLE : west;
    const end = start + (east - west);
    return regionClause(
      `${start},${end > CIRCLE ? end - CIRCLE : end},${south},${north}`,
      "flexible",
    );
  });
  return clauses.length === 0 ? NOTHING : anyOf(clauses);
}

/** Where `q` is looked for: fields with few values, as each is walked. */
const SEARCHED_FIELDS = [
  "project",
  "product",
  "institute",
  "model",
  "experiment",
  "variable",
  "realm",
  "driving_model",
  "rcm_name",
  "long_name",
  "standard_name",
];
const MAX_TERMS = 20;
const MAX_TERM = 100;

/** Items with one of the terms anywhere in their words. */
function freeTextClause(terms: readonly string[]): string {
  const words = terms.map((term) => term.trim()).filter((term) => term !== "");
  if (words.length === 0) throw new Unreadable("must not be empty");
  if (words.length > MAX_TERMS) throw new Unreadable(`must have at most ${MAX_TERMS} terms`);
  if (words.some((word) => word.length > MAX_TERM)) {
    throw new Unreadable(`must have terms of at most ${MAX_TERM} characters`);
  }
  return anyOf(words.flatMap((word) => SEARCHED_FIELDS.map((field) => contains(field, word))));
}

/** Most dots of a version that an id can end with. */
const MAX_DOTS = 4;
/** Versions with dots by which lists of ids are searched: others may be parts of names, and each takes clauses of the query. */
const DOTTED = /^v?\d+(?:\.\d[\w-]*){1,2}$/i;

/** The datasets and versions that an id may stand for: each of its last dots may be the border between the two. */
export function candidatesOf(
  id: string,
): readonly { readonly name: string; readonly version: string | undefined }[] {
  const parts = id.split(".");
  const borders = parts
    .map((_, at) => at)
    .slice(1)
    .slice(-1 - MAX_DOTS)
    .reverse();
  const versioned = borders.flatMap((at) => {
    const [name, version] = [parts.slice(0, at).join("."), parts.slice(at).join(".")];
    // Ids have a `v` before versions that are numbers.
    if (name === "" || version === "" || /^\d+$/.test(version)) return [];
    const bare = /^v\d+$/.test(version) ? [{ name, version: version.slice(1) }] : [];
    return [{ name, version }, ...bare];
  });
  return [...versioned, { name: id, version: undefined }];
}

/** The files of the items with these ids. One clause for each version, as Solr limits the clauses of a query. */
function idsClause(ids: readonly string[]): string {
  const versions = new Map<string | undefined, Set<string>>();
  for (const { name, version } of ids.flatMap(candidatesOf)) {
    if (version?.includes(".") && !DOTTED.test(version)) continue;
    const names = versions.get(version) ?? new Set();
    versions.set(version, names.add(name));
  }
  const all = new Set([...versions.values()].flatMap((names) => [...names]));
  if (all.size === 0) return NOTHING;
  const clauses = [...versions].map(([version, names]) => {
    const isNamed = hasValue("dataset_id", [...names], false);
    const isVersion =
      version === undefined ? allBut(exists("version")) : hasValue("version", [version], false);
    return allOf([isNamed, isVersion]);
  });
  return allOf([hasValue("dataset_id", [...all]), anyOf(clauses)]);
}

/** Resolves names of properties in the collections of a search. @throws Unreadable for one that they cannot compare */
export function resolverOf({
  collections = [],
  isStrict,
}: ItemSearchInput): FilterContext["property"] {
  const standard = sharedStandard(collections);
  return (name) => {
    if (isNotComparable(name))
      throw new Unreadable(`has ${name}, which can neither be compared nor sorted by`);
    const property = propertyOf(name, standard);
    const isOfOthers = property.kind === "text" && property.owners !== undefined;
    if (isStrict && (property.kind === "unknown" || isOfOthers)) {
      throw new Unreadable(
        `has a property that this collection does not have: ${name.slice(0, 100)}`,
      );
    }
    return property;
  };
}

/** The fields whose values, and whether the boxes, building the search needs. */
export function neededValues(input: ItemSearchInput) {
  const property = resolverOf(input);
  const needs = (["filter", "query"] as const).flatMap((part) => {
    const expression = input[part];
    return expression === undefined ? [] : [within(part, () => neededBy(expression, property))];
  });
  return {
    fields: [...new Set(needs.flatMap(({ fields }) => [...fields]))],
    boxes: input.intersects !== undefined || needs.some(({ boxes }) => boxes),
  };
}

export function itemSearch(input: ItemSearchInput, known: KnownValues): Search {
  const { collections, ids, bbox, datetime, intersects, q } = input;
  const { filters } = allItems();
  const context: FilterContext = {
    property: resolverOf(input),
    values: (field) => known.values.get(field) ?? [],
    boxes: known.boxes,
    ofDataset: (one) => ofSame("dataset_id", [...filters, one]),
    identified: idsClause,
  };
  const clauses: string[] = [];
  const add = (part: string, make: () => string): void => {
    clauses.push(within(part, make));
  };
  if (collections !== undefined) add("collections", () => collectionsClause(collections));
  if (ids !== undefined) add("ids", () => idsClause(ids));
  if (bbox !== undefined) add("bbox", () => bboxClause(bbox));
  if (datetime !== undefined) add("datetime", () => datetimeClause(datetime));
  if (q !== undefined) add("q", () => freeTextClause(q));
  if (intersects !== undefined) {
    const expression: Expression = { kind: "spatial", name: "geometry", geometry: intersects };
    add("intersects", () => filterClause(expression, context));
  }
  for (const part of ["filter", "query"] as const) {
    const expression = input[part];
    if (expression !== undefined) add(part, () => filterClause(expression, context));
  }
  return { filters: [...filters, ...clauses] };
}
