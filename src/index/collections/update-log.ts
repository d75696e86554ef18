/**
 * Solr's update log: what was acknowledged stands in it until a commit brings it to disk, and a Solr that was
 * killed takes it in again at its next start. Solr answers long before it is through with that; until then
 * searches find too little, and commits are passed over without a word.
 */
import { SolrTimeout, SolrUnavailable } from "../errors.js";
import { SolrCollection } from "../transport/client.js";
import { solrName } from "../transport/endpoint.js";
import type { SolrHttp } from "../transport/http.js";

/** `org.apache.solr.update.UpdateLog.State`, in its order. */
const REPLAYING = 0;

/** The cheapest search of a core. */
const NOTHING = { q: "*:*", rows: "0" };

interface Metrics {
  readonly metrics?: Readonly<Record<string, unknown>>;
}

/** Where the state of the cores' update logs can be asked for, below Solr's root. @param cores as Solr calls them */
export function updateLogPath(cores: readonly string[]): string {
  const keys = cores.map((core) => ["key", `solr.core.${core}:TLOG.state`]);
  return `admin/metrics?${new URLSearchParams([["wt", "json"], ...keys])}`;
}

/** Whether an answer from there says that a core still takes its update log in. */
export function isReplaying(answer: string): boolean {
  const { metrics = {} } = JSON.parse(answer) as Metrics;
  return Object.values(metrics).includes(REPLAYING);
}

/**
 * Makes sure that cores show all that they have acknowledged, also those that are still being loaded.
 *
 * @throws as refuseReplaying, and what a search throws
 */
export async function requireReplayed(
  http: SolrHttp,
  cores: readonly string[],
  signal?: AbortSignal,
): Promise<void> {
  // A core that is being loaded keeps a search waiting, and tells of no update log before it takes one in.
  const searches = cores.map((core) =>
    new SolrCollection(http, core).select(new URLSearchParams(NOTHING), { signal }),
  );
  await Promise.all(searches);
  await refuseReplaying(http, cores, signal);
}

/**
 * The same of cores that have answered a search, and so are loaded. Of a Solr that does not tell, because its metrics
 * are switched off or not for us, and of SolrCloud, which sees to that itself, it is taken for granted.
 *
 * @throws SolrUnavailable while one of them takes its update log in; SolrTimeout
 */
export async function refuseReplaying(
  http: SolrHttp,
  cores: readonly string[],
  signal?: AbortSignal,
): Promise<void> {
  if (await tellsOfReplay(http, cores, signal)) {
    throw new SolrUnavailable("Solr takes its update log in after a crash");
  }
}

async function tellsOfReplay(
  http: SolrHttp,
  cores: readonly string[],
  signal: AbortSignal | undefined,
): Promise<boolean> {
  try {
    const path = updateLogPath(cores.map((core) => solrName(http.endpoint, core)));
    const { text } = await http.send({ path, signal });
    return isReplaying(text);
  } catch (error) {
    if (error instanceof SolrTimeout) throw error;
    return false;
  }
}
