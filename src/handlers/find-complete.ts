import type { Handler } from "../contract/operation.js";
import { invalidParameter } from "../errors.js";
import { complete } from "../formats/complete.js";
import { groupQuestion } from "../query/group-question.js";
import { requirementOf } from "../query/requirement.js";
import { buildSearch } from "../query/search.js";
import { withFlavour } from "./asked-flavour.js";
import { callerKey } from "./caller-key.js";
import { catalogueSource } from "./catalogue-search.js";
import { tellSearch } from "./searched.js";
import type { Services } from "./services.js";
import { taggedReply } from "./tagged-reply.js";

/** Which groups of what is found have everything that is needed, and what the others lack. */
export function findComplete(services: Services): Handler<"findComplete"> {
  const { solr } = services;
  return async (asked) => {
    const { path: place, ...request } = await withFlavour(asked, services);
    const path = { ...place, uniq_key: "file" } as const;
    const { query, signal } = request;
    const search = buildSearch({ path, query });
    const requirement = requirementOf({ path, query }, search);
    if (requirement === undefined) {
      const reason = "must say of which groups, as must require_all_on where it stands instead";
      throw invalidParameter("group_by", reason);
    }
    const asker = { caller: callerKey(request), signal };
    const groups = await solr.completeGroups(groupQuestion(search, requirement), asker);
    tellSearch({ ...request, path }, search, groups.count > 0);
    return taggedReply(
      request,
      complete(groups, query.near, catalogueSource({ ...request, path })),
    );
  };
}
