/**
 * Solr's update log. It holds acknowledged changes until a commit writes them to the index. After a crash, Solr replays
 * it at its next start. Solr answers during the replay, but its searches miss documents, and it silently ignores commits.
 */
import { SolrTimeout, SolrUnavailable } from "../errors.js";
import { SolrCollection } from "../transport/client.js";
import { solrName } from "../transport/endpoint.js";
import type { SolrHttp } from "../transport/http.js";
import { FILES } from "./configset.js";
import { EMPTY_QUERY } from "./shards.js";

/** The ordinal of REPLAYING in `org.apache.solr.update.UpdateLog.State`. */
const REPLAYING = 0;

interface Metrics {
  readonly metrics?: Readonly<Record<string, unknown>>;
}

/** The path of the state of cores' update logs, below Solr's root. @param cores by Solr's names, with prefix */
export function updateLogPath(cores: readonly string[]): string {
  const keys = cores.map((core) => ["key", `solr.core.${core}:TLOG.state`]);
  return `admin/metrics?${new URLSearchParams([["wt", "json"], ...keys])}`;
}

/** Whether such an answer says that a core is replaying its update log. */
export function isReplaying(answer: string): boolean {
  const { metrics = {} } = JSON.parse(answer) as Metrics;
  return Object.values(metrics).includes(REPLAYING);
}

/** Checks that the catalogue shows all acknowledged changes. Waits for its core while that is being loaded. */
export async function requireReplayed(http: SolrHttp): Promise<void> {
  // A search waits until its core is loaded. Before that, the metrics do not show an update log to be replayed.
  await new SolrCollection(http, FILES).select(new URLSearchParams(EMPTY_QUERY));
  await refuseReplaying(http);
}

/**
 * Checks that the loaded catalogue shows all acknowledged changes. Passes if Solr's metrics are disabled or forbidden, and in
 * SolrCloud, which waits for the replay itself.
 *
 * @throws SolrUnavailable while its core replays its update log
 */
export async function refuseReplaying(http: SolrHttp, signal?: AbortSignal): Promise<void> {
  let isBehind = false;
  try {
    const path = updateLogPath([solrName(http.endpoint, FILES)]);
    isBehind = isReplaying((await http.send({ path, signal })).text);
  } catch (error) {
    if (error instanceof SolrTimeout) throw error;
  }
  if (isBehind) throw new SolrUnavailable("Solr replays its update log after a crash");
}
