import { countedFacets, facetCountSearch } from "../../../domain/aggregation/counted-facets.js";
import { buildSearch } from "../../../domain/search/search.js";
import type { Handler } from "../../contract/operation.js";
import { unknownValuesHeader } from "../../contract/structured-field.js";
import { facetSummary } from "../../formats/aggregation/facet-summary.js";
import { clientKey } from "../common/client-key.js";
import { taggedReply } from "../common/tagged-reply.js";
import { withFlavour } from "../flavours/requested-flavour.js";
import type { Services } from "../services.js";
import { tellSearch } from "./searched.js";
import { checkValues } from "./unknown-values.js";
import { guardUserNames } from "./user-name-guard.js";
import { whyAddress, whyLink } from "./why-link.js";

/** The facet values of what is found, and how often each occurs. */
export function searchMetadata(services: Services): Handler<"searchMetadata"> {
  const { solr } = services;
  return async (asked) => {
    const request = await withFlavour(asked, services);
    const { path, query, principal, signal } = request;
    const facets = countedFacets({ path, query });
    guardUserNames(facets, principal);
    const search = buildSearch({ path, query });
    const client = { clientKey: clientKey(request), signal };
    const check = checkValues(search, solr, client, facets);
    const counted = query.choices ? facetCountSearch(search) : search;
    const found = await solr.countFacets(counted, { facets, ...client });
    tellSearch(request, search, found.total > 0);
    const unknown = await check({ isFound: found.total > 0, counts: found.counts });
    const why = found.total === 0 ? whyAddress(request) : undefined;
    const shape = facetSummary(found, path.flavour, query.translate, { unknown, why });
    const headers = { ...unknownValuesHeader(unknown), ...(why && whyLink(why)) };
    return taggedReply(request, shape, headers);
  };
}
