import type { FacetTree } from "../../../domain/aggregation/facet-request.js";
import { valueFacet, whyQuery } from "../../../domain/aggregation/why.js";
import { buildSearch } from "../../../domain/search/search.js";
import type { Handler } from "../../contract/operation.js";
import { countOf } from "../../formats/aggregation/buckets.js";
import {
  type UnmatchedValue,
  unmatchedValues,
} from "../../formats/aggregation/unmatched-values.js";
import { why } from "../../formats/aggregation/why.js";
import { clientKey } from "../common/client-key.js";
import { taggedReply } from "../common/tagged-reply.js";
import { withFlavour } from "../flavours/requested-flavour.js";
import { tellSearch } from "../search/searched.js";
import type { Services } from "../services.js";
import { type CountFacets, excludingSet } from "./excluding-set.js";

/** Explains how many files each constraint of a search excludes, and which exclude everything. */
export function explain(services: Services): Handler<"explain"> {
  const { solr } = services;
  return async (asked) => {
    const request = await withFlavour(asked, services);
    const { path, query, signal } = request;
    const search = buildSearch({ path, query });
    const question = whyQuery(search);
    const client = { clientKey: clientKey(request), signal };
    const found = await solr.aggregateFacets(question, client);
    tellSearch(request, search, found.found > 0);
    const ask = async (facets: FacetTree) =>
      (await solr.aggregateFacets({ ...question, facets }, client)).numbers;
    const excluding =
      found.found > 0 ? undefined : await excludingSet(question, found.numbers, ask);
    const unmatched = await counted(unmatchedValues(question.constraints, found.numbers), ask);
    return taggedReply(request, why(question, found, unmatched, excluding));
  };
}

/** Counts the documents of near values whose number is not known yet. */
async function counted(
  unmatched: readonly UnmatchedValue[],
  ask: CountFacets,
): Promise<readonly UnmatchedValue[]> {
  const open = unmatched.flatMap(({ constraint, near }) =>
    near.filter(({ isCounted }) => !isCounted).map((one) => ({ constraint, one })),
  );
  if (open.length === 0) return unmatched;
  const facets = open.map(
    ({ constraint, one }, index) => [`near_${index}`, valueFacet(constraint, one.value)] as const,
  );
  const numbers = await ask(Object.fromEntries(facets));
  const counts = new Map(open.map(({ one }, index) => [one, countOf(numbers, `near_${index}`)]));
  return unmatched.map(({ near, ...rest }) => ({
    ...rest,
    near: near
      .map((one) => ({ ...one, count: counts.get(one) ?? one.count }))
      .filter(({ count }) => count > 0),
  }));
}
