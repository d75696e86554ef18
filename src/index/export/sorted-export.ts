/** Every document that a search finds, in any order, of one shard or of several. */
import type { Search } from "../../domain/search/search.js";
import { FILES } from "../collections/configset.js";
import { isSharded } from "../collections/shards.js";
import { SolrUnavailable } from "../errors.js";
import { searchParameters } from "../query/parameters.js";
import { maxPermitMs } from "../query/query-admission.js";
import { SolrCollection } from "../transport/client.js";
import { handlerPath } from "../transport/endpoint.js";
import { LEADERS_FIRST, type SolrHttp } from "../transport/http.js";
import { readAnswer } from "../transport/json-response.js";
import type { SolrDocument } from "./document-batch.js";
import { readExport } from "./export.js";
import { type Batches, merged } from "./merged.js";

/** An open export. */
export interface OpenExport {
  readonly batches: Batches;
  /** The number of its documents; undefined until it is known. */
  found(): number | undefined;
}

async function* none(): Batches {}

export const noDocuments = (): OpenExport => ({ batches: none(), found: () => 0 });

/**
 * Opens the export of an index. Of several shards it exports each from a replica that answers, and merges them.
 *
 * @param parameters of the search, with `sort` and `fl`
 * @param more parameters that choose the replicas, LEADERS; left out: any
 */
export async function openExport(
  http: SolrHttp,
  parameters: URLSearchParams,
  more?: Readonly<Record<string, string>>,
): Promise<OpenExport> {
  const solr = new SolrCollection(http, FILES);
  const isChosen = more !== undefined && http.topology.cloud;
  if (!isChosen && !isSharded(http.topology, FILES)) return openShard(solr, parameters);
  const replicas = await solr.replicas({ timeoutMs: maxPermitMs(http) }, more);
  if (replicas.length === 0) throw new SolrUnavailable("Solr does not name its replicas");
  const shards = replicas.map((replica) => openShard(solr, parameters, replica));
  const [first, ...others] = shards;
  if (first !== undefined && others.length === 0) return first;
  return {
    batches: merged(
      shards.map(({ batches }) => batches),
      parameters.get("sort") ?? "",
    ),
    found: () =>
      shards.reduce((sum: number | undefined, { found }) => {
        const count = found();
        return sum === undefined || count === undefined ? undefined : sum + count;
      }, 0),
  };
}

function openShard(
  solr: SolrCollection,
  parameters: URLSearchParams,
  replica?: string,
): OpenExport {
  let found: number | undefined;
  const onFound = (number: number): void => {
    found = number;
  };
  // It covers one shard: that of the replica, if there are several.
  const path = `${handlerPath(solr.name, "export")}?${parameters}`;
  const request = { path, openTimeoutMs: maxPermitMs(solr.http), replica };
  const [field, ...others] = (parameters.get("fl") ?? "").split(",");
  // To merge documents, they are parsed.
  const only = others.length === 0 && replica === undefined ? field : undefined;
  return { batches: readExport(solr.http, request, onFound, only), found: () => found };
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
  /** The sort keys, all ascending, each one of `fields`. Every document has them. */
  readonly by: readonly string[];
}

/** Other replicas may show a change later than the leaders, by which versions of the index and numbers of documents are read. */
const LEADERS = { "shards.preference": LEADERS_FIRST };

/**
 * Batches of documents of the leaders, as they arrive. After a pause longer than Solr's own idle timeout, the export has to be
 * opened again.
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
  const { batches } = await openExport(http, parameters, LEADERS);
  for await (const { documents } of batches) yield documents;
}
