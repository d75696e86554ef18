/** Counts items. Source: stac-api-extensions/aggregation, 0.3.0. */
import { invalidParameter } from "../../../domain/errors.js";
import type { ItemSearchInput } from "../../../domain/stac/item-search.js";
import type { AnyRequest, Request } from "../../contract/operation.js";
import {
  aggregationLinks,
  collectionAddress,
  JSON_TYPE,
  link,
  rootLink,
  type StacAggregations,
  stacRoot,
} from "../../formats/stac-api/links.js";
import { NO_CACHE } from "../common/caching.js";
import type { Handler, Services } from "../services.js";
import { aggregationNamed, aggregationsOf, countedItems, describe } from "./aggregations.js";
import {
  builtSearch,
  indexOf,
  projectIds,
  recordItemSearch,
  requireProject,
} from "./known-values.js";
import { searchOfBody, searchOfQuery } from "./requested-items.js";

const USUAL = ["total_count"];
/** As many as a body may name. */
const MAX_NAMED = 100;

/** @param collection undefined for all */
const reply = (
  aggregations: StacAggregations["aggregations"],
  collection: string | undefined,
  { caller }: AnyRequest,
) => {
  const root = stacRoot(caller.base);
  const address = collection === undefined ? root : collectionAddress(root, collection);
  const links = [
    rootLink(root),
    ...aggregationLinks(address),
    link("parent", address, JSON_TYPE, "What is counted"),
  ];
  const body: StacAggregations = { type: "AggregationCollection", aggregations, links };
  return { status: 200, type: JSON_TYPE, headers: NO_CACHE, body } as const;
};

export const stacAggregations: Handler<"stacAggregations"> = async (request, services) => {
  const ids = await projectIds(indexOf(request, services));
  return reply(describe(aggregationsOf(ids)), undefined, request);
};

export const stacCollectionAggregations: Handler<"stacCollectionAggregations"> = async (
  request,
  services,
) => {
  const id = await requireProject(request.path.collection, indexOf(request, services));
  return reply(describe(aggregationsOf([id])), id, request);
};

/** The aggregations to compute, the items they cover, and the part of the request that names them. */
interface Counting {
  readonly names: readonly string[];
  readonly input: ItemSearchInput;
  readonly location: "query" | "body";
}

/** Restricts a search to a collection. */
type More = Pick<ItemSearchInput, "collections" | "isStrict">;

async function counted(
  request: AnyRequest & { readonly path: { readonly collection?: string } },
  services: Services,
  read: (more: More) => Counting,
) {
  const index = indexOf(request, services);
  const { collection } = request.path;
  const id = collection === undefined ? undefined : await requireProject(collection, index);
  const more = id === undefined ? {} : { collections: [id], isStrict: true };
  const { names, input, location } = read(more);
  const known = aggregationsOf(id === undefined ? await projectIds(index) : [id]);
  const chosen = names.map((name) => {
    const found = aggregationNamed(name, known);
    if (found !== undefined) return found;
    const list = known.map((one) => one.name).join(", ");
    const reason = `has ${JSON.stringify(name.slice(0, 100))}; the aggregations are ${list}`;
    throw invalidParameter("aggregations", reason, location);
  });
  const search = await builtSearch(input, location, index);
  const { matched, aggregations } = await countedItems(chosen, search, index);
  recordItemSearch(request, input, matched);
  return reply(aggregations, id, request);
}

type Query = Request<"stacAggregate" | "stacCollectionAggregate">["query"];

function ofQuery({ aggregations = "", ...query }: Query, more: More): Counting {
  const given = aggregations.split(",").map((name) => name.trim());
  const names = [...new Set(given.filter((name) => name !== ""))];
  if (names.length > MAX_NAMED) {
    throw invalidParameter("aggregations", `must be at most ${MAX_NAMED}`, "query");
  }
  return {
    names: names.length === 0 ? USUAL : names,
    input: searchOfQuery(query, more),
    location: "query",
  };
}

type Body = Request<"postStacAggregate" | "postStacCollectionAggregate">["body"];

const ofBody = (body: Body, more: More): Counting => ({
  names: body.aggregations?.length ? [...new Set(body.aggregations)] : USUAL,
  input: searchOfBody(body, more),
  location: "body",
});

export const stacAggregate: Handler<"stacAggregate"> = (request, services) =>
  counted(request, services, (more) => ofQuery(request.query, more));

export const postStacAggregate: Handler<"postStacAggregate"> = (request, services) =>
  counted(request, services, (more) => ofBody(request.body, more));

export const stacCollectionAggregate: Handler<"stacCollectionAggregate"> = (request, services) =>
  counted(request, services, (more) => ofQuery(request.query, more));

export const postStacCollectionAggregate: Handler<"postStacCollectionAggregate"> = (
  request,
  services,
) => counted(request, services, (more) => ofBody(request.body, more));
