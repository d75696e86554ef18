import type { components } from "../../../../generated/openapi.js";
import type { FacetTree } from "../../../domain/aggregation/facet-request.js";
import { type ProbedConstraint, whyQuery } from "../../../domain/aggregation/why.js";
import { countOf } from "../../formats/aggregation/buckets.js";
import { taggedReply } from "../common/tagged-reply.js";
import { withFlavour } from "../flavours/requested-flavour.js";
import { recordSearch, searchOf } from "../search/requested-search.js";
import type { Handler } from "../services.js";
import { excludingSet } from "./excluding-set.js";
import { countNear, nearValuesOf } from "./near-values.js";

/** Explains how many files each constraint of a search excludes, and which exclude everything. */
export const explain: Handler<"explain"> = async (received, services) => {
  const { solr } = services;
  const request = await withFlavour(received, services);
  const { search, client } = searchOf(request);
  const question = whyQuery(search);
  const { found, numbers } = await solr.aggregateFacets(question, client);
  recordSearch(request, search, found > 0);
  const ask = async (facets: FacetTree) =>
    (await solr.aggregateFacets({ ...question, facets }, client)).numbers;
  const excluding = found > 0 ? undefined : await excludingSet(question, numbers, ask);
  const unmatched = await countNear(await nearValuesOf(question, numbers, ask), ask);
  return taggedReply(request, {
    total_count: found,
    constraints: question.constraints.map((probed) => ({
      name: keyOf(probed),
      values: [...probed.values],
      count_without: countOf(numbers, probed.without),
      unmatched: unmatched
        .filter(({ constraint }) => constraint.tag === probed.tag)
        .map(({ value, near }) => ({
          value,
          near: near.map(({ value, count }) => ({ value, count })),
        })),
    })),
    excluding: excluding?.map(keyOf) ?? null,
  } satisfies components["schemas"]["Why"]);
};

/** A constraint's key in a search. */
const keyOf = ({ name, included }: ProbedConstraint): string => (included ? name : `${name}_not_`);
