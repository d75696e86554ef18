/** Every document that a search finds, in any order, of one shard or of several. */
import type { Search } from "../../domain/search/search.js";
import { FILES } from "../collections/configset.js";
import { isSharded } from "../collections/shards.js";
import { searchParameters } from "../query/parameters.js";
import { maxPermitMs } from "../query/query-admission.js";
import { SolrCollection } from "../transport/client.js";
import { solrName } from "../transport/endpoint.js";
import type { SolrHttp } from "../transport/http.js";
import { readAnswer } from "../transport/json-response.js";
import { DocumentBatch, type SolrDocument } from "./document-batch.js";
import {
  type DocumentBatches,
  readExport,
  readStream,
  streamExpression,
  without,
} from "./export.js";

export type Batches = AsyncGenerator<DocumentBatch, void, undefined>;

/** An open export. */
export interface OpenExport {
  readonly batches: Batches;
  /** The number of its documents; undefined until it is known. */
  found(): number | undefined;
}

async function* none(): Batches {}

async function* parsed(batches: DocumentBatches): Batches {
  for await (const documents of batches) yield DocumentBatch.of(documents);
}

export const noDocuments = (): OpenExport => ({ batches: none(), found: () => 0 });

interface OpenOptions {
  /** Counts the documents. Only called for several shards: /stream does not report its count, and omits dead shards. */
  count(): Promise<number>;
  /** Documents to read and drop. Only for several shards. */
  readonly skip?: number;
}

/**
 * Opens /export, or /stream for an index of several shards.
 *
 * @param parameters of the search, with `sort` and `fl`
 */
export async function openExport(
  http: SolrHttp,
  parameters: URLSearchParams,
  { count, skip = 0 }: OpenOptions,
): Promise<OpenExport> {
  const solr = new SolrCollection(http, FILES);
  if (!isSharded(http.topology, FILES)) {
    let found: number | undefined;
    const onFound = (number: number): void => {
      found = number;
    };
    const request = solr.exportRequest(parameters, maxPermitMs(http));
    const [field, ...others] = (parameters.get("fl") ?? "").split(",");
    const format = others.length === 0 ? { field } : {};
    return { batches: readExport(http, request, { onFound, ...format }), found: () => found };
  }
  const expected = await count();
  if (skip >= expected) return noDocuments();
  const preferred = new URLSearchParams(parameters);
  // Leads past nodes that are down.
  const { preference } = http;
  if (preference !== undefined) preferred.set("shards.preference", preference);
  const expression = streamExpression(solrName(http.endpoint, FILES), preferred);
  const request = solr.streamRequest(expression, maxPermitMs(http));
  const batches = parsed(without(skip, readStream(http, request, expected)));
  return { batches, found: () => expected - skip };
}

/** How many documents a search finds. */
export async function countFound(http: SolrHttp, search: Search): Promise<number> {
  const parameters = searchParameters(search, { rows: "0" });
  const options = { timeoutMs: maxPermitMs(http) };
  const { text } = await new SolrCollection(http, FILES).select(parameters, options);
  return readAnswer<{ response: { numFound: number } }>(text).response.numFound;
}

/** Fields with docValues. */
interface Sorted {
  readonly fields: readonly string[];
  /** The sort keys, all ascending, each one of `fields`. Documents that lack a key come last. */
  readonly by: readonly string[];
}

/**
 * Batches of documents, as they arrive. After a pause longer than Solr's own idle timeout, the export has to be opened again.
 *
 * @throws SolrUnavailable when it broke off or lacks documents
 */
export async function* exportSorted(
  http: SolrHttp,
  search: Search,
  { fields, by }: Sorted,
): AsyncGenerator<readonly SolrDocument[], void, undefined> {
  const sort = by.map((field) => `${field} asc`).join(",");
  const parameters = searchParameters(search, { fl: fields.join(","), sort });
  const count = () => countFound(http, search);
  const { batches } = await openExport(http, parameters, { count });
  for await (const { documents } of batches) yield documents;
}
