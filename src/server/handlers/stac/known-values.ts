/** Reads facts about items from the index: the values that a search for them needs, and the projects, which are the collections. */
import { eachValue, type FacetTree } from "../../../domain/aggregation/facet-request.js";
import { invalidParameter } from "../../../domain/errors.js";
import { exactly } from "../../../domain/search/lucene.js";
import type { Search } from "../../../domain/search/search.js";
import {
  allItems,
  InvalidPart,
  type ItemSearchInput,
  itemSearch,
  type KnownValues,
  neededValues,
} from "../../../domain/stac/item-search.js";
import { collectionsClause, isCountable } from "../../../domain/stac/properties.js";
import { flavourOf, searchedValues } from "../../../domain/stac/searched-values.js";
import { lowerCase } from "../../../domain/text/case-folding.js";
import type { SearchClient } from "../../../index/query/query-admission.js";
import { groupBy } from "../../../platform/group-by.js";
import type { AnyRequest } from "../../contract/operation.js";
import { NoSuchItem } from "../../errors.js";
import { type Bucket, bucketsOf, numberIn, numbersIn } from "../../formats/aggregation/buckets.js";
import {
  type CollectionFacts,
  listedFields,
  MAX_LISTED,
} from "../../formats/stac-api/collection.js";
import { clientOf } from "../common/client.js";
import { recordSearch } from "../search/requested-search.js";
import type { Services } from "../services.js";

/** Values of a property that can be compared by their order or by a pattern. */
const MAX_VALUES = 20_000;
/** Boxes that can be compared with a geometry, or from which the extent of a project is made. */
const MAX_BOXES = 10_000;

/** Notes what was searched, as for other searches. */
export function recordItemSearch(
  { context }: AnyRequest,
  input: ItemSearchInput,
  matched: number,
): void {
  const path = { flavour: flavourOf(input) };
  recordSearch({ context, path }, { searchedValues: searchedValues(input) }, matched > 0);
}

/** The index, and the client for which it works. */
export interface StacIndex {
  readonly solr: Services["solr"];
  readonly client: SearchClient;
}

export const indexOf = (request: AnyRequest, { solr }: Services): StacIndex => ({
  solr,
  client: clientOf(request),
});

/** The values of fields as written, and the boxes, of the files of a search. A field with more than `limit` is missing. */
async function valuesIn(
  { filters }: Search,
  fields: readonly string[],
  limit: number,
  { solr, client }: StacIndex,
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (fields.length === 0) return new Map();
  const facets: FacetTree = Object.fromEntries(
    fields.map((field) => [`of_${field}`, { type: "terms", field, limit: limit + 1 }]),
  );
  const { numbers } = await solr.aggregateFacets({ filters, facets }, client);
  return new Map(
    fields.flatMap((field) => {
      const values = bucketsOf(numbers[`of_${field}`]).map(({ val }) => val);
      return values.length > limit ? [] : [[field, [...values].sort()] as const];
    }),
  );
}

/** The values that queryables and summaries list of the properties of projects, in these collections or in all. */
export function listedValues(
  collections: readonly string[] | undefined,
  projects: readonly string[],
  index: StacIndex,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const { filters } = allItems();
  const those = collections === undefined ? [] : [collectionsClause(collections)];
  const search = { filters: [...filters, ...those] };
  return valuesIn(search, listedFields(projects), MAX_LISTED, index);
}

async function knownValues(input: ItemSearchInput, index: StacIndex): Promise<KnownValues> {
  const { fields, boxes } = neededValues(input);
  const all = allItems();
  const tooMany = (field: string): InvalidPart =>
    new InvalidPart(
      "filter",
      `compares a property with more than ${MAX_VALUES} values (${field}) by order or pattern; = and in are possible`,
    );
  // Solr takes far less memory to count values than to count the files of each.
  for (const field of fields.filter((one) => !isCountable(one))) {
    const facets = { values: `unique(${field})` };
    const { numbers } = await index.solr.aggregateFacets({ ...all, facets }, index.client);
    if (numberIn(numbers, "values") > MAX_VALUES) throw tooMany(field);
  }
  const values = await valuesIn(all, fields, MAX_VALUES, index);
  const [missing] = fields.filter((field) => !values.has(field));
  if (missing !== undefined) throw tooMany(missing);
  if (!boxes) return { values, boxes: [] };
  const known = await valuesIn(all, ["bbox"], MAX_BOXES, index);
  const found = known.get("bbox");
  if (found === undefined) {
    throw new InvalidPart(
      "intersects",
      `is not possible with more than ${MAX_BOXES} boxes of data`,
    );
  }
  return { values, boxes: found };
}

