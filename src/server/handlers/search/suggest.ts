import type { components } from "../../../../generated/openapi.js";
import { countedFacets } from "../../../domain/aggregation/counted-facets.js";
import type { Candidate, Counted } from "../../../domain/suggestions/candidates.js";
import { type KnownField, knownField } from "../../../domain/suggestions/known-values.js";
import { MeantFields } from "../../../domain/suggestions/meant-fields.js";
import {
  datasetTexts,
  readTyped,
  type TypedPart,
  valuesBeginning,
} from "../../../domain/suggestions/read-typed.js";
import { translation } from "../../../domain/vocabulary/flavours.js";
import type { FacetCounts } from "../../../index/query/facets.js";
import { taggedReply } from "../common/tagged-reply.js";
import { withFlavour } from "../flavours/requested-flavour.js";
import type { Handler } from "../services.js";
import { guardUserNames, searchOf } from "./requested-search.js";
import { MAX_COUNTED, type SuggestedPart, SuggestionCounts } from "./suggestion-counts.js";

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
