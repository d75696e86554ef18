/** The aggregations of items: their names, and how the index counts them. */
import type { FacetTree, TermsFacet } from "../../../domain/aggregation/facet-request.js";
import { eachValue } from "../../../domain/aggregation/facet-request.js";
import { startOfYear } from "../../../domain/extent/period.js";
import type { Search } from "../../../domain/search/search.js";
import {
  collectionsClause,
  itemFacets,
  propertyOf,
  standardNameOf,
  standardOf,
} from "../../../domain/stac/properties.js";
import type { Numbers } from "../../../index/query/facet-aggregations.js";
import { bucketsOf, numberIn } from "../../formats/aggregation/buckets.js";
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

/** An aggregation by its name: a known one, or that of a property of a standard. Properties that no item has have no values. */
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
  const projects = standard.projects ?? [];
  return { name, data_type: FREQUENCY, projects, ...(field !== undefined && { field }) };
}

/** As `aggregations` lists them. */
export const describe = (all: readonly Aggregation[]) =>
  all.map(({ name, data_type }) => ({ name, data_type }));

/** The number of datasets, not of files. */
const DATASETS = { datasets: "unique(dataset_id)" };

function facetOf({ field = "", projects }: Aggregation): TermsFacet {
  const domain = projects && { domain: { filter: collectionsClause(projects) } };
  return { ...eachValue(field, DATASETS), ...domain };
}

interface Frequency {
  readonly key: string;
  readonly data_type: string;
  readonly frequency: number;
}

/** The most frequent values first. */
function frequencies(facet: unknown): Frequency[] {
  const buckets = bucketsOf(facet).map((bucket) => ({
    key: bucket.val,
    data_type: "string",
    frequency: numberIn(bucket, "datasets"),
  }));
  return buckets
    .filter(({ frequency }) => frequency > 0)
    .sort((a, b) => b.frequency - a.frequency || (a.key < b.key ? -1 : 1));
}

/** Years of one bucket, so that there are at most a thousand. */
const STEPS = [1, 10, 100, 1000, 10_000, 100_000];
const MAX_STEPS = 1000;

/** Counts datasets by the year in which a period of their files begins; a bucket may span several years. */
async function byYears(
  search: Search,
  { start, end }: { readonly start: unknown; readonly end: unknown },
  { solr, client }: StacIndex,
): Promise<Frequency[]> {
  const year = (date: unknown): number => Number(/^[+-]?\d+/.exec(String(date ?? ""))?.[0]);
  const [first, last] = [year(start), year(end)];
  if (Number.isNaN(first) || Number.isNaN(last)) return [];
  const step = STEPS.find((years) => (last - first) / years < MAX_STEPS) ?? STEPS.at(-1) ?? 1;
  const from = Math.floor(first / step) * step;
  const years = {
    type: "range",
    field: "time_start",
    start: startOfYear(from),
    end: startOfYear(last + step),
    gap: `+${step}YEARS`,
    mincount: 1,
    facet: DATASETS,
  } as const;
  const { filters } = search;
  const { numbers } = await solr.aggregateFacets({ filters, facets: { years } }, client);
  return bucketsOf(numbers.years).map((bucket) => ({
    key: bucket.val,
    data_type: "datetime",
    frequency: numberIn(bucket, "datasets"),
  }));
}

/** The aggregations with their values, and the number of all items found. */
export async function countedItems(all: readonly Aggregation[], search: Search, index: StacIndex) {
  const { filters } = search;
  const facets: FacetTree = {
    datasets: DATASETS.datasets,
    start: "min(time_start)",
    latest: "max(time_start)",
    end: "max(time_end)",
    ...Object.fromEntries(
      all.flatMap((one, index) => (one.field === undefined ? [] : [[`a${index}`, facetOf(one)]])),
    ),
  };
  const { numbers } = await index.solr.aggregateFacets({ filters, facets }, index.client);
  const counted = all.map(async (one, number) => {
    const { name, data_type } = one;
    if (name === "datetime_frequency") {
      const span = { start: numbers.start, end: numbers.latest };
      const buckets = await byYears(search, span, index);
      return { name, data_type, overflow: 0, buckets };
    }
    if (one.field !== undefined) {
      return { name, data_type, overflow: 0, buckets: frequencies(numbers[`a${number}`]) };
    }
    if (data_type === FREQUENCY) return { name, data_type, overflow: 0, buckets: [] };
    return { name, data_type, value: single(name, numbers) };
  });
  return { matched: numberIn(numbers, "datasets"), aggregations: await Promise.all(counted) };
}

function single(name: string, numbers: Numbers): unknown {
  if (name === "total_count") return numberIn(numbers, "datasets");
  return (name === "datetime_min" ? numbers.start : numbers.end) ?? null;
}
