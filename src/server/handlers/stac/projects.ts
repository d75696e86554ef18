/** The projects of the catalogue, which are its collections. */
import { eachValue } from "../../../domain/aggregation/facet-request.js";
import { exactly } from "../../../domain/search/lucene.js";
import type { Search } from "../../../domain/search/search.js";
import { allItems } from "../../../domain/stac/item-search.js";
import { lowerCase } from "../../../domain/text/case-folding.js";
import { groupBy } from "../../../platform/group-by.js";
import { NoSuchItem } from "../../errors.js";
import { type Bucket, bucketsOf, numberIn, numbersIn } from "../../formats/aggregation/buckets.js";
import type { CollectionFacts } from "../../formats/stac-api/collection.js";
import type { StacIndex } from "./known-values.js";

/** Boxes of a project from which its extent is made. */
const MAX_BOXES = 10_000;

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
