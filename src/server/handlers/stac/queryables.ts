import { standardOf, standardsOf } from "../../../domain/stac/properties.js";
import type { Handler } from "../../contract/operation.js";
import { collectionAddress, SCHEMA_TYPE, stacRoot } from "../../formats/stac-api/links.js";
import { type NamedValues, queryablesJson } from "../../formats/stac-api/queryables.js";
import type { Services } from "../services.js";
import { clientOf, listedValues } from "./known-values.js";
import { projectIds, requireProject } from "./projects.js";

const HEADERS = { "Cache-Control": "no-cache" } as const;

/** The properties of the items of all collections. */
export function stacQueryables(services: Services): Handler<"stacQueryables"> {
  return async (request) => {
    const client = clientOf(request);
    const ids = await projectIds(services, client);
    const standards = standardsOf(ids);
    const named = standards.map(async (standard): Promise<NamedValues> => {
      const projects = ids.filter((id) => standardOf(id) === standard);
      // Native names mean the values of all data, those of a standard only the values of its own.
      const collections = standard === undefined ? undefined : projects;
      return { projects, values: await listedValues(collections, projects, services, client) };
    });
    const common = await listedValues(undefined, [], services, client);
    const parts = [{ projects: [], values: common }, ...(await Promise.all(named))];
    return reply(queryablesJson(stacRoot(request.caller.base), parts, true));
  };
}

/** Those of one collection. */
export function stacCollectionQueryables(services: Services): Handler<"stacCollectionQueryables"> {
  return async (request) => {
    const client = clientOf(request);
    const id = await requireProject(request.path.collection, services, client);
    const values = await listedValues([id], [id], services, client);
    const address = collectionAddress(stacRoot(request.caller.base), id);
    return reply(queryablesJson(address, [{ projects: [id], values }], false));
  };
}

const reply = <B>(body: B) => ({ status: 200, type: SCHEMA_TYPE, headers: HEADERS, body }) as const;
