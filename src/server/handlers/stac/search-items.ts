/** Search for items, in all collections and in one. */
import { invalidParameter } from "../../../domain/errors.js";
import type { ItemSearchInput } from "../../../domain/stac/item-search.js";
import { lowerCase } from "../../../domain/text/case-folding.js";
import { mapInSlices } from "../../../platform/concurrency/time-slices.js";
import type { Request } from "../../contract/operation.js";
import { jsonPieces } from "../../formats/json.js";
import { chosenParts } from "../../formats/stac-api/chosen-parts.js";
import { datasetItem } from "../../formats/stac-api/dataset-item.js";
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
import type { Handler, Services } from "../services.js";
import { findItems } from "./find-items.js";
import { assetSource } from "./item-replies.js";
import { builtSearch, indexOf, recordItemSearch, type StacRequest } from "./known-values.js";
import { requireProject } from "./projects.js";
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

/** Answers with a page of items. @param linksOf gives all links but that to the root, by the token of the next page */
async function itemsPage(
  request: StacRequest,
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
  const source = await assetSource(facts, request, services);
  const features = await mapInSlices(facts, (one) => {
    const item = datasetItem(one, true, source);
    return fields === undefined ? item : chosenParts(item, fields);
  });
  const shape: StacItems = {
    type: "FeatureCollection",
    features: features as StacItems["features"],
    links: [rootLink(stacRoot(request.caller.base)), ...linksOf(next)],
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
