/** Counts what suggestions find. */
import { facetCountSearch } from "../../../domain/aggregation/counted-facets.js";
import { counting, eachValue, type FacetTree } from "../../../domain/aggregation/facet-request.js";
import { startsWith } from "../../../domain/search/lucene.js";
import type { FacetSearch } from "../../../domain/search/search.js";
import { type Candidate, type Counted, inOrder } from "../../../domain/suggestions/candidates.js";
import {
  ALL_TAKEN,
  countName,
  countRequest,
  type Selects,
} from "../../../domain/suggestions/narrowing.js";
import type { Known, TypedPart } from "../../../domain/suggestions/read-typed.js";
import type { CountedField } from "../../../domain/vocabulary/facets.js";
import type { Numbers } from "../../../index/query/facet-aggregations.js";
import type { FacetCounts } from "../../../index/query/facets.js";
import type { SearchClient } from "../../../index/query/query-admission.js";
import { countOf, numbersIn, spelledValues } from "../../formats/aggregation/buckets.js";
import type { Services } from "../services.js";

/** Candidates of a part that Solr counts. */
export const MAX_COUNTED = 20;
/** Datasets whose names begin with a typed text. */
const MAX_DATASETS = 10;

/** The facet of a typed text. */
const datasetsName = (index: number): string => `t${index}`;

export interface SuggestedPart {
  readonly text: string;
  readonly suggestions: readonly Counted[];
}

interface Narrowing {
  readonly parts: readonly SuggestedPart[];
  /** The best of each part. */
  readonly taken: readonly Candidate[];
  /** Files that the search finds with all of them; undefined if nothing is taken. */
  readonly count?: number;
}

export class SuggestionCounts {
  readonly #solr: Services["solr"];
  readonly #search: FacetSearch;
  readonly #client: SearchClient;

  constructor(solr: Services["solr"], search: FacetSearch, client: SearchClient) {
    this.#solr = solr;
    this.#search = search;
    this.#client = client;
  }

  /** The values of the search, and the alternatives to those that it names. */
  values(facets: readonly CountedField[]): Promise<FacetCounts> {
    return this.#solr.countFacets(facetCountSearch(this.#search), { facets, ...this.#client });
  }

  /** The values of all searches of the flavour, which are cached until the index changes. */
  everywhere(facets: readonly CountedField[]): Promise<FacetCounts> {
    const everything = facetCountSearch({ ...this.#search, constraints: [] });
    return this.#solr.countFacets(everything, { facets, ...this.#client });
  }

  /** Datasets of the search whose names begin with each text, those of most files first. */
  async datasets(texts: readonly string[]): Promise<Known["datasets"]> {
    if (texts.length === 0) return new Map();
    const values = { of: { ...eachValue("dataset_id"), limit: MAX_DATASETS } };
    const facets: FacetTree = Object.fromEntries(
      texts.map((text, index) => {
        const clause = startsWith("dataset_id", text.toLowerCase());
        return [datasetsName(index), counting(clause, "", values)] as const;
      }),
    );
    const { filters } = this.#search;
    const { numbers } = await this.#solr.aggregateFacets({ filters, facets }, this.#client);
    return new Map(
      texts.map((text, index) => [text, datasetsIn(numbersIn(numbers, datasetsName(index)))]),
    );
  }

  /**
   * Counts the candidates of each part within the search and what is taken of the parts before, and takes the best.
   *
   * One request counts all parts, with the best ones as they seem so far. Where another one turns out to be the best, the
   * parts after it are counted again.
   */
  async narrowing(typed: readonly TypedPart[], selects: Selects): Promise<Narrowing> {
    const best = typed.map(({ candidates: [first] }) => first);
    const parts: SuggestedPart[] = [];
    for (;;) {
      const from = parts.length;
      const open = typed.slice(from).map((part, index) => {
        const taken = best.slice(0, from + index).filter(isTaken);
        return { ...part, taken, candidates: toCount(part, taken) };
      });
      const taken = best.filter(isTaken);
      const { filters, facets } = countRequest(this.#search, open, taken, selects);
      const { numbers } =
        Object.keys(facets).length === 0
          ? { numbers: { count: 0 } }
          : await this.#solr.aggregateFacets({ filters, facets }, this.#client);
      let isCertain = true;
      for (const [index, { text, taken, candidates }] of open.entries()) {
        const counts = new Map(
          candidates.map((one, at) => [one, countOf(numbers, countName(index, at))]),
        );
        const all = typed[from + index]?.candidates ?? [];
        const suggestions = suggested(all, counts, taken.length === 0);
        if (isCertain) parts.push({ text, suggestions });
        const [first] = suggestions;
        const found = first !== undefined && first.count > 0 ? first : undefined;
        if (!isSame(found, best[from + index])) isCertain = false;
        best[from + index] = found;
      }
      if (isCertain) {
        return { parts, taken, ...(taken.length > 0 && { count: countOf(numbers, ALL_TAKEN) }) };
      }
    }
  }
}

const isTaken = (one: Candidate | undefined): one is Candidate => one !== undefined;

const isSame = (a: Candidate | undefined, b: Candidate | undefined): boolean =>
  a?.kind === b?.kind && a?.name === b?.name && a?.value === b?.value;

/** The count of a candidate that the counts of the search say, before anything is taken. */
const ownCount = ({ count, isExcluded }: Candidate): number | undefined =>
  isExcluded ? undefined : count;

/** The candidates to count: before anything is taken, those of which the counts of the search say nothing. */
const toCount = ({ candidates }: TypedPart, taken: readonly Candidate[]): readonly Candidate[] =>
  candidates.filter((one) => taken.length > 0 || ownCount(one) === undefined).slice(0, MAX_COUNTED);

/** The counted candidates, best first. @param isWide whether their own counts hold */
const suggested = (
  candidates: readonly Candidate[],
  counts: ReadonlyMap<Candidate, number>,
  isWide: boolean,
): Counted[] =>
  candidates
    .flatMap((one) => {
      const count = counts.get(one) ?? (isWide ? ownCount(one) : undefined);
      return count === undefined ? [] : [{ ...one, count }];
    })
    .sort(inOrder);

const datasetsIn = (numbers: Numbers | undefined): (readonly [string, number])[] =>
  spelledValues(numbers?.of)
    .sort((a, b) => b.count - a.count)
    .map(({ value, count }) => [value, count] as const);
