/**
 * Finds files of which several versions have the mark of the newest, or none.
 *
 * No load leaves such a file where every write and read is right. A node of SolrCloud that was away, and does not know it yet, may
 * answer from an old state, so a load can miss the version whose mark has to go.
 */
import { FILES } from "../../collections/configset.js";
import type { SolrHttp } from "../../transport/http.js";
import { filesOf, selectFromLeaders } from "../indexed-versions.js";
import { drsKey } from "../version.js";

const PUBLIC = "-user:*";
const MARKED = `latest:true ${PUBLIC}`;

/**
 * Keys (`drsKey`) of visible documents whose marks are wrong, the first ones of each shard. In a collection without a route, the
 * versions of a file may lie in several shards: each is judged by itself.
 *
 * @param limit of each kind in each shard
 * @throws SolrUnavailable, SolrTimeout
 */
export async function wronglyMarked(http: SolrHttp, limit: number): Promise<string[]> {
  const keys = new Set<string>();
  const shards = http.topology.shards[FILES] ?? [];
  for (const place of shards.length > 0 ? shards.map((one) => ({ shards: one })) : [{}]) {
    for (const key of await markedTwice(http, place, limit)) keys.add(key);
    for (const key of await notMarked(http, place, limit)) keys.add(key);
  }
  return [...keys].sort();
}

/** The parameters that choose a shard; none for a single core. */
type Place = Readonly<Record<string, string>>;

/** `drs_key` has no docValues. Solr walks over its terms, and looks into those of several documents only. */
async function markedTwice(http: SolrHttp, place: Place, limit: number): Promise<string[]> {
  const parameters = new URLSearchParams({
    ...{ q: MARKED, rows: "0", facet: "true", "facet.field": "drs_key", "facet.sort": "index" },
    ...{ "facet.method": "enum", "facet.enum.cache.minDf": String(2 ** 31 - 1) },
    ...{ "facet.mincount": "2", "facet.limit": String(limit), "json.nl": "flat", ...place },
  });
  const { facet_counts: found } = await selectFromLeaders<{
    facet_counts: { facet_fields: { drs_key: readonly (string | number)[] } };
  }>(http, FILES, parameters);
  return found.facet_fields.drs_key.filter((one) => typeof one === "string");
}

async function notMarked(http: SolrHttp, place: Place, limit: number): Promise<string[]> {
  const files = await filesOf(http, `latest:false ${PUBLIC}`, limit, {
    fq: "{!cache=false}-{!join from=drs_key to=drs_key v=$marked}",
    marked: MARKED,
    ...place,
  });
  return files.map(drsKey);
}
