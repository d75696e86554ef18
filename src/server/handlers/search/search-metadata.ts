import { countedFacets, facetCountSearch } from "../../../domain/aggregation/counted-facets.js";
import { builtIn } from "../../../domain/vocabulary/flavours.js";
import { unknownValuesHeader } from "../../contract/structured-field.js";
import { facetSummary } from "../../formats/aggregation/facet-summary.js";
import { nextValues, whyAddress, whyLink } from "../catalogues/catalogue-source.js";
import { taggedReply } from "../common/tagged-reply.js";
import { withFlavour } from "../flavours/requested-flavour.js";
import type { Handler } from "../services.js";
import { guardUserNames, recordSearch, searchOf } from "./requested-search.js";
import { checkValues } from "./unknown-values.js";

/** The facet values of what is found, and how often each occurs. */
export const searchMetadata: Handler<"searchMetadata"> = async (received, services) => {
  const { solr } = services;
  const request = await withFlavour(received, services);
  const { path, query, principal } = request;
  const facets = countedFacets(request);
  guardUserNames(facets, principal);
  const { search, client } = searchOf(request);
  const check = checkValues(search, solr, client, facets);
  const counted = query.choices ? facetCountSearch(search) : search;
  const found = await solr.countFacets(counted, { facets, ...client });
  recordSearch(request, search, found.total > 0);
  const unknown = await check({ isFound: found.total > 0, counts: found.counts });
  const why = found.total === 0 ? whyAddress(request) : undefined;
  const shape = facetSummary(found, path.flavour, query.translate, {
    unknown,
    why,
    nextValues: nextValues(request, query.choices),
    valuesAfter: query.values_after,
  });
  const headers = { ...unknownValuesHeader(unknown), ...(why && whyLink(why)) };
  // Hints about unknown values, and flavours of one's own, change without the index. Addresses depend on the proxy.
  const isKeepable =
    found.total > 0 &&
    unknown?.length === 0 &&
    shape.more_values === undefined &&
    builtIn(received.path.flavour);
  return taggedReply(request, shape, headers, isKeepable ? solr.validityOf(found) : undefined);
};
