/** The aggregations of items: their names, and how the index counts them. */
import {
  eachTerm,
  eachValue,
  type FacetTree,
  MAX_UNIQUE_BITS,
} from "../../../domain/aggregation/facet-request.js";
import { startOfYear } from "../../../domain/extent/period.js";
import type { Search } from "../../../domain/search/search.js";
import { allItems } from "../../../domain/stac/item-search.js";
import {
  collectionsClause,
  isCountable,
  itemFacets,
  propertyOf,
  standardNameOf,
  standardOf,
} from "../../../domain/stac/properties.js";
import { lowerCase } from "../../../domain/text/case-folding.js";
import type { Numbers } from "../../../index/query/facet-aggregations.js";
import { bucketsOf, numberIn, numbersIn } from "../../formats/aggregation/buckets.js";
import { FIRST_INSTANT, LAST_INSTANT, withinYears } from "../../formats/stac/extent.js";
import type { StacIndex } from "./known-values.js";

interface Aggregation {
  readonly name: string;
  readonly data_type: "integer" | "datetime" | "frequency_distribution";
  /** For frequencies of a property. */
  readonly field?: string;
  /** Projects whose items have the property; left out for all. */
  readonly projects?: readonly string[];
}

const FREQUENCY = "frequency_distribution";
const SUFFIX = "frequency";

export function aggregationsOf(projects: readonly string[]): Aggregation[] {
  const all = new Map<string, Aggregation>();
  const add = (one: Aggregation): void => {
    if (!all.has(one.name)) all.set(one.name, one);
  };
  add({ name: "total_count", data_type: "integer" });
  add({ name: "datetime_min", data_type: "datetime" });
  add({ name: "datetime_max", data_type: "datetime" });
  add({ name: "datetime_frequency", data_type: FREQUENCY });
  add({ name: "collection_frequency", data_type: FREQUENCY, field: "project" });
  add({ name: "alternate_name_frequency", data_type: FREQUENCY, field: "fs_type" });
  for (const project of projects) {
    const standard = standardOf(project);
    const prefix = standard === undefined ? "" : `${standard.name}_`;
    const own = standard?.projects === undefined ? {} : { projects: standard.projects };
    const frequency = (name: string, field: string): void =>
      add({ name: `${prefix}${name}_frequency`, data_type: FREQUENCY, field, ...own });
    for (const { facet, name } of itemFacets(project)) {
      frequency(name.slice(name.indexOf(":") + 1), facet);
    }
    frequency("alternate_name", "fs_type");
    frequency("nominal_resolution", "nominal_resolution");
  }
  return [...all.values()];
}

/**
 * An aggregation by its name: a known one, or that of a property of a standard. Properties that no item has have no values; those
 * of which nearly every item has its own are undefined.
 */
export function aggregationNamed(
  name: string,
  known: readonly Aggregation[],
): Aggregation | undefined {
  const found = known.find((one) => one.name === name);
  const of = standardNameOf(name);
  if (found !== undefined || of === undefined || !name.endsWith(`_${SUFFIX}`)) return found;
  const { standard } = of;
  const property = of.name.slice(0, -SUFFIX.length - 1);
  const { kind, ...rest } = propertyOf(`${standard.name}:${property}`);
  const field = kind === "text" && "field" in rest ? rest.field : undefined;
  if (field !== undefined && !isCountable(field)) return undefined;
  const projects = standard.projects ?? [];
  return { name, data_type: FREQUENCY, projects, ...(field !== undefined && { field }) };
}

/** As `aggregations` lists them. */
export const describe = (all: readonly Aggregation[]) =>
  all.map(({ name, data_type }) => ({ name, data_type }));

/** The number of datasets, not of files. */
const DATASETS = { datasets: "unique(dataset_id)" };

/** @param isLarge whether Solr must count term by term, which takes it longer, and finds the terms in lower case */
function facetsOf({ field, projects }: Aggregation, name: string, isLarge: boolean) {
  if (field === undefined) return [];
  const domain = projects && { domain: { filter: collectionsClause(projects) } };
  const spelled = { ...eachValue(field, isLarge ? undefined : DATASETS), ...domain };
  if (!isLarge) return [[name, spelled]] as const;
  const terms = { ...eachTerm(field, DATASETS), ...domain };
  return [[name, terms] as const, [`${name}s`, spelled] as const];
}

interface Frequency {
  readonly key: string;
  readonly data_type: string;
  readonly frequency: number;
}

/** The most frequent values first. @param spelled the values as stored, if the facet has them in lower case */
function frequencies(facet: unknown, spelled: unknown): Frequency[] {
  const spellings = new Map(
    [...bucketsOf(spelled)].reverse().map(({ val }) => [lowerCase(val), val]),
  );
  const buckets = bucketsOf(facet).map((bucket) => ({
    key: spellings.get(bucket.val) ?? bucket.val,
    data_type: "string",
    frequency: numberIn(bucket, "datasets"),
  }));
  return buckets
    .filter(({ frequency }) => frequency > 0)
    .sort((a, b) => b.frequency - a.frequency || (a.key < b.key ? -1 : 1));
}

/** Years are counted one by one up to this span, above it in tens. */
const MAX_STEPS = 1000;
/** The years of STAC's dates. */
const YEARS = { first: 1, last: 9999 };

