import type { Handler } from "../contract/operation.js";
import type { CatalogueSource } from "../formats/catalogue.js";
import { estimatedSizes, type Sizes, sampleFields } from "../formats/sizes.js";
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

/** What was judged last of numbers that are kept: with them it is forgotten. */
const judged = new WeakMap<Breakdown, { readonly by: string; readonly sizes: Sizes }>();

/** Making lists of a sample takes longer than all the rest of an answer that is kept. */
async function sizesOf(found: Breakdown, source: CatalogueSource): Promise<Sizes> {
  const by = JSON.stringify(source);
  const before = judged.get(found);
  if (before?.by === by) return before.sizes;
  const sizes = await estimatedSizes(found.sample, found.found, source);
  judged.set(found, { by, sizes });
  return sizes;
}

/** How much is found, of when, of what formats and where, and how long the lists of it would be. */
export function summarize(services: Services): Handler<"summarize"> {
  const { solr } = services;
  return async (asked) => {
    const request = await withFlavour(asked, services);
    const { path, query, signal } = request;
    const search = buildSearch({ path, query });
    const { collection, filters } = search;
    const source = catalogueSource(request);
    const sample = { query: SAMPLE_QUERY, fields: sampleFields(source), rows: SAMPLE_ROWS };
    const question = { collection, filters, facets: SUMMARY_FACETS, sample };
    const found = await solr.breakDown(question, { caller: callerKey(request), signal });
    tellSearch(request, search, found.found > 0);
    return taggedReply(request, summary(found, await sizesOf(found, source)));
  };
}
