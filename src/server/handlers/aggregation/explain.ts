import type { FacetTree } from "../../../domain/aggregation/facet-request.js";
import { whyQuery } from "../../../domain/aggregation/why.js";
import type { Handler } from "../../contract/operation.js";
import { why } from "../../formats/aggregation/why.js";
import { clientKey } from "../common/client-key.js";
import { taggedReply } from "../common/tagged-reply.js";
import { withFlavour } from "../flavours/requested-flavour.js";
import { recordSearch } from "../search/searched.js";
import { requestedSearch } from "../search/user-name-guard.js";
import type { Services } from "../services.js";
import { excludingSet } from "./excluding-set.js";
import { countNear, nearValuesOf } from "./near-values.js";

/** Explains how many files each constraint of a search excludes, and which exclude everything. */
export function explain(services: Services): Handler<"explain"> {
  const { solr } = services;
  return async (received) => {
    const request = await withFlavour(received, services);
    const { path, query, principal, signal } = request;
    const search = requestedSearch({ path, query }, principal);
    const question = whyQuery(search);
    const client = { clientKey: clientKey(request), signal };
    const found = await solr.aggregateFacets(question, client);
    recordSearch(request, search, found.found > 0);
    const ask = async (facets: FacetTree) =>
      (await solr.aggregateFacets({ ...question, facets }, client)).numbers;
    const excluding =
      found.found > 0 ? undefined : await excludingSet(question, found.numbers, ask);
    const unmatched = await countNear(await nearValuesOf(question, found.numbers, ask), ask);
    return taggedReply(request, why(question, found, unmatched, excluding));
  };
}
