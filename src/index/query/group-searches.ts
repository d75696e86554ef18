/**
 * Facts about groups of files, such as datasets, computed by one pass over all documents of a search and cached by index
 * version.
 *
 * Nested Solr facets are fast enough for two levels. With three or four levels, or with periods, they take tens of seconds.
 * Exporting the documents takes less than a second per half million, sorted by version, the cheapest order for Solr.
 */

import type { ScanQuery } from "../../domain/completeness/group-query.js";
import { TooManyResults } from "../../domain/errors.js";
import { exportSorted } from "../export/sorted-export.js";
import type { CallOptions } from "../transport/client.js";
import type { SolrHttp } from "../transport/http.js";
import type { IndexVersions } from "./index-versions.js";
import { requireWhole, searchParameters, timeLimit } from "./parameters.js";
import { QueryCache } from "./query-cache.js";

/** Limit of the cache, in bytes. An answer of 100,000 groups has 20 MB. */
const MAX_CACHE_BYTES = 48 * 1024 * 1024;
/** Limit of documents for one answer, about ten seconds. */
const MAX_DOCUMENTS = 3_000_000;
/** A field that every document has. */
const ORDER = "_version_";

interface CountReply {
  readonly responseHeader?: object;
  readonly response: { readonly numFound: number };
}

export class GroupSearches<T extends object & { readonly size?: number }> {
  readonly #http: SolrHttp;
  readonly cache: QueryCache<T>;

  constructor(versions: IndexVersions) {
    this.#http = versions.collection.http;
    this.cache = new QueryCache(versions, MAX_CACHE_BYTES);
  }

  /**
   * Takes one request if the answer is cached, else two, or in SolrCloud three. The version is read before the documents. If the
   * index changes in between, the answer is cached under an outdated version and never used again.
   */
  async ask({ search, fields, key, accumulator }: ScanQuery<T>, options: CallOptions): Promise<T> {
    const fixed = { ...timeLimit(this.#http), rows: "0", wt: "json" };
    const parameters = searchParameters(search, fixed);
    return this.cache.ask(
      parameters,
      options,
      async ({ reply, version }) => {
        const { responseHeader, response } = reply as CountReply;
        requireWhole(responseHeader);
        const { numFound } = response;
        if (numFound > MAX_DOCUMENTS) {
          throw new TooManyResults(numFound, MAX_DOCUMENTS, "files to examine");
        }
        const scan = accumulator();
        let scanned = 0;
        if (numFound > 0) {
          const sorted = { fields: [...new Set([...fields, ORDER])], by: [ORDER] };
          const batches = exportSorted(this.#http, search, sorted);
          for await (const documents of batches) {
            scanned += documents.length;
            scan.add(documents);
          }
        }
        const value = await scan.result();
        // Another number of documents is that of another version.
        const of = scanned === numFound ? version : undefined;
        return { value, version: of, ...(value.size !== undefined && { size: value.size }) };
      },
      key,
    );
  }
}
