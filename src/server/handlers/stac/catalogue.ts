/** The documents of the STAC catalogue: its landing page, conformance and contract, its collections, and their queryables. */
import { allItems } from "../../../domain/stac/item-search.js";
import { standardOf, standardsOf } from "../../../domain/stac/properties.js";
import {
  collectionJson,
  type NamedValues,
  queryablesJson,
} from "../../formats/stac-api/collection.js";
import {
  CONFORMANCE,
  LANDING_POLICY,
  landingHtml,
  landingPage,
} from "../../formats/stac-api/landing.js";
import {
  CONTRACT_TYPE,
  collectionAddress,
  JSON_TYPE,
  link,
  rootLink,
  SCHEMA_TYPE,
  stacRoot,
  withParameters,
} from "../../formats/stac-api/links.js";
import { NO_CACHE } from "../common/caching.js";
import type { Handler } from "../services.js";
import {
  builtSearch,
  collectionFacts,
  indexOf,
  listedValues,
  projectIds,
  requireProject,
} from "./known-values.js";
import { MAX_LIMIT, pagingOfQuery, searchOfQuery } from "./requested-items.js";

/** JSON for clients, a page for browsers. */
export const stacLanding: Handler<"stacLanding"> = async (request, services) => {
  const { caller } = request;
  const ids = await projectIds(indexOf(request, services));
  const headers = { ...NO_CACHE, Vary: "Accept" };
  if (caller.wantsPage) {
    const more = { ...headers, "Content-Security-Policy": LANDING_POLICY };
    const body = landingHtml(caller.base, ids);
    return { status: 200, type: "text/html", headers: more, body };
  }
  return { status: 200, type: JSON_TYPE, headers, body: landingPage(caller.base, ids) };
};

export const stacConformance: Handler<"stacConformance"> = async () => {
  const body = { conformsTo: [...CONFORMANCE] };
  return { status: 200, type: JSON_TYPE, headers: NO_CACHE, body };
};

export const stacApi: Handler<"stacApi"> = async (_, { contract }) => ({
  status: 200,
  type: "application/vnd.oai.openapi+json",
  headers: { ...NO_CACHE, "Content-Type": CONTRACT_TYPE },
  body: { text: contract },
});

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

export const stacQueryables: Handler<"stacQueryables"> = async (request, services) => {
  const index = indexOf(request, services);
  const ids = await projectIds(index);
  const standards = standardsOf(ids);
  const named = standards.map(async (standard): Promise<NamedValues> => {
    const projects = ids.filter((id) => standardOf(id) === standard);
    // Native names mean the values of all data, those of a standard only the values of its own.
    const collections = standard === undefined ? undefined : projects;
    return { projects, values: await listedValues(collections, projects, index) };
  });
  const common = await listedValues(undefined, [], index);
  const parts = [{ projects: [], values: common }, ...(await Promise.all(named))];
  return queryables(queryablesJson(stacRoot(request.caller.base), parts, true));
};

export const stacCollectionQueryables: Handler<"stacCollectionQueryables"> = async (
  request,
  services,
) => {
  const index = indexOf(request, services);
  const id = await requireProject(request.path.collection, index);
  const values = await listedValues([id], [id], index);
  const address = collectionAddress(stacRoot(request.caller.base), id);
  return queryables(queryablesJson(address, [{ projects: [id], values }], false));
};

const queryables = <B>(body: B) =>
  ({ status: 200, type: SCHEMA_TYPE, headers: NO_CACHE, body }) as const;
