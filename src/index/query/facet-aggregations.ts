/** Aggregations over the documents of a search by Solr's JSON facets, cached by index version. */

import type { DateHistogram, FacetTree } from "../../domain/aggregation/facet-request.js";
import type { SolrDocument } from "../export/document-batch.js";
import type { CallOptions } from "../transport/client.js";
import type { SolrHttp } from "../transport/http.js";
import type { IndexVersions } from "./index-versions.js";
import { requireWhole, searchParameters, timeLimit } from "./parameters.js";
import { QueryCache } from "./query-cache.js";

/** An aggregation query. */
export interface FacetQuery {
  /** Takes Solr far longer than a search. Heavy queries have permits of their own, so that searches do not wait for them. */
  readonly isHeavy?: boolean;
  readonly filters: readonly string[];
  readonly facets: FacetTree;
  readonly steps?: DateHistogram;
  /** Documents to return as well: those with the highest score. */
  readonly sample?: {
    readonly query: string;
    readonly fields: readonly string[];
    readonly rows: number;
  };
}

/** Solr's answer for one node of a facet tree. */
export interface Numbers {
  readonly count: number;
  readonly [name: string]: unknown;
}

export interface FacetAggregation {
  /** Number of documents that match. */
  readonly found: number;
  readonly numbers: Numbers;
  readonly sample: readonly SolrDocument[];
  /** The date histograms of `steps`, by field. */
  readonly steps: Readonly<Record<string, StepCounts>>;
}

/** Documents with a date in each step, and before the first step. */
export interface StepCounts {
  readonly before: number;
  readonly counts: readonly number[];
}

interface SolrReply {
  readonly responseHeader?: object;
  readonly response: { readonly numFound: number; readonly docs: SolrDocument[] };
  readonly facets: Numbers;
  readonly facet_counts?: {
    /** By field; the start of each step is followed by its count. */
    readonly facet_ranges: Readonly<
      Record<string, { readonly before: number; readonly counts: readonly (string | number)[] }>
    >;
  };
}

/** Limit of the cache, in bytes of memory. */
const MAX_CACHE_BYTES = 64 * 1024 * 1024;
/** Limit of one answer of Solr, in bytes. Parsed, it takes about five times as many. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

export class FacetAggregations {
  readonly #http: SolrHttp;
  readonly cache: QueryCache<FacetAggregation>;

  constructor(versions: IndexVersions) {
    this.#http = versions.collection.http;
    this.cache = new QueryCache(versions, MAX_CACHE_BYTES);
  }

  async ask(
    { filters, facets, steps, sample }: FacetQuery,
    options: CallOptions = {},
  ): Promise<FacetAggregation> {
    const parameters = searchParameters(
      { filters },
      {
        ...timeLimit(this.#http),
        rows: "0",
        wt: "json",
        "json.facet": JSON.stringify(facets),
        ...(sample && { q: sample.query, fl: sample.fields.join(","), rows: `${sample.rows}` }),
        ...(steps && histogramParameters(steps)),
      },
    );
    for (const field of steps?.fields ?? []) parameters.append("facet.range", field);
    return this.cache.ask(
      parameters,
      { ...options, maxBytes: MAX_ANSWER_BYTES },
      ({ reply, version }) => {
        const { responseHeader, response, facets: numbers, facet_counts } = reply as SolrReply;
        requireWhole(responseHeader);
        const { numFound: found, docs } = response;
        const counted = stepCounts(facet_counts?.facet_ranges ?? {});
        return { value: { found, numbers, sample: docs, steps: counted }, version };
      },
    );
  }
}

/** A facet range with docValues reads the documents once. JSON facets would run one query per step. */
const histogramParameters = ({
  start,
  end,
  gap,
}: DateHistogram): Readonly<Record<string, string>> => ({
  facet: "true",
  "facet.range.start": start,
  "facet.range.end": end,
  "facet.range.gap": gap,
  "facet.range.hardend": "true",
  "facet.range.method": "dv",
  "facet.range.other": "before",
});

const stepCounts = (
  ranges: NonNullable<SolrReply["facet_counts"]>["facet_ranges"],
): FacetAggregation["steps"] =>
  Object.fromEntries(
    Object.entries(ranges).map(([field, { before, counts }]) => {
      const numbers = counts.filter((one): one is number => typeof one === "number");
      return [field, { before, counts: numbers }];
    }),
  );
