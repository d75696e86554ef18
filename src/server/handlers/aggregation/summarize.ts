import { SAMPLE_QUERY, SAMPLE_ROWS, SUMMARY_FACETS } from "../../../domain/aggregation/summary.js";
import type { FacetAggregation } from "../../../index/query/facet-aggregations.js";
import type { Handler } from "../../contract/operation.js";
import {
  estimatedSizes,
  SCORE,
  type Sizes,
  sampleFields,
} from "../../formats/aggregation/sizes.js";
import { summary } from "../../formats/aggregation/summary.js";
import { type CatalogueSource, operationAddress } from "../../formats/catalogue.js";
import { catalogueSource } from "../catalogues/catalogue-source.js";
import { clientKey } from "../common/client-key.js";
import { taggedReply } from "../common/tagged-reply.js";
import { withFlavour } from "../flavours/requested-flavour.js";
import { recordSearch } from "../search/searched.js";
import { requestedSearch } from "../search/user-name-guard.js";
import type { Services } from "../services.js";

/** Summarises the files found: number, years, formats, places, and the sizes of their lists. */
export function summarize(services: Services): Handler<"summarize"> {
  const { solr } = services;
  const sizesOf = once();
  return async (received) => {
    const request = await withFlavour(received, services);
    const { path, query, principal, signal } = request;
    const search = requestedSearch({ path, query }, principal);
    const { filters } = search;
    const source = catalogueSource(request);
    const fields = [...sampleFields(source), SCORE];
    const sample = { query: SAMPLE_QUERY, fields, rows: SAMPLE_ROWS };
    const question = { filters, facets: SUMMARY_FACETS, sample };
    const found = await solr.aggregateFacets(question, { clientKey: clientKey(request), signal });
    recordSearch(request, search, found.found > 0);
    return taggedReply(request, summary(found, await sizesOf(found, source)));
  };
}

/** Estimates list sizes, once for each cached answer of the index and search. */
function once() {
  const known = new WeakMap<
    FacetAggregation,
    { readonly address: string; readonly sizes: Sizes }
  >();
  return async (found: FacetAggregation, source: CatalogueSource): Promise<Sizes> => {
    const address = operationAddress(source, "summarize");
    const last = known.get(found);
    if (last?.address === address) return last.sizes;
    const sizes = await estimatedSizes(found.sample, found.found, source);
    known.set(found, { address, sizes });
    return sizes;
  };
}
