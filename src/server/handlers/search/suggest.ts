import { countedFacets, facetCountSearch } from "../../../domain/aggregation/counted-facets.js";
import { eachValue, type FacetTree } from "../../../domain/aggregation/facet-request.js";
import { startsWith, uncached } from "../../../domain/search/lucene.js";
import type { FacetSearch } from "../../../domain/search/search.js";
import { knownField } from "../../../domain/suggestions/known-values.js";
import { countName, countRequest, narrowed } from "../../../domain/suggestions/narrowing.js";
import {
  type Candidate,
  type Counted,
  datasetTexts,
  inOrder,
  type Known,
  readTyped,
  type TypedPart,
  valuesBeginning,
} from "../../../domain/suggestions/read-typed.js";
import type { CountedField } from "../../../domain/vocabulary/facets.js";
import { translation } from "../../../domain/vocabulary/flavours.js";
import type { Numbers } from "../../../index/query/facet-aggregations.js";
import type { FacetCounts } from "../../../index/query/facets.js";
import type { SearchClient } from "../../../index/query/query-admission.js";
import type { Handler } from "../../contract/operation.js";
import { countOf, numbersIn, spelledValues } from "../../formats/aggregation/buckets.js";
import { type SuggestedPart, suggestions } from "../../formats/aggregation/suggestions.js";
import { clientKey } from "../common/client-key.js";
import { taggedReply } from "../common/tagged-reply.js";
import { withFlavour } from "../flavours/requested-flavour.js";
import type { Services } from "../services.js";
import { guardUserNames, requestedSearch } from "./user-name-guard.js";

/** Candidates of a part that Solr counts, of a text with several parts. */
const MAX_COUNTED = 20;
/** Datasets whose names begin with a typed text. */
const MAX_DATASETS = 10;
/** Names of variables that files give themselves, besides the codes. */
const NAMES = ["standard_name", "long_name"] as const;

/** Suggests meanings of a typed text: values, periods, regions and datasets, each with the number of files it finds. */
export function suggest(services: Services): Handler<"suggest"> {
  const { solr } = services;
  return async (received) => {
    const request = await withFlavour(received, services);
    const { path, query, principal, signal } = request;
    const { text = "", begins, limit } = query;
    const place = { flavour: path.flavour, uniq_key: "file" } as const;
    const facets = countedFacets({ path: place, query });
    guardUserNames(facets, principal);
    const search = requestedSearch({ path: place, query }, principal);
    const client = { clientKey: clientKey(request), signal };
    const counter = new Counter(solr, search, client);
    const [counts, names, datasets] = await Promise.all([
      counter.counts(facets),
      begins || query.facets !== undefined ? undefined : counter.counts(NAMES),
      begins ? new Map() : counter.datasets(datasetTexts(text)),
    ]);
    const { name } = translation(path.flavour, query.translate);
    const fields = [counts, names].flatMap((some) =>
      [...(some?.counts ?? [])].map(([field, values]) => knownField(field, name(field), values)),
    );
    if (begins) {
      const parts = [{ text, suggestions: valuesBeginning(text, fields, limit) }];
      const total = counts.total;
      return taggedReply(request, suggestions(total, parts, { taken: [], count: total }));
    }
    const known: Known = { fields, datasets };
    const typed = await readTyped(text, known, Math.max(MAX_COUNTED, limit));
    const { parts, taken } = await counter.narrowing(typed, query);
    const count =
      taken.length === 0 ? counts.total : await counter.total(narrowed(search, taken, query));
    const shown = parts.map((part) => ({
      ...part,
      suggestions: part.suggestions.slice(0, limit),
    }));
    return taggedReply(request, suggestions(counts.total, shown, { taken, count }));
  };
}

type Selects = Parameters<typeof countRequest>[3];

class Counter {
  readonly #solr: Services["solr"];
  readonly #search: FacetSearch;
  readonly #client: SearchClient;

  constructor(solr: Services["solr"], search: FacetSearch, client: SearchClient) {
    this.#solr = solr;
    this.#search = search;
    this.#client = client;
  }

  /** As metadata searches with `choices` count them, so that both share the cache. */
  counts(facets: readonly CountedField[]): Promise<FacetCounts> {
    return this.#solr.countFacets(facetCountSearch(this.#search), { facets, ...this.#client });
  }

  async total({ filters }: ReturnType<typeof narrowed>): Promise<number> {
    return (await this.#solr.aggregateFacets({ filters, facets: {} }, this.#client)).found;
  }

  /** Datasets of the search whose names begin with each text, those of most files first. */
  async datasets(texts: readonly string[]): Promise<Known["datasets"]> {
    if (texts.length === 0) return new Map();
    const values = { of: { ...eachValue("dataset_id"), limit: MAX_DATASETS } };
    const facets: FacetTree = Object.fromEntries(
      texts.map((text, index) => {
        const q = uncached(startsWith("dataset_id", text.toLowerCase()));
        return [countName(index), { type: "query", q, facet: values } as const];
      }),
    );
    const { filters } = this.#search;
    const question = { filters, facets };
    const { numbers } = await this.#solr.aggregateFacets(question, this.#client);
    return new Map(
      texts.map((text, index) => [text, datasetsIn(numbersIn(numbers, countName(index)))]),
    );
  }

  /** Counts the candidates of each part within the search and what is taken of the parts before, and takes the best. */
  async narrowing(
    parts: readonly TypedPart[],
    selects: Selects,
  ): Promise<{ readonly parts: SuggestedPart[]; readonly taken: readonly Candidate[] }> {
    const taken: Candidate[] = [];
    const counted: SuggestedPart[] = [];
    for (const { text, candidates } of parts) {
      const suggested = await this.#counted(candidates, taken, selects);
      const [best] = suggested;
      if (best !== undefined && best.count > 0) taken.push(best);
      counted.push({ text, suggestions: suggested });
    }
    return { parts: counted, taken };
  }

  async #counted(
    candidates: readonly Candidate[],
    taken: readonly Candidate[],
    selects: Selects,
  ): Promise<Counted[]> {
    const isKnown = taken.length === 0;
    const open = isKnown ? candidates.filter(({ count }) => count === undefined) : candidates;
    const counts = new Map<Candidate, number>();
    if (open.length > 0) {
      const some = open.slice(0, MAX_COUNTED);
      const question = countRequest(this.#search, some, taken, selects);
      const { numbers } = await this.#solr.aggregateFacets(question, this.#client);
      for (const [index, one] of some.entries())
        counts.set(one, countOf(numbers, countName(index)));
    }
    return candidates
      .flatMap((one) => {
        const count = counts.get(one) ?? (isKnown ? one.count : undefined);
        return count === undefined ? [] : [{ ...one, count }];
      })
      .sort(inOrder);
  }
}

const datasetsIn = (numbers: Numbers | undefined): (readonly [string, number])[] =>
  spelledValues(numbers?.of)
    .sort((a, b) => b.count - a.count)
    .map(({ value, count }) => [value, count] as const);
