import type { components } from "../../../../generated/openapi.js";
import { growingSets, setFacets } from "../../../domain/aggregation/excluding-sets.js";
import type { FacetTree } from "../../../domain/aggregation/facet-request.js";
import { type ProbedConstraint, type WhyQuery, whyQuery } from "../../../domain/aggregation/why.js";
import { EXCLUDES } from "../../../domain/vocabulary/query-words.js";
import type { Numbers } from "../../../index/query/facet-aggregations.js";
import { countOf } from "../../formats/aggregation/buckets.js";
import { taggedReply } from "../common/tagged-reply.js";
import { withFlavour } from "../flavours/requested-flavour.js";
import { recordSearch, searchOf } from "../search/requested-search.js";
import type { Handler } from "../services.js";
import { type CountFacets, countNear, nearValuesOf } from "./near-values.js";

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
const keyOf = ({ name, included }: ProbedConstraint): string => (included ? name : name + EXCLUDES);

/**
 * A minimal set of constraints that together exclude everything: a smallest one if the query has counted all sets of its
 * size; else the set that is left after removing constraints one by one, with a request for each that stays. Undefined if
 * something is found.
 */
async function excludingSet(
  { constraints, sets }: WhyQuery,
  numbers: Numbers,
  ask: CountFacets,
): Promise<readonly ProbedConstraint[] | undefined> {
  const smallest = sets.find(({ count }) => countOf(numbers, count) === 0);
  if (smallest !== undefined) return smallest.members;
  // If something is found without a constraint, every excluding set contains it.
  let kept = constraints.filter(({ without }) => countOf(numbers, without) > 0);
  let open = constraints.filter((one) => !kept.includes(one));
  for (;;) {
    const growing = growingSets(kept, open);
    const counted = await ask(setFacets(growing, constraints));
    const enough = growing.findIndex(({ count }) => countOf(counted, count) === 0);
    if (enough < 0) return undefined;
    const last = open[enough - 1];
    if (last === undefined) return kept;
    // Without it, the kept constraints and all before it do not exclude everything.
    kept = [...kept, last];
    open = open.slice(0, enough - 1);
  }
}
