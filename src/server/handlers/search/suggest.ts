/** Suggests meanings of a typed text, and counts what they find. */
import type { components } from "../../../../generated/openapi.js";
import { countedFacets, facetCountSearch } from "../../../domain/aggregation/counted-facets.js";
import { counting, eachValue, type FacetTree } from "../../../domain/aggregation/facet-request.js";
import { startsWith } from "../../../domain/search/lucene.js";
import type { FacetSearch } from "../../../domain/search/search.js";
import { type Candidate, type Counted, inOrder } from "../../../domain/suggestions/candidates.js";
import { type KnownField, knownField } from "../../../domain/suggestions/known-values.js";
import { MeantFields } from "../../../domain/suggestions/meant-fields.js";
import {
  ALL_TAKEN,
  countName,
  countRequest,
  type Selects,
} from "../../../domain/suggestions/narrowing.js";
import {
  datasetTexts,
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
import { countOf, numbersIn, spelledValues } from "../../formats/aggregation/buckets.js";
import { taggedReply } from "../common/tagged-reply.js";
import { withFlavour } from "../flavours/requested-flavour.js";
import type { Handler, Services } from "../services.js";
import { guardUserNames, searchOf } from "./requested-search.js";

type Suggestions = components["schemas"]["Suggestions"];

/** Names of variables that files give themselves, besides the codes. */
const NAMES = ["standard_name", "long_name"] as const;

/** Suggests meanings of a typed text: values, periods, regions and datasets, each with the number of files it finds. */
export const suggest: Handler<"suggest"> = async (received, services) => {
  const request = await withFlavour(received, services);
  const { path, query, principal } = request;
  const { text = "", begins, limit } = query;
  const facets = countedFacets(request);
  guardUserNames(facets, principal);
  const { search, client } = searchOf(request);
  const counter = new SuggestionCounts(services.solr, search, client);
  const { name } = translation(path.flavour, query.translate);
  const known = ({ counts }: FacetCounts): KnownField[] =>
    [...counts].map(([field, values]) => knownField(field, name(field), values));
  if (begins) {
    const counts = await counter.values(facets);
    const parts = [{ text, suggestions: valuesBeginning(text, known(counts), limit) }];
    const { total } = counts;
    return taggedReply(request, suggestions(total, parts, { taken: [], count: total }));
  }
  const [datasets, everywhere] = await Promise.all([
    counter.datasets(datasetTexts(text)),
    counter.everywhere(query.facets === undefined ? [...facets, ...NAMES] : facets),
  ]);
  const meant = new MeantFields(text, known(everywhere));
  let counts: FacetCounts;
  let typed: readonly TypedPart[];
  do {
    counts = await counter.values(meant.fields.map(({ field }) => field));
    typed = await readTyped(
      text,
      { fields: known(counts), datasets },
      Math.max(MAX_COUNTED, limit),
    );
  } while (meant.addNear(withoutValue(typed)));
  const { total } = counts;
  const { parts, taken, count = total } = await counter.narrowing(typed, query);
  const cut = parts.map((part) => ({ ...part, suggestions: part.suggestions.slice(0, limit) }));
  return taggedReply(request, suggestions(total, cut, { taken, count }));
};

/** The texts that mean no value of the search, or only near ones. */
const withoutValue = (typed: readonly TypedPart[]): string[] =>
  typed
    .filter(({ candidates }) => candidates.every(({ match }) => match === "near"))
    .map(({ meant }) => meant);

/** @param total files without the text. @param best the best of each part, and the files with all of them */
const suggestions = (
  total: number,
  parts: readonly SuggestedPart[],
  best: { readonly taken: readonly Candidate[]; readonly count: number },
): Suggestions => ({
  total_count: total,
  parts: parts.map(({ text, suggestions }) => ({ text, suggestions: suggestions.map(shown) })),
  not_understood: parts
    .filter(({ suggestions }) => suggestions.length === 0)
    .map(({ text }) => text),
  best: { count: best.count, filters: best.taken.map(({ name, value }) => ({ name, value })) },
});

const shown = ({
  kind,
  name,
  value,
  label,
  match,
  count,
}: Counted): Suggestions["parts"][number]["suggestions"][number] => ({
  kind,
  name,
  value,
  ...(label !== undefined && { label }),
  similarity: match,
  count,
});

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

  /** Datasets of the search, and alternatives to those that it names, whose names begin with each text; most files first. */
  async datasets(texts: readonly string[]): Promise<Known["datasets"]> {
    if (texts.length === 0) return new Map();
    const values = { of: { ...eachValue("dataset_id"), limit: MAX_DATASETS } };
    const { filters, ownTags } = facetCountSearch(this.#search);
    const own = ownTags.get("dataset_id")?.join(",");
    const facets: FacetTree = Object.fromEntries(
      texts.map((text, index) => {
        const clause = startsWith("dataset_id", text.toLowerCase());
        return [datasetsName(index), counting(clause, own, values)] as const;
      }),
    );
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
