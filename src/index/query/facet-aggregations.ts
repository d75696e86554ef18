/** Numbers about what a search finds, by Solr's JSON facets, kept as long as they hold. */

import type { DateHistogram, FacetTree } from "../../domain/aggregation/facet-request.js";
import type { SolrDocument } from "../export/export.js";
import { type CallOptions, SolrCollection } from "../transport/client.js";
import type { SolrHttp } from "../transport/http.js";
import { requireWhole, timeLimit } from "../transport/time-limit.js";
import { searchParameters } from "./facets.js";
import type { IndexVersions } from "./index-versions.js";
import { KeptAnswers, type KeptUse } from "./query-cache.js";

/** What is asked about a search. */
export interface Question {
  /** Takes Solr longer than a search, by far: it waits for others of its kind, and searches do not wait for it. */
  readonly isHeavy?: boolean;
  readonly collection: "latest" | "files";
  readonly filters: readonly string[];
  readonly facets: FacetTree;
  readonly steps?: DateHistogram;
  /** Documents that are wanted beside the numbers: those that score most. */
  readonly sample?: {
    readonly query: string;
    readonly fields: readonly string[];
    readonly rows: number;
  };
}

/** What Solr answers to a tree of facets, at one of its knots. */
export interface Numbers {
  readonly count: number;
  readonly [name: string]: unknown;
}

export interface Breakdown {
  /** Documents that are found. */
  readonly found: number;
  readonly numbers: Numbers;
  readonly sample: readonly SolrDocument[];
  /** By fields, what `steps` asked for. */
  readonly steps: Readonly<Record<string, StepCounts>>;
}

/** How many documents have a moment in each of the steps, and before all of them. */
export interface StepCounts {
  readonly before: number;
  readonly counts: readonly number[];
}

interface SolrReply {
  readonly responseHeader?: object;
  readonly response: { readonly numFound: number; readonly docs: SolrDocument[] };
  readonly facets: Numbers;
  readonly facet_counts?: {
    /** By fields; each step by where it begins, with its number behind it. */
    readonly facet_ranges: Readonly<
      Record<string, { readonly before: number; readonly counts: readonly (string | number)[] }>
    >;
  };
}

/** Bound of all kept answers together, in bytes of memory. */
const KEPT_SIZE = 64 * 1024 * 1024;
/** Bytes of one answer of Solr; parsed, it takes some five times as many. */
const MAX_ANSWER = 64 * 1024 * 1024;

export class Breakdowns {
  readonly #http: SolrHttp;
  readonly #kept: KeptAnswers<Breakdown>;

  constructor(http: SolrHttp, versions: IndexVersions) {
    this.#http = http;
    this.#kept = new KeptAnswers(versions, KEPT_SIZE);
  }

  /** How often an answer could be given again. */
  get kept(): KeptUse {
    return this.#kept.use;
  }

  /** @throws what SolrHttp.send throws, as AnswerTooLong; SolrTimeout when Solr gave it up */
  async ask(
    { collection, filters, facets, steps, sample }: Question,
    options: CallOptions = {},
  ): Promise<Breakdown> {
    const fixed = { rows: "0", wt: "json", "json.facet": JSON.stringify(facets) };
    const documents = sample && {
      q: sample.query,
      fl: sample.fields.join(","),
      rows: String(sample.rows),
    };
    const given = {
      ...timeLimit(this.#http),
      ...fixed,
      ...documents,
      ...(steps && inSteps(steps)),
    };
    const parameters = searchParameters({ collection, filters }, given);
    for (const field of steps?.fields ?? []) parameters.append("facet.range", field);
    const asked = new SolrCollection(this.#http, collection);
    return this.#kept.ask(
      asked,
      parameters,
      { ...options, maxBytes: MAX_ANSWER },
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

/** Goes once through what is found, however many steps there are: JSON facets would ask for each of them by itself. */
const inSteps = ({ start, end, gap }: DateHistogram): Readonly<Record<string, string>> => ({
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
): Breakdown["steps"] =>
  Object.fromEntries(
    Object.entries(ranges).map(([field, { before, counts }]) => {
      const numbers = counts.filter((one): one is number => typeof one === "number");
      return [field, { before, counts: numbers }];
    }),
  );
