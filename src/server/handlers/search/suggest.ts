import { countedFacets } from "../../../domain/aggregation/counted-facets.js";
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
import type { Handler } from "../../contract/operation.js";
import { suggestions } from "../../formats/aggregation/suggestions.js";
import { clientKey } from "../common/client-key.js";
import { taggedReply } from "../common/tagged-reply.js";
import { withFlavour } from "../flavours/requested-flavour.js";
import type { Services } from "../services.js";
import { MAX_COUNTED, SuggestionCounts } from "./suggestion-counts.js";
import { guardUserNames, requestedSearch } from "./user-name-guard.js";

/** Names of variables that files give themselves, besides the codes. */
const NAMES = ["standard_name", "long_name"] as const;

/** Suggests meanings of a typed text: values, periods, regions and datasets, each with the number of files it finds. */
export function suggest(services: Services): Handler<"suggest"> {
  return async (received) => {
    const request = await withFlavour(received, services);
    const { path, query, principal, signal } = request;
    const { text = "", begins, limit } = query;
    const place = { flavour: path.flavour, uniq_key: "file" } as const;
    const facets = countedFacets({ path: place, query });
    guardUserNames(facets, principal);
    const search = requestedSearch({ path: place, query }, principal);
    const client = { clientKey: clientKey(request), signal };
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
    const shown = parts.map((part) => ({
      ...part,
      suggestions: part.suggestions.slice(0, limit),
    }));
    return taggedReply(request, suggestions(total, shown, { taken, count }));
  };
}

/** The texts that mean no value of the search, or only near ones. */
const withoutValue = (typed: readonly TypedPart[]): string[] =>
  typed
    .filter(({ candidates }) => candidates.every(({ match }) => match === "near"))
    .map(({ text }) => text);
