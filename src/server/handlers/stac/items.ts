/** Items: the search for them, in all collections and in one, and one item by its id. */
import { invalidParameter } from "../../../domain/errors.js";
import { hasValue } from "../../../domain/search/lucene.js";
import type { Search } from "../../../domain/search/search.js";
import type { ItemFacts } from "../../../domain/stac/item-facts.js";
import { allItems, candidatesOf, type ItemSearchInput } from "../../../domain/stac/item-search.js";
import { lowerCase } from "../../../domain/text/case-folding.js";
import { mapInSlices } from "../../../platform/concurrency/time-slices.js";
import { visibleAmong } from "../../access/visibility.js";
import type { AnyRequest, Request } from "../../contract/operation.js";
import { NoSuchItem } from "../../errors.js";
import { jsonPieces } from "../../formats/json.js";
import { chosenParts } from "../../formats/stac-api/chosen-parts.js";
import { datasetItem, idOf } from "../../formats/stac-api/dataset-item.js";
import {
  collectionAddress,
  GEOJSON,
  JSON_TYPE,
  link,
  rootLink,
  type StacItems,
  type StacLink,
  stacRoot,
  withParameters,
} from "../../formats/stac-api/links.js";
import { listCaching } from "../common/caching.js";
import { owningCaller } from "../common/client.js";
import type { Handler, Services } from "../services.js";
import { factsOf, findItems, sizesOf } from "./find-items.js";
import {
  builtSearch,
  indexOf,
  recordItemSearch,
  requireProject,
  type StacIndex,
} from "./known-values.js";
import {
  type ItemPaging,
  pagingOfBody,
  pagingOfQuery,
  searchOfBody,
  searchOfQuery,
  USUAL_LIMIT,
} from "./requested-items.js";

type Query = Request<"stacSearch">["query"];

/** The links to this and the next page of a search by GET. */
function pageLinks(address: string, query: Query, next: string | undefined): StacLink[] {
  // Without defaults, so that the link to this page is the address that was requested.
  const { limit, "filter-lang": language, ...others } = query;
  const given = {
    ...others,
    ...(limit !== USUAL_LIMIT && { limit }),
    ...(language === "cql2-json" && { "filter-lang": language }),
  };
  const self = link("self", withParameters(address, given), GEOJSON, "This page");
  if (next === undefined) return [self];
  const { token: _, ...withoutToken } = given;
  const at = withParameters(address, { ...withoutToken, token: next });
  return [self, { ...link("next", at, GEOJSON, "Next page"), method: "GET" }];
}

/** The facts without the documents of files that the caller may not see. */
async function visibleFacts(
  facts: readonly ItemFacts[],
  request: AnyRequest,
  { rights }: Services,
): Promise<readonly ItemFacts[]> {
  if (!rights?.hides) return facts;
  const documents = facts.flatMap((one) => one.documents);
  const visible = new Set(await visibleAmong(documents, owningCaller(request), rights));
  return facts.map((one) => ({ ...one, documents: one.documents.filter((of) => visible.has(of)) }));
}

/** Answers with a page of items. @param linksOf gives all links but that to the root, by the token of the next page */
async function itemsPage(
  request: AnyRequest,
  services: Services,
  input: ItemSearchInput,
  paging: ItemPaging,
  linksOf: (next: string | undefined) => readonly StacLink[],
) {
  const index = indexOf(request, services);
  const search = await builtSearch(input, paging.location, index);
  const { facts, matched, next } = await findItems(search, input, paging, index);
  recordItemSearch(request, input, matched);
  const { fields } = paging;
  const { base } = request.caller;
  const features = await mapInSlices(await visibleFacts(facts, request, services), (one) => {
    const item = datasetItem(one, true, base);
    return fields === undefined ? item : chosenParts(item, fields);
  });
  const shape: StacItems = {
    type: "FeatureCollection",
    features: features as StacItems["features"],
    links: [rootLink(stacRoot(base)), ...linksOf(next)],
    numberMatched: matched,
    numberReturned: features.length,
    numMatched: matched,
    numReturned: features.length,
  };
  const body = { text: (await jsonPieces(shape)).join(""), shape };
  const headers = listCaching(request, services);
  return { status: 200, type: GEOJSON, headers, body } as const;
}

export const stacSearch: Handler<"stacSearch"> = async (request, services) => {
  const { query, caller } = request;
  const paging = pagingOfQuery(query);
  return itemsPage(request, services, searchOfQuery(query), paging, (next) =>
    pageLinks(`${stacRoot(caller.base)}/search`, query, next),
  );
};

export const postStacSearch: Handler<"postStacSearch"> = async (request, services) => {
  const { body, caller } = request;
  const paging = pagingOfBody(body);
  return itemsPage(request, services, searchOfBody(body), paging, (token) => {
    const address = `${stacRoot(caller.base)}/search`;
    const self = link("self", address, GEOJSON, "This page");
    if (token === undefined) return [self];
    const next = link("next", address, GEOJSON, "Next page");
    // The body is whole, so that clients that cannot merge bodies need not.
    return [self, { ...next, method: "POST", merge: false, body: { ...body, token } }];
  });
};

export const stacItems: Handler<"stacItems"> = async (request, services) => {
  const { query, caller, path } = request;
  const collection = await requireProject(path.collection, indexOf(request, services));
  const paging = pagingOfQuery(query);
  const given = query.collections?.split(",").map((name) => lowerCase(name.trim()));
  if (given !== undefined && !given.includes(lowerCase(collection))) {
    throw invalidParameter("collections", `must name the collection ${collection}, or be left out`);
  }
  const input = searchOfQuery(query, { collections: [collection], isStrict: true });
  const address = collectionAddress(stacRoot(caller.base), collection);
  return itemsPage(request, services, input, paging, (next) => [
    ...pageLinks(`${address}/items`, query, next),
    link("collection", address, JSON_TYPE, collection),
    link("parent", address, JSON_TYPE, collection),
  ]);
};

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
  const [shown] = await visibleFacts([facts], request, services);
  const body = datasetItem(
    shown ?? { ...facts, documents: [] },
    newest !== undefined,
    request.caller.base,
  );
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
