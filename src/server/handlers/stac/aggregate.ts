/** Counts items. Source: stac-api-extensions/aggregation, 0.3.0. */
import type { ItemSearchInput } from "../../../domain/stac/item-search.js";
import type { SearchClient } from "../../../index/query/query-admission.js";
import type { Handler, Request } from "../../contract/operation.js";
import {
  aggregationLinks,
  collectionAddress,
  JSON_TYPE,
  link,
  rootLink,
  type StacAggregations,
  stacRoot,
} from "../../formats/stac-api/links.js";
import type { Services } from "../services.js";
import { aggregationNamed, aggregationsOf, countedItems, describe } from "./aggregations.js";
import { builtSearch, clientOf, recordItemSearch, type StacRequest } from "./known-values.js";
import { projectIds, requireProject } from "./projects.js";
import { invalidPart, searchOfBody, searchOfQuery } from "./requested-items.js";

const HEADERS = { "Cache-Control": "no-cache" } as const;
const USUAL = ["total_count"];

const reply = (
  aggregations: StacAggregations["aggregations"],
  address: string,
  { caller }: StacRequest,
) => {
  const root = stacRoot(caller.base);
  const links = [
    rootLink(root),
    ...aggregationLinks(address),
    link("parent", address, JSON_TYPE, "What is counted"),
  ];
  const body: StacAggregations = { type: "AggregationCollection", aggregations, links };
  return { status: 200, type: JSON_TYPE, headers: HEADERS, body } as const;
};

export function stacAggregations(services: Services): Handler<"stacAggregations"> {
  return async (request) => {
    const ids = await projectIds(services, clientOf(request));
    return reply(describe(aggregationsOf(ids)), stacRoot(request.caller.base), request);
  };
}

export function stacCollectionAggregations(
  services: Services,
): Handler<"stacCollectionAggregations"> {
  return async (request) => {
    const id = await requireProject(request.path.collection, services, clientOf(request));
    const address = collectionAddress(stacRoot(request.caller.base), id);
    return reply(describe(aggregationsOf([id])), address, request);
  };
}

/** The aggregations to compute, the items they cover, and the part of the request that names them. */
interface Counting {
  readonly request: StacRequest;
  readonly names: readonly string[];
  readonly input: ItemSearchInput;
  readonly location: "query" | "body";
  readonly projects: readonly string[];
}

async function counted(
  { request, names, input, location, projects }: Counting,
  services: Services,
  client: SearchClient,
): Promise<StacAggregations["aggregations"]> {
  const known = aggregationsOf(projects);
  const chosen = names.map((name) => {
    const found = aggregationNamed(name, known);
    if (found !== undefined) return found;
    const list = known.map((one) => one.name).join(", ");
    const reason = `has ${JSON.stringify(name.slice(0, 100))}; the aggregations are ${list}`;
    throw invalidPart("aggregations", reason, location);
  });
  const search = await builtSearch(input, location, services, client);
  const { matched, aggregations } = await countedItems(chosen, search, services, client);
  recordItemSearch(request, input, matched);
  return aggregations;
}

const namesIn = (text: string | undefined): readonly string[] => {
  const names = (text ?? "").split(",").map((name) => name.trim());
  const given = [...new Set(names.filter((name) => name !== ""))];
  return given.length === 0 ? USUAL : given;
};

const namesOf = (names: readonly string[] | undefined): readonly string[] =>
  names === undefined || names.length === 0 ? USUAL : [...new Set(names)];

export function stacAggregate(services: Services): Handler<"stacAggregate"> {
  return async (request) => {
    const { aggregations, ...query } = request.query;
    const client = clientOf(request);
    const input = searchOfQuery(query);
    const projects = await projectIds(services, client);
    const names = namesIn(aggregations);
    const counting = { request, names, input, location: "query", projects } as const;
    return reply(await counted(counting, services, client), stacRoot(request.caller.base), request);
  };
}

export function postStacAggregate(services: Services): Handler<"postStacAggregate"> {
  return async (request) => {
    const client = clientOf(request);
    const input = searchOfBody(request.body);
    const projects = await projectIds(services, client);
    const names = namesOf(request.body.aggregations);
    const counting = { request, names, input, location: "body", projects } as const;
    return reply(await counted(counting, services, client), stacRoot(request.caller.base), request);
  };
}

async function inCollection(
  request: StacRequest & { readonly path: Request<"stacCollectionAggregate">["path"] },
  services: Services,
  ask: (
    more: Pick<ItemSearchInput, "collections" | "isStrict">,
  ) => Omit<Counting, "projects" | "request">,
) {
  const client = clientOf(request);
  const id = await requireProject(request.path.collection, services, client);
  const counting = { request, ...ask({ collections: [id], isStrict: true }), projects: [id] };
  const address = collectionAddress(stacRoot(request.caller.base), id);
  return reply(await counted(counting, services, client), address, request);
}

export function stacCollectionAggregate(services: Services): Handler<"stacCollectionAggregate"> {
  return (request) =>
    inCollection(request, services, (more) => {
      const { aggregations, ...query } = request.query;
      return { names: namesIn(aggregations), input: searchOfQuery(query, more), location: "query" };
    });
}

export function postStacCollectionAggregate(
  services: Services,
): Handler<"postStacCollectionAggregate"> {
  return (request) =>
    inCollection(request, services, (more) => ({
      names: namesOf(request.body.aggregations),
      input: searchOfBody(request.body, more),
      location: "body",
    }));
}
