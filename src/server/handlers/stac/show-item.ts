import { hasValue } from "../../../domain/search/lucene.js";
import type { Search } from "../../../domain/search/search.js";
import type { ItemFacts } from "../../../domain/stac/item-facts.js";
import { allItems, candidatesOf } from "../../../domain/stac/item-search.js";
import { NoSuchItem } from "../../errors.js";
import { datasetItem, idOf } from "../../formats/stac-api/dataset-item.js";
import { GEOJSON } from "../../formats/stac-api/links.js";
import { listCaching } from "../common/caching.js";
import type { Handler } from "../services.js";
import { factsOf, sizesOf } from "./find-items.js";
import { assetSource } from "./item-replies.js";
import { indexOf, type StacIndex } from "./known-values.js";
import { requireProject } from "./projects.js";

/** An item by its id: the newest version of a dataset as searches find it, or an older one. */
export const stacItem: Handler<"stacItem"> = async (request, services) => {
  const { path } = request;
  const index = indexOf(request, services);
  const collection = await requireProject(path.collection, index);
  const newest = await newestItem(path.item, index);
  const facts = newest ?? (await olderItem(path.item, index));
  const projects = facts?.values.get("project") ?? [];
  const isOfCollection = projects.some((one) => one.toLowerCase() === collection.toLowerCase());
  if (facts === undefined || !isOfCollection) {
    const [name, id] = [JSON.stringify(collection), JSON.stringify(path.item.slice(0, 500))];
    throw new NoSuchItem(`The collection ${name} has no item with the id ${id}.`);
  }
  const source = await assetSource([facts], request, services);
  const body = datasetItem(facts, newest !== undefined, source);
  return { status: 200, type: GEOJSON, headers: listCaching(request, services), body };
};

const namesOf = (id: string): string[] => [...new Set(candidatesOf(id).map(({ name }) => name))];

async function newestItem(id: string, index: StacIndex): Promise<ItemFacts | undefined> {
  const all = await itemsOf(namesOf(id), allItems(), index);
  return all.find((one) => idOf(one) === id);
}

async function olderItem(id: string, index: StacIndex): Promise<ItemFacts | undefined> {
  const every = allItems(true);
  const sized = await sizesOf(namesOf(id), every, index);
  const known = new Set(sized.flatMap(({ val, count }) => (count > 0 ? [val] : [])));
  for (const { name, version } of candidatesOf(id)) {
    if (version === undefined || !known.has(name)) continue;
    const ofVersion = { filters: [...every.filters, hasValue("version", [version])] };
    const [found] = await itemsOf([name], ofVersion, index);
    if (found !== undefined && idOf(found) === id) return found;
  }
  return undefined;
}

async function itemsOf(
  names: readonly string[],
  base: Search,
  index: StacIndex,
): Promise<ItemFacts[]> {
  const sized = await sizesOf(names, base, index);
  return factsOf(
    sized.filter(({ count }) => count > 0),
    base,
    index,
  );
}
