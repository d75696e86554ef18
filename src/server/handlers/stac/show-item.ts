import { hasValue } from "../../../domain/search/lucene.js";
import type { Search } from "../../../domain/search/search.js";
import type { ItemFacts } from "../../../domain/stac/item-facts.js";
import { allItems, candidatesOf } from "../../../domain/stac/item-search.js";
import type { SearchClient } from "../../../index/query/query-admission.js";
import type { Handler } from "../../contract/operation.js";
import { NoSuchItem } from "../../errors.js";
import { datasetItem, idOf } from "../../formats/stac-api/dataset-item.js";
import { GEOJSON } from "../../formats/stac-api/links.js";
import type { Services } from "../services.js";
import { factsOf, sizesOf } from "./find-items.js";
import { assetSource, itemCaching } from "./item-replies.js";
import { clientOf } from "./known-values.js";
import { requireProject } from "./projects.js";

/** An item by its id: the newest version of a dataset as searches find it, or an older one. */
export function stacItem(services: Services): Handler<"stacItem"> {
  return async (request) => {
    const { path } = request;
    const client = clientOf(request);
    const collection = await requireProject(path.collection, services, client);
    const newest = await newestItem(path.item, services, client);
    const facts = newest ?? (await olderItem(path.item, services, client));
    const projects = facts?.values.get("project") ?? [];
    const isOfCollection = projects.some((one) => one.toLowerCase() === collection.toLowerCase());
    if (facts === undefined || !isOfCollection) {
      const [name, id] = [JSON.stringify(collection), JSON.stringify(path.item.slice(0, 500))];
      throw new NoSuchItem(`The collection ${name} has no item with the id ${id}.`);
    }
    const source = await assetSource([facts], request, services);
    const body = datasetItem(facts, newest !== undefined, source);
    return { status: 200, type: GEOJSON, headers: itemCaching(request, services), body };
  };
}

async function newestItem(
  id: string,
  services: Services,
  client: SearchClient,
): Promise<ItemFacts | undefined> {
  const names = [...new Set(candidatesOf(id).map(({ name }) => name))];
  const all = await itemsOf(names, allItems(), services, client);
  return all.find((one) => idOf(one) === id);
}

async function olderItem(
  id: string,
  services: Services,
  client: SearchClient,
): Promise<ItemFacts | undefined> {
  for (const { name, version } of candidatesOf(id)) {
    if (version === undefined) continue;
    const { filters } = allItems(true);
    const ofVersion = { filters: [...filters, hasValue("version", [version])] };
    const [found] = await itemsOf([name], ofVersion, services, client);
    if (found !== undefined && idOf(found) === id) return found;
  }
  return undefined;
}

async function itemsOf(
  names: readonly string[],
  base: Search,
  services: Services,
  client: SearchClient,
): Promise<ItemFacts[]> {
  const sized = await sizesOf(names, base, services, client);
  return factsOf(
    sized.filter(({ count }) => count > 0),
    base,
    services,
    client,
  );
}
