/** Finds values of a search that no entry has. Most of them are misspelled. */
import { counting, type FacetTree } from "../../../domain/aggregation/facet-request.js";
import { nearQuery } from "../../../domain/aggregation/why.js";
import type { UnknownValue } from "../../../domain/errors.js";
import { type NamedValue, namedValues } from "../../../domain/search/named-values.js";
import type { FacetSearch } from "../../../domain/search/search.js";
import { lowerCase } from "../../../domain/text/case-folding.js";
import type { FacetCounts } from "../../../index/query/facets.js";
import type { SearchClient } from "../../../index/query/query-admission.js";
import { countOf } from "../../formats/aggregation/buckets.js";
import { nearValuesOf } from "../aggregation/explain.js";
import type { Services } from "../services.js";

const MAX_REPORTED = 20;
const MAX_NEAR = 3;
/** Milliseconds that a complete answer waits for this check. */
const TIMEOUT_MS = 1000;

/** The search's own answer, which shows values that exist. */
interface Evidence {
  readonly isFound: boolean;
  readonly counts?: FacetCounts["counts"];
}

/** The values that no entry has; undefined if the check failed or took too long. */
type Check = (evidence: Evidence) => Promise<readonly UnknownValue[] | undefined>;

/**
 * Begins to find out which values of a search no entry has, beside the search. Solr is queried only where the search itself
 * does not show it.
 *
 * @param counted fields of which the search will show all values that it finds
 */
export function checkValues(
  { constraints, population }: FacetSearch,
  solr: Services["solr"],
  client: SearchClient,
  counted: readonly string[] = [],
): Check {
  const values = namedValues(constraints);
  if (values.length === 0) return async () => [];
  let late: AbortController | undefined;
  const count = async (facets: FacetTree, isHeavy = false) => {
    late ??= new AbortController();
    const signals = [late.signal, ...(client.signal ? [client.signal] : [])];
    const untilLate = { ...client, signal: AbortSignal.any(signals) };
    return (await solr.aggregateFacets({ ...population, facets, isHeavy }, untilLate)).numbers;
  };
  const missing = async (some: readonly NamedValue[]): Promise<readonly NamedValue[]> => {
    const facets = some.map(({ clause }, index) => [`v${index}`, counting(clause)] as const);
    const numbers = await count(Object.fromEntries(facets));
    return some.filter((_, index) => countOf(numbers, `v${index}`) === 0);
  };
  const mayShow = (one: NamedValue): boolean =>
    one.isAlone || (one.constraint.included && counted.includes(one.field));
  const early = values.every(mayShow) ? undefined : missing(values);
  // It may fail before it is awaited.
  early?.catch(() => {});
  return async ({ isFound, counts }) => {
    const isShown = (one: NamedValue): boolean =>
      (one.isAlone && isFound) ||
      counts?.get(one.field as never)?.has(lowerCase(one.value)) === true;
    const open = values.filter((one) => !isShown(one));
    if (open.length === 0) return [];
    const find = async () =>
      withNear((await (early ?? missing(open))).filter((one) => !isShown(one)));
    // Without it, an answer is still an answer.
    const timer = setTimeout(() => late?.abort(), TIMEOUT_MS);
    return find()
      .catch(() => undefined)
      .finally(() => clearTimeout(timer));
  };

  async function withNear(missing: readonly NamedValue[]): Promise<readonly UnknownValue[]> {
    const distinct = new Map(missing.map((one) => [`${one.field}\n${one.value}`, one]));
    const reported = [...distinct.values()].slice(0, MAX_REPORTED);
    if (reported.length === 0) return [];
    const question = nearQuery(
      population,
      reported.map(({ constraint, written, clause }) => ({
        ...constraint,
        included: true,
        values: [written],
        clauses: [clause],
      })),
    );
    const near = await count(question.facets, question.isHeavy)
      .then((numbers) => nearValuesOf(question, numbers, count))
      .catch(() => []);
    return reported.map(({ constraint: { name }, value }, index) => {
      const found = near.find(({ constraint }) => constraint === question.constraints[index]);
      const values = found?.near.slice(0, MAX_NEAR).map((one) => one.value) ?? [];
      return { name, value, near: values };
    });
  }
}
