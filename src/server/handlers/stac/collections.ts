/** Collections: the search among them, and one. */

import { allItems } from "../../../domain/stac/item-search.js";
import { collectionJson } from "../../formats/stac-api/collection.js";
import {
  JSON_TYPE,
  link,
  rootLink,
  stacRoot,
  withParameters,
} from "../../formats/stac-api/links.js";
import { NO_CACHE } from "../common/caching.js";
import type { Handler } from "../services.js";
import { builtSearch, indexOf, listedValues } from "./known-values.js";
import { collectionFacts, requireProject } from "./projects.js";
import { MAX_LIMIT, pagingOfQuery, searchOfQuery } from "./requested-items.js";

export const stacCollections: Handler<"stacCollections"> = async (request, services) => {
  const { query, caller } = request;
  const index = indexOf(request, services);
  const search = searchOfQuery(query);
  const { token } = pagingOfQuery(query);
  const facts = await collectionFacts(await builtSearch(search, "query", index), index);
  const root = stacRoot(caller.base);
  const address = `${root}/collections`;
  const start = token === undefined ? 0 : facts.findIndex(({ id }) => id > token);
  const behind = start < 0 ? [] : facts.slice(start);
  // Without a limit all are given: there are few, and most clients do not page over them.
  const limit = Math.min(query.limit, MAX_LIMIT);
  const shown = behind.slice(0, limit);
  const given = { ...query, limit: limit === MAX_LIMIT ? undefined : limit };
  const links = [
    rootLink(root),
    link("self", withParameters(address, given), JSON_TYPE, "Collections"),
    link("parent", root, JSON_TYPE, "The STAC API"),
  ];
  const last = shown.at(-1);
  if (last !== undefined && shown.length < behind.length) {
    const next = withParameters(address, { ...given, token: last.id });
    links.push(link("next", next, JSON_TYPE, "Next page"));
  }
  const collections = shown.map((one) => collectionJson(one, root));
  const numbers = { numberMatched: facts.length, numberReturned: collections.length };
  const body = { collections, links, ...numbers };
  return { status: 200, type: JSON_TYPE, headers: NO_CACHE, body };
};

export const stacCollection: Handler<"stacCollection"> = async (request, services) => {
  const { path, caller } = request;
  const index = indexOf(request, services);
  const id = await requireProject(path.collection, index);
  const [facts] = await collectionFacts(allItems(), index, id);
  const values = await listedValues([id], [id], index);
  const none = { id, datasets: 0, start: undefined, end: undefined, boxes: [] };
  const body = collectionJson({ ...(facts ?? none), values }, stacRoot(caller.base));
  return { status: 200, type: JSON_TYPE, headers: NO_CACHE, body };
};
