import { countedFacets, facetCountSearch } from "../../../domain/aggregation/counted-facets.js";
import { builtIn } from "../../../domain/vocabulary/flavours.js";
import type { Handler } from "../../contract/operation.js";
import { unknownValuesHeader } from "../../contract/structured-field.js";
import { facetSummary } from "../../formats/aggregation/facet-summary.js";
import { clientKey } from "../common/client-key.js";
import { taggedReply } from "../common/tagged-reply.js";
import { withFlavour } from "../flavours/requested-flavour.js";
import type { Services } from "../services.js";
import { nextValues } from "./next-values.js";
import { recordSearch } from "./searched.js";
import { checkValues } from "./unknown-values.js";
import { guardUserNames, requestedSearch } from "./user-name-guard.js";
import { whyAddress, whyLink } from "./why-link.js";

/** The facet values of what is found, and how often each occurs. */
export function searchMetadata(services: Services): Handler<"searchMetadata"> {
  const { solr } = services;
  return async (received) => {
    const request = await withFlavour(received, services);
    const { path, query, principal, signal } = request;
    const facets = countedFacets({ path, query });
    guardUserNames(facets, principal);
    const search = requestedSearch({ path, query }, principal);
    const client = { clientKey: clientKey(request), signal };
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
}
