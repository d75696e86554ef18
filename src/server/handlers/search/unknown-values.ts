/** Finds values of a search that no entry has. Most of them are misspelled. */
import type { UnknownValue } from "../../../domain/errors.js";
import type { FacetSearch, NamedValue } from "../../../domain/search/search.js";
import { lowerCase } from "../../../domain/text/case-folding.js";
import { nearest } from "../../../domain/text/nearest-names.js";
import { COUNTABLE_DETAILS } from "../../../domain/vocabulary/details.js";
import { FACET_NAMES } from "../../../domain/vocabulary/facets.js";
import type { FacetCounts } from "../../../index/query/facets.js";
import type { SearchClient } from "../../../index/query/query-admission.js";
import type { Services } from "../services.js";

/** Unknown values in one answer. */
const MAX_REPORTED = 20;
/** Milliseconds that a complete answer waits for this check. */
const TIMEOUT_MS = 1000;
/** Values compared for one answer. More would take longer than a tenth of a second. */
const MAX_COMPARED = 40_000;
const MAX_NEAR = 3;

/** The search's own answer, which shows values that exist. */
export interface Evidence {
  /** Whether anything was found. */
  readonly isFound: boolean;
  readonly counts?: FacetCounts["counts"];
}

/** The values that no entry has; undefined if the check failed or took too long. */
export type Check = (evidence: Evidence) => Promise<readonly UnknownValue[] | undefined>;

/** Characters in which a value may differ from the values suggested for it. */
const farthest = (value: string): number => Math.min(3, 1 + Math.floor(value.length / 4));

const isFacet = (field: string): boolean =>
  field === "version" || [...FACET_NAMES, ...COUNTABLE_DETAILS].some((facet) => facet === field);

/**
 * Begins to find out which values of a search no entry has, beside the search. Solr is asked only where neither the
 * search itself nor one of late shows it.
 *
 * @param counted fields of which the search will show all values that it finds
 */
export function checkValues(
  { values, population }: FacetSearch,
  solr: Services["solr"],
  client: SearchClient,
  counted: readonly string[] = [],
): Check {
  const open = values.filter((value) => !solr.values.has(population, value));
  if (open.length === 0) return async () => [];
  let late: AbortController | undefined;
  const untilLate = (): SearchClient => {
    late ??= new AbortController();
    const signals = [late.signal, ...(client.signal ? [client.signal] : [])];
    return { ...client, signal: AbortSignal.any(signals) };
  };
  const ask = (some: readonly NamedValue[]) => solr.values.missing(population, some, untilLate());
  const mayShow = ({ included, alone, field }: NamedValue): boolean =>
    alone || (included && counted.includes(field));
  const early = open.every(mayShow) ? undefined : ask(open);
  // It may fail before anybody waits for it.
  early?.catch(() => {});
  return async ({ isFound, counts }) => {
    const isShown = ({ field, value, alone }: NamedValue): boolean =>
      (alone && isFound) || counts?.get(field as never)?.has(lowerCase(value)) === true;
    const shown = open.filter(isShown);
    solr.values.note(population, shown);
    if (shown.length === open.length) return [];
    const find = async () => {
      const missing = await (early ?? ask(open.filter((value) => !isShown(value))));
      return withNear(missing.filter((value) => !isShown(value)));
    };
    // Without it, an answer is still an answer.
    const timer = setTimeout(() => late?.abort(), TIMEOUT_MS);
    return find()
      .catch(() => undefined)
      .finally(() => clearTimeout(timer));
  };

  async function withNear(missing: readonly NamedValue[]): Promise<readonly UnknownValue[]> {
    const distinct = new Map(missing.map((value) => [`${value.field}\n${value.value}`, value]));
    const reported = [...distinct.values()].slice(0, MAX_REPORTED);
    const fields = [...new Set(reported.map(({ field }) => field))].filter(isFacet);
    const known =
      fields.length === 0
        ? undefined
        : await solr.values.spellings(population, fields, untilLate()).catch(() => undefined);
    let left = MAX_COMPARED;
    return reported.map(({ name, field, value }) => {
      const candidates = (known?.get(field) ?? []).slice(0, left);
      left -= candidates.length;
      return { name, value, near: nearest(value, candidates, MAX_NEAR, farthest(value)) };
    });
  }
}
