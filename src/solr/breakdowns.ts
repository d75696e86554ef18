/** Numbers about what a search finds, by Solr's JSON facets, kept as long as they hold. */
import type { FacetTree } from "../query/facet-tree.js";
import { type CallOptions, SolrCollection } from "./client.js";
import type { SolrDocument } from "./export.js";
import { searchParameters } from "./facets.js";
import type { SolrHttp } from "./http.js";
import type { IndexVersions } from "./index-versions.js";
import { KeptAnswers, type KeptUse } from "./kept-answers.js";
import { requireWhole, timeLimit } from "./time-limit.js";

/** What is asked about a search. */
export interface Question {
  /** Takes Solr longer than a search, by far: it waits for others of its kind, and searches do not wait for it. */
  readonly isHeavy?: boolean;
  readonly collection: "latest" | "files";
  readonly filters: readonly string[];
  readonly facets: FacetTree;
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
}

interface SolrReply {
  readonly responseHeader?: object;
  readonly response: { readonly numFound: number; readonly docs: SolrDocument[] };
  readonly facets: Numbers;
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
    { collection, filters, facets, sample }: Question,
    options: CallOptions = {},
  ): Promise<Breakdown> {
    const fixed = { rows: "0", wt: "json", "json.facet": JSON.stringify(facets) };
    const documents = sample && {
      q: sample.query,
      fl: sample.fields.join(","),
      rows: String(sample.rows),
    };
    const given = { ...timeLimit(this.#http), ...fixed, ...documents };
    const parameters = searchParameters({ collection, filters }, given);
    const asked = new SolrCollection(this.#http, collection);
    return this.#kept.ask(
      asked,
      parameters,
      { ...options, maxBytes: MAX_ANSWER },
      ({ reply, version }) => {
        const { responseHeader, response, facets: numbers } = reply as SolrReply;
        requireWhole(responseHeader);
        const { numFound: found, docs } = response;
        return { value: { found, numbers, sample: docs }, version };
      },
    );
  }
}
