import type { components } from "../../../../generated/openapi.js";
import { SAMPLE_QUERY, SAMPLE_ROWS, SUMMARY_FACETS } from "../../../domain/aggregation/summary.js";
import type { FacetAggregation } from "../../../index/query/facet-aggregations.js";
import { byValue, countOf, numberIn } from "../../formats/aggregation/buckets.js";
import {
  estimatedSizes,
  SCORE,
  type Sizes,
  sampleFields,
} from "../../formats/aggregation/sizes.js";
import { type CatalogueSource, operationAddress } from "../../formats/catalogue.js";
import { catalogueSource } from "../catalogues/catalogue-source.js";
import { taggedReply } from "../common/tagged-reply.js";
import { withFlavour } from "../flavours/requested-flavour.js";
import { recordSearch, searchOf } from "../search/requested-search.js";
import type { Handler } from "../services.js";

/** Summarises the files found: number, years, formats, file systems, and the sizes of their lists. */
export const summarize: Handler<"summarize"> = async (received, services) => {
  const request = await withFlavour(received, services);
  const { search, client } = searchOf(request);
  const { filters } = search;
  const source = catalogueSource(request);
  const fields = [...sampleFields(source), SCORE];
  const sample = { query: SAMPLE_QUERY, fields, rows: SAMPLE_ROWS };
  const question = { filters, facets: SUMMARY_FACETS, sample };
  const found = await services.solr.aggregateFacets(question, client);
  recordSearch(request, search, found.found > 0);
  return taggedReply(request, summary(found, await sizesOf(found, source)));
};

const NOTHING = { files: 0, bytes: 0, sized_files: 0 };

function summary(
  { found, numbers }: FacetAggregation,
  sizes: Sizes,
): components["schemas"]["Summary"] {
  const formats = byValue(numbers.formats, 0, (sum, { count }) => sum + count);
  const storage = byValue(numbers.storage, NOTHING, (sum, bucket) => ({
    files: sum.files + bucket.count,
    bytes: sum.bytes + numberIn(bucket, "bytes"),
    sized_files: sum.sized_files + numberIn(bucket, "sized"),
  }));
  const total = (key: "bytes" | "sized_files"): number =>
    storage.reduce((sum, [, sums]) => sum + sums[key], 0);
  return {
    files: found,
    datasets: numberIn(numbers, "datasets"),
    bytes: total("bytes"),
    sized_files: total("sized_files"),
    start: typeof numbers.start === "string" ? numbers.start : null,
    end: typeof numbers.end === "string" ? numbers.end : null,
    formats: formats.map(([format, files]) => ({ format, files })),
    storage: storage.map(([fs_type, sums]) => ({ fs_type, ...sums })),
    retracted: countOf(numbers, "retracted"),
    estimated_bytes: sizes,
  };
}

/** The last estimate for a cached answer of the index, with the address of its search. */
const known = new WeakMap<FacetAggregation, { readonly address: string; readonly sizes: Sizes }>();

async function sizesOf(found: FacetAggregation, source: CatalogueSource): Promise<Sizes> {
  const address = operationAddress(source, "summarize");
  const last = known.get(found);
  if (last?.address === address) return last.sizes;
  const sizes = await estimatedSizes(found.sample, found.found, source);
  known.set(found, { address, sizes });
  return sizes;
}
