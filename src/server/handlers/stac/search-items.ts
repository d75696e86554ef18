/** Search for items, in all collections and in one. */
import { lowerCase } from "../../../domain/text/case-folding.js";
import type { Handler, Request } from "../../contract/operation.js";
import {
  collectionAddress,
  GEOJSON,
  JSON_TYPE,
  link,
  type StacLink,
  stacRoot,
} from "../../formats/stac-api/links.js";
import type { Services } from "../services.js";
import { findItems } from "./find-items.js";
import { itemsReply } from "./item-replies.js";
import { builtSearch, clientOf, recordItemSearch } from "./known-values.js";
import { requireProject } from "./projects.js";
import {
  invalidPart,
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
  const given = Object.entries({
    ...others,
    ...(limit !== USUAL_LIMIT && { limit }),
    ...(language === "cql2-json" && { "filter-lang": language }),
  }).filter(([, value]) => value !== undefined);
  const at = (parameters: readonly (readonly [string, unknown])[]): string => {
    const texts = parameters.map(([name, value]) => [name, String(value)]);
    return texts.length === 0 ? address : `${address}?${new URLSearchParams(texts)}`;
  };
  const self = link("self", at(given), GEOJSON, "This page");
  if (next === undefined) return [self];
  const withoutToken = given.filter(([name]) => name !== "token");
  return [
    self,
    {
      ...link("next", at([...withoutToken, ["token", next]]), GEOJSON, "Next page"),
      method: "GET",
    },
  ];
}

export function stacSearch(services: Services): Handler<"stacSearch"> {
  return async (request) => {
    const { query, caller } = request;
    const client = clientOf(request);
    const paging = pagingOfQuery(query);
    const input = searchOfQuery(query);
    const search = await builtSearch(input, "query", services, client);
    const found = await findItems(search, paging, "query", services, client);
    recordItemSearch(request, input, found.matched);
    const links = pageLinks(`${stacRoot(caller.base)}/search`, query, found.next);
    return itemsReply(found, paging, links, request, services);
  };
}

export function postStacSearch(services: Services): Handler<"postStacSearch"> {
  return async (request) => {
    const { body, caller } = request;
    const client = clientOf(request);
    const paging = pagingOfBody(body);
    const input = searchOfBody(body);
    const search = await builtSearch(input, "body", services, client);
    const found = await findItems(search, paging, "body", services, client);
    recordItemSearch(request, input, found.matched);
    const address = `${stacRoot(caller.base)}/search`;
    const links: StacLink[] = [link("self", address, GEOJSON, "This page")];
    if (found.next !== undefined) {
      const next = { ...body, token: found.next };
      const page = link("next", address, GEOJSON, "Next page");
      // The body is whole, so that clients that cannot merge bodies need not.
      links.push({ ...page, method: "POST", merge: false, body: next });
    }
    return itemsReply(found, paging, links, request, services);
  };
}

export function stacItems(services: Services): Handler<"stacItems"> {
  return async (request) => {
    const { query, caller, path } = request;
    const client = clientOf(request);
    const collection = await requireProject(path.collection, services, client);
    const paging = pagingOfQuery(query);
    const given = query.collections?.split(",").map((name) => lowerCase(name.trim()));
    if (given !== undefined && !given.includes(lowerCase(collection))) {
      throw invalidPart("collections", `must name the collection ${collection}, or be left out`);
    }
    const input = searchOfQuery(query, { collections: [collection], isStrict: true });
    const search = await builtSearch(input, "query", services, client);
    const found = await findItems(search, paging, "query", services, client);
    recordItemSearch(request, input, found.matched);
    const address = collectionAddress(stacRoot(caller.base), collection);
    const links = [
      ...pageLinks(`${address}/items`, query, found.next),
      link("collection", address, JSON_TYPE, collection),
      link("parent", address, JSON_TYPE, collection),
    ];
    return itemsReply(found, paging, links, request, services);
  };
}
