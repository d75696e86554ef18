import { standardOf, standardsOf } from "../../../domain/stac/properties.js";
import { collectionAddress, SCHEMA_TYPE, stacRoot } from "../../formats/stac-api/links.js";
import { type NamedValues, queryablesJson } from "../../formats/stac-api/queryables.js";
import { NO_CACHE } from "../common/caching.js";
import type { Handler } from "../services.js";
import { indexOf, listedValues } from "./known-values.js";
import { projectIds, requireProject } from "./projects.js";

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
  return reply(queryablesJson(stacRoot(request.caller.base), parts, true));
};

export const stacCollectionQueryables: Handler<"stacCollectionQueryables"> = async (
  request,
  services,
) => {
  const index = indexOf(request, services);
  const id = await requireProject(request.path.collection, index);
  const values = await listedValues([id], [id], index);
  const address = collectionAddress(stacRoot(request.caller.base), id);
  return reply(queryablesJson(address, [{ projects: [id], values }], false));
};

const reply = <B>(body: B) =>
  ({ status: 200, type: SCHEMA_TYPE, headers: NO_CACHE, body }) as const;