/** The search for the files of items. @param location of the parts of the request */
export async function builtSearch(
  input: ItemSearchInput,
  location: "query" | "body",
  index: StacIndex,
): Promise<Search> {
  try {
    return itemSearch(input, await knownValues(input, index));
  } catch (error) {
    if (!(error instanceof InvalidPart)) throw error;
    throw invalidParameter(error.part, error.reason, location);
  }
}

interface Project {
  readonly id: string;
  readonly buckets: readonly Bucket[];
}

/** Each project once, as most files write it, in order. */
async function projectsIn({ filters }: Search, { solr, client }: StacIndex): Promise<Project[]> {
  const aggregates = {
    start: "min(time_start)",
    end: "max(time_end)",
    datasets: "unique(dataset_id)",
  };
  const facets = { projects: eachValue("project", aggregates) };
  const { numbers } = await solr.aggregateFacets({ filters, facets }, client);
  const spelled = groupBy(bucketsOf(numbers.projects), ({ val }) => lowerCase(val));
  const projects = [...spelled].map(([key, buckets]) => {
    const [most] = [...buckets].sort((a, b) => b.count - a.count);
    return { id: most?.val ?? key, buckets };
  });
  return projects.sort((a, b) => (a.id < b.id ? -1 : 1));
}

export async function projectIds(index: StacIndex): Promise<string[]> {
  return (await projectsIn(allItems(), index)).map(({ id }) => id);
}

/** The id of a collection as most files write it. @param name in any case */
export async function requireProject(name: string, index: StacIndex): Promise<string> {
  const ids = await projectIds(index);
  const found = ids.find((id) => lowerCase(id) === lowerCase(name));
  if (found !== undefined) return found;
  throw new NoSuchItem(`No collection has the id ${JSON.stringify(name.slice(0, 500))}.`);
}

const texts = (buckets: readonly Bucket[], name: string): string[] =>
  buckets.flatMap((bucket) => (typeof bucket[name] === "string" ? [bucket[name]] : []));

/** The collections with files that match a search, and what these cover together. @param name only this one */
export async function collectionFacts(
  search: Search,
  index: StacIndex,
  name?: string,
): Promise<CollectionFacts[]> {
  const all = await projectsIn(search, index);
  const projects = all.filter(({ id }) => name === undefined || lowerCase(id) === lowerCase(name));
  if (projects.length === 0) return [];
  const facets = Object.fromEntries(
    projects.map(({ id }, index) => [
      `p${index}`,
      {
        type: "query",
        q: exactly("project", id),
        facet: { boxes: { type: "terms", field: "bbox", limit: MAX_BOXES } },
      } as const,
    ]),
  );
  // The extent is that of the collection, whatever the search.
  const { filters } = allItems();
  const { numbers } = await index.solr.aggregateFacets({ filters, facets }, index.client);
  const whole = await projectsIn(allItems(), index);
  const collections = projects.map(({ id }, index) => {
    const found = whole.find((one) => lowerCase(one.id) === lowerCase(id));
    const buckets = found?.buckets ?? [];
    return {
      id: found?.id ?? id,
      datasets: buckets.reduce((sum, bucket) => sum + numberIn(bucket, "datasets"), 0),
      start: texts(buckets, "start").sort()[0],
      end: texts(buckets, "end").sort().at(-1),
      boxes: bucketsOf(numbersIn(numbers, `p${index}`)?.boxes).map(({ val }) => val),
    };
  });
  // By the ids that are shown, as tokens of pages compare these.
  return collections.sort((a, b) => (a.id < b.id ? -1 : 1));
}