/**
 * Counts datasets by the year in which a period of their files begins; a bucket may span several years. Those before and after
 * the years of STAC's dates are in the first and the last bucket.
 */
async function byYears(
  search: Search,
  { start, end }: { readonly start: unknown; readonly end: unknown },
  isHeavy: boolean,
  { solr, client }: StacIndex,
): Promise<Frequency[]> {
  const yearOf = (date: unknown): number => {
    const year = Number(/^[+-]?\d+/.exec(String(date ?? ""))?.[0]);
    return Math.min(Math.max(year, YEARS.first), YEARS.last);
  };
  const [first, last] = [yearOf(start), yearOf(end)];
  if (Number.isNaN(first) || Number.isNaN(last)) return [];
  const step = last - first < MAX_STEPS ? 1 : 10;
  // The year 1 is before the range and the year 10,000 behind it, so that each date of an answer is that of one bucket.
  const from = Math.max(Math.floor(first / step) * step, step, YEARS.first + 1);
  const to = Math.max(from + step, Math.min(last + step, YEARS.last + 1));
  const years = {
    type: "range",
    field: "time_start",
    start: startOfYear(from),
    end: startOfYear(to),
    gap: `+${step}YEARS`,
    mincount: 1,
    other: ["before", "after"],
    facet: DATASETS,
  } as const;
  const { filters } = search;
  const { numbers } = await solr.aggregateFacets({ filters, facets: { years }, isHeavy }, client);
  const found = numbersIn(numbers, "years");
  if (found === undefined) return [];
  const buckets: readonly (readonly [key: string, bucket: Numbers | undefined])[] = [
    [FIRST_INSTANT, numbersIn(found, "before")],
    ...bucketsOf(found).map((bucket) => [bucket.val, bucket] as const),
    [LAST_INSTANT, numbersIn(found, "after")],
  ];
  return buckets.flatMap(([key, bucket]) => {
    const frequency = bucket === undefined ? 0 : numberIn(bucket, "datasets");
    return frequency === 0 ? [] : [{ key, data_type: "datetime", frequency }];
  });
}

/** The bits that Solr needs at once to count the datasets of each value, for each field, and for a facet of years. */
async function bitsOf(
  fields: readonly (string | undefined)[],
  { filters }: Search,
  { solr, client }: StacIndex,
) {
  const sizes = Object.fromEntries(
    fields.flatMap((field) => (field === undefined ? [] : [[field, `unique(${field})`] as const])),
  );
  const [{ numbers }, { numbers: ofIndex }] = await Promise.all([
    solr.aggregateFacets({ filters, facets: sizes }, client),
    solr.aggregateFacets({ filters: allItems(true).filters, facets: DATASETS }, client),
  ]);
  const datasets = numberIn(ofIndex, "datasets");
  const ofFields = fields.map((field) => datasets * (field ? numberIn(numbers, field) : 0));
  return { ofFields, ofYears: datasets * MAX_STEPS };
}

/** Up to this many facets are counted like a search. */
const MAX_USUAL = 30;
/** The part of Solr's memory for a heavy query that each of many searches may take. */
const SEARCH_SHARE = 1 / 16;

/** The aggregations with their values, and the number of all items found. */
export async function countedItems(
  all: readonly Aggregation[],
  search: Search,
  index: StacIndex,
  maxBits = MAX_UNIQUE_BITS,
) {
  const { filters } = search;
  const fields = all.map(({ field }) => field);
  const isSingle = all.every(({ data_type }) => data_type !== FREQUENCY);
  const { ofFields, ofYears } = isSingle
    ? { ofFields: [], ofYears: 0 }
    : await bitsOf(fields, search, index);
  const facets: FacetTree = {
    datasets: DATASETS.datasets,
    start: "min(time_start)",
    latest: "max(time_start)",
    end: "max(time_end)",
    ...Object.fromEntries(
      all.flatMap((one, at) => facetsOf(one, `a${at}`, (ofFields[at] ?? 0) > maxBits)),
    ),
  };
  const isMany = (bits: number): boolean => bits > maxBits * SEARCH_SHARE;
  const isHeavy = ofFields.some(isMany) || all.length > MAX_USUAL;
  const { numbers } = await index.solr.aggregateFacets({ filters, facets, isHeavy }, index.client);
  const counted = all.map(async (one, number) => {
    const { name, data_type } = one;
    if (name === "datetime_frequency") {
      const span = { start: numbers.start, end: numbers.latest };
      const buckets = await byYears(search, span, isMany(ofYears), index);
      return { name, data_type, overflow: 0, buckets };
    }
    if (one.field !== undefined) {
      return {
        name,
        data_type,
        overflow: 0,
        buckets: frequencies(numbers[`a${number}`], numbers[`a${number}s`]),
      };
    }
    if (data_type === FREQUENCY) return { name, data_type, overflow: 0, buckets: [] };
    return { name, data_type, value: single(name, numbers) };
  });
  return { matched: numberIn(numbers, "datasets"), aggregations: await Promise.all(counted) };
}

function single(name: string, numbers: Numbers): unknown {
  if (name === "total_count") return numberIn(numbers, "datasets");
  const date = name === "datetime_min" ? numbers.start : numbers.end;
  return typeof date === "string" ? withinYears(date) : null;
}
