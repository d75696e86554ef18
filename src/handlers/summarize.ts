import type { Handler } from "../contract/operation.js";
import { type CatalogueSource, operationAddress } from "../formats/catalogue.js";
import { estimatedSizes, SCORE, type Sizes, sampleFields } from "../formats/sizes.js";
import { summary } from "../formats/summary.js";
import { buildSearch } from "../query/search.js";
import { SAMPLE_QUERY, SAMPLE_ROWS, SUMMARY_FACETS } from "../query/summary.js";
import type { Breakdown } from "../solr/breakdowns.js";
import { withFlavour } from "./asked-flavour.js";
import { callerKey } from "./caller-key.js";
import { catalogueSource } from "./catalogue-search.js";
import { tellSearch } from "./searched.js";
import type { Services } from "./services.js";
import { taggedReply } from "./tagged-reply.js";

/** How much is found, of when, of what formats and where, and how long the lists of it would be. */
export function summarize(services: Services): Handler<"summarize"> {
  const { solr } = services;
  const sizesOf = once();
  return async (asked) => {
    const request = await withFlavour(asked, services);
    const { path, query, signal } = request;
    const search = buildSearch({ path, query });
    const { collection, filters } = search;
    const source = catalogueSource(request);
    const fields = [...sampleFields(source), SCORE];
    const sample = { query: SAMPLE_QUERY, fields, rows: SAMPLE_ROWS };
    const question = { collection, filters, facets: SUMMARY_FACETS, sample };
    const found = await solr.breakDown(question, { caller: callerKey(request), signal });
    tellSearch(request, search, found.found > 0);
    return taggedReply(request, summary(found, await sizesOf(found, source)));
  };
}

/** Estimates lengths; for an answer of the index that is kept, and the same caller's search, once. */
function once() {
  const known = new WeakMap<Breakdown, { readonly address: string; readonly sizes: Sizes }>();
  return async (found: Breakdown, source: CatalogueSource): Promise<Sizes> => {
    const address = operationAddress(source, "summary");
    const last = known.get(found);
    if (last?.address === address) return last.sizes;
    const sizes = await estimatedSizes(found.sample, found.found, source);
    known.set(found, { address, sizes });
    return sizes;
  };
}
