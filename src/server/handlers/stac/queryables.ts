import type { Search } from "../../../domain/search/search.js";
import { allItems, collectionsClause } from "../../../domain/stac/item-search.js";
import type { Handler } from "../../contract/operation.js";
import { collectionAddress, SCHEMA_TYPE, stacRoot } from "../../formats/stac-api/links.js";
import { listedFields, MAX_LISTED, queryablesJson } from "../../formats/stac-api/queryables.js";
import type { Services } from "../services.js";
import { clientOf, type StacRequest, valuesIn } from "./known-values.js";
import { projectIds, requireProject } from "./projects.js";

const HEADERS = { "Cache-Control": "no-cache" } as const;

/** The properties of the items of all collections. */
export function stacQueryables(services: Services): Handler<"stacQueryables"> {
  return async (request) => {
    const ids = await projectIds(services, clientOf(request));
    const address = stacRoot(request.caller.base);
    return reply(await schema(request, address, ids, allItems(), true, services));
  };
}

/** Those of one collection. */
export function stacCollectionQueryables(services: Services): Handler<"stacCollectionQueryables"> {
  return async (request) => {
    const { path, caller } = request;
    const id = await requireProject(path.collection, services, clientOf(request));
    const address = collectionAddress(stacRoot(caller.base), id);
    const { filters } = allItems();
    const search = { filters: [...filters, collectionsClause([id])] };
    return reply(await schema(request, address, [id], search, false, services));
  };
}

const reply = <B>(body: B) => ({ status: 200, type: SCHEMA_TYPE, headers: HEADERS, body }) as const;

async function schema(
  request: StacRequest,
  address: string,
  projects: readonly string[],
  search: Search,
  isOpen: boolean,
  services: Services,
) {
  const fields = listedFields(projects);
  const values = await valuesIn(search, fields, MAX_LISTED, services, clientOf(request));
  return queryablesJson(`${address}/queryables`, projects, values, isOpen);
}
