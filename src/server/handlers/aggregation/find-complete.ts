import { groupQuery } from "../../../domain/completeness/group-query.js";
import { requirementOf } from "../../../domain/completeness/requirement.js";
import { invalidParameter } from "../../../domain/errors.js";
import type { Handler } from "../../contract/operation.js";
import { complete } from "../../formats/aggregation/complete.js";
import { catalogueSource } from "../catalogues/catalogue-source.js";
import { clientKey } from "../common/client-key.js";
import { taggedReply } from "../common/tagged-reply.js";
import { withFlavour } from "../flavours/requested-flavour.js";
import { recordSearch } from "../search/searched.js";
import { requestedSearch } from "../search/user-name-guard.js";
import type { Services } from "../services.js";

/** Finds the complete groups of files, and what the others lack. */
export function findComplete(services: Services): Handler<"findComplete"> {
  const { solr } = services;
  return async (received) => {
    const { path: named, ...request } = await withFlavour(received, services);
    const path = { ...named, uniq_key: "file" } as const;
    const { query, principal, signal } = request;
    const search = requestedSearch({ path, query }, principal);
    const requirement = requirementOf({ path, query }, search);
    if (requirement === undefined) {
      const reason = "must say of which groups, as must require_all_on where it stands instead";
      throw invalidParameter("group_by", reason);
    }
    const client = { clientKey: clientKey(request), signal };
    const groups = await solr.completeGroups(groupQuery(search, requirement), client);
    recordSearch({ ...request, path }, search, groups.count > 0);
    return taggedReply(
      request,
      complete(groups, query.near, catalogueSource({ ...request, path })),
    );
  };
}
