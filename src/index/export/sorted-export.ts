/** Every document that a search finds, in an order of its own. */
import type { Search } from "../../domain/search/search.js";
import { isSharded, type SolrTopology } from "../collections/shards.js";
import { searchParameters } from "../query/facets.js";
import { lingering } from "../query/query-admission.js";
import { SolrCollection } from "../transport/client.js";
import type { SolrHttp } from "../transport/http.js";
import { readAnswer } from "../transport/json-response.js";
import { readExport, readStream, type SolrDocument } from "./export.js";
import { streamRequest } from "./shard-stream.js";

/** Fields with docValues. */
export interface Sorted {
  readonly fields: readonly string[];
  /** Ascending by each of them, what lacks one at the end; they are among `fields`. */
  readonly by: readonly string[];
}

/** How many documents a search finds. @throws SolrUnavailable, SolrTimeout */
export async function countFound(http: SolrHttp, search: Search): Promise<number> {
  const parameters = searchParameters(search, { rows: "0" });
  const options = { timeoutMs: lingering(http) };
  const { text } = await new SolrCollection(http, search.collection).select(parameters, options);
  return readAnswer<{ response: { numFound: number } }>(text).response.numFound;
}

/**
 * Batches of documents, as they come. A reader who pauses for longer than Solr's server waits has to begin anew.
 *
 * @throws SolrUnavailable when it broke off or lacks documents; SolrTimeout
 */
export async function* exportSorted(
  http: SolrHttp,
  topology: SolrTopology,
  search: Search,
  { fields, by }: Sorted,
): AsyncGenerator<readonly SolrDocument[], void, undefined> {
  const sort = by.map((field) => `${field} asc`).join(",");
  const parameters = searchParameters(search, { fl: fields.join(","), sort });
  const collection = new SolrCollection(http, search.collection);
  if (!isSharded(topology, search.collection)) {
    yield* readExport(http, collection.exportRequest(parameters, lingering(http)));
    return;
  }
  const expected = await countFound(http, search);
  if (expected === 0) return;
  yield* readStream(http, streamRequest(http, search.collection, parameters), expected);
}
