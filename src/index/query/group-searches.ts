/**
 * What the files that a search finds say of the groups that they are of: told by looking at every document once, as it comes,
 * and kept as long as it holds.
 *
 * Facets of Solr in facets would do for two levels of them; of three and four, and of periods, they take tens of seconds,
 * where all documents in question come in less than one for each half a million (sorted by their versions, which costs
 * Solr least).
 */

import type { ScanQuery } from "../../domain/completeness/group-query.js";
import { TooManyResults } from "../../domain/errors.js";
import type { SolrTopology } from "../collections/shards.js";
import { exportSorted } from "../export/sorted-export.js";
import { type CallOptions, SolrCollection } from "../transport/client.js";
import type { SolrHttp } from "../transport/http.js";
import { requireWhole, timeLimit } from "../transport/time-limit.js";
import { searchParameters } from "./facets.js";
import type { IndexVersions } from "./index-versions.js";
import { KeptAnswers, type KeptUse } from "./query-cache.js";

/** Bound of all kept answers together, in bytes: one of 100,000 groups has 20 MB. */
const KEPT_SIZE = 48 * 1024 * 1024;
/** Documents that are looked at for one answer: some ten seconds. */
const MAX_DOCUMENTS = 3_000_000;
/** Every document has it. */
const ORDER = "_version_";

interface CountReply {
  readonly responseHeader?: object;
  readonly response: { readonly numFound: number };
}

export class GroupSearches<T extends object & { readonly size?: number }> {
  readonly #http: SolrHttp;
  readonly #topology: SolrTopology;
  readonly #kept: KeptAnswers<T>;

  constructor(http: SolrHttp, topology: SolrTopology, versions: IndexVersions) {
    this.#http = http;
    this.#topology = topology;
    this.#kept = new KeptAnswers(versions, KEPT_SIZE);
  }

  /** How often groups could be given again. */
  get kept(): KeptUse {
    return this.#kept.use;
  }

  /**
   * One request where the answer was kept, else two. The documents come after the version was told, so that what is kept is
   * of that version or, labelled with one that never comes again, of a later one.
   *
   * @throws TooManyResults; what SolrHttp.send throws; SolrTimeout when Solr gave it up
   */
  async ask({ search, fields, key, accumulator }: ScanQuery<T>, options: CallOptions): Promise<T> {
    const fixed = { ...timeLimit(this.#http), rows: "0", wt: "json" };
    const parameters = searchParameters(search, fixed);
    const collection = new SolrCollection(this.#http, search.collection);
    return this.#kept.ask(
      collection,
      parameters,
      options,
      async ({ reply, version }) => {
        const { responseHeader, response } = reply as CountReply;
        requireWhole(responseHeader);
        const { numFound } = response;
        if (numFound > MAX_DOCUMENTS) {
          throw new TooManyResults(numFound, MAX_DOCUMENTS, "files to look at");
        }
        const scan = accumulator();
        if (numFound > 0) {
          const sorted = { fields: [...new Set([...fields, ORDER])], by: [ORDER] };
          const batches = exportSorted(this.#http, this.#topology, search, sorted);
          for await (const documents of batches) scan.add(documents);
        }
        const value = scan.result();
        return { value, version, ...(value.size !== undefined && { size: value.size }) };
      },
      key,
    );
  }
}
