/** The shards of Solr's collections, which may be split or recreated while the service runs. */
import { SingleFlight } from "../../platform/concurrency/single-flight.js";
import { SolrCollection } from "../transport/client.js";
import { solrName } from "../transport/endpoint.js";
import type { SolrHttp } from "../transport/http.js";
import { readAnswer } from "../transport/json-response.js";
import {
  clusterStatus,
  namesByCores,
  namesByStatus,
  SHARDS_INFO,
  type SolrTopology,
  shardAddresses,
} from "./shards.js";

/** Milliseconds between two renewals. A shard that was split still answers for a while, but without new documents. */
const RENEW_INTERVAL_MS = 5000;

export class ShardTopology implements SolrTopology {
  readonly cloud: boolean;
  #shards: SolrTopology["shards"];
  readonly #renewals = new SingleFlight<void>();

  constructor({ cloud, shards }: SolrTopology) {
    this.cloud = cloud;
    this.#shards = shards;
  }

  get shards(): SolrTopology["shards"] {
    return this.#shards;
  }

  /** Renews the topology regularly, in SolrCloud. Does not keep the process running. @returns a function that ends it */
  follow(http: SolrHttp): () => void {
    if (!this.cloud) return () => {};
    const timer = setInterval(() => {
      void this.#renewals.join(() => this.#readShards(http));
    }, RENEW_INTERVAL_MS).unref();
    return () => clearInterval(timer);
  }

  /** Reads the shards again. Collections that cannot be read keep their known shards. */
  renew(http: SolrHttp): Promise<void> {
    return this.#renewals.next(() => this.#readShards(http));
  }

  async #readShards(http: SolrHttp): Promise<void> {
    const entries = Object.entries(this.#shards).map(async ([name, known]) => {
      const names = await namesNow(http, name).catch(() => undefined);
      return [name, names ?? known] as const;
    });
    this.#shards = Object.fromEntries(await Promise.all(entries));
  }
}

async function namesNow(http: SolrHttp, name: string): Promise<readonly string[] | undefined> {
  const parameters = new URLSearchParams({ q: "*:*", rows: "0", ...SHARDS_INFO });
  const { text } = await new SolrCollection(http, name).select(parameters);
  const names = namesByCores(shardAddresses(readAnswer(text)));
  if (names !== undefined) return names;
  const query = { wt: "json", ...clusterStatus(solrName(http.endpoint, name)) };
  const path = `admin/collections?${new URLSearchParams(query)}`;
  return namesByStatus(readAnswer((await http.send({ path })).text));
}
