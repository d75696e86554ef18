/** What the service knows of Solr's shards, which may be split or made anew while it runs. */
import { SingleFlight } from "../../platform/single-flight.js";
import { SolrCollection } from "../transport/client.js";
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

/** Milliseconds between two looks. A shard that was split answers for as long as it stays, but without what is new. */
const PAUSE = 5000;

export class KnownShards implements SolrTopology {
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

  /** Looks again and again, in SolrCloud; does not keep the process. @returns what ends it */
  follow(http: SolrHttp): () => void {
    if (!this.cloud) return () => {};
    const timer = setInterval(() => {
      void this.#renewals.join(() => this.#look(http));
    }, PAUSE).unref();
    return () => clearInterval(timer);
  }

  /** Looks again. What does not tell now stays as it was known. */
  renew(http: SolrHttp): Promise<void> {
    return this.#renewals.next(() => this.#look(http));
  }

  async #look(http: SolrHttp): Promise<void> {
    const looks = Object.entries(this.#shards).map(async ([name, known]) => {
      const names = await namesNow(http, name).catch(() => undefined);
      return [name, names ?? known] as const;
    });
    this.#shards = Object.fromEntries(await Promise.all(looks));
  }
}

async function namesNow(http: SolrHttp, name: string): Promise<readonly string[] | undefined> {
  const parameters = new URLSearchParams({ q: "*:*", rows: "0", ...SHARDS_INFO });
  const { text } = await new SolrCollection(http, name).select(parameters);
  const names = namesByCores(shardAddresses(readAnswer(text)));
  if (names !== undefined) return names;
  const path = `admin/collections?${new URLSearchParams({ wt: "json", ...clusterStatus(name) })}`;
  return namesByStatus(readAnswer((await http.send({ path })).text));
}
