/** The shards of a collection, by the names that Solr's parameter `shards` accepts. */
import { withoutTrailing } from "../../platform/trailing-characters.js";

/** The layout of a Solr. */
export interface SolrTopology {
  /** Whether it is a SolrCloud, which keeps its collections in ZooKeeper. */
  readonly cloud: boolean;
  /**
   * The names of each collection's shards; empty for a single core. They may change while the service runs, so every
   * request must read them again.
   *
   * /export serves a single shard: with more than one, their exports are merged. A real-time get needs the names of all
   * shards, because the shard of a document does not follow from its key.
   */
  readonly shards: Readonly<Record<string, readonly string[]>>;
}

/** A Solr with cores, not SolrCloud: embedded or outside. */
export const SINGLE: SolrTopology = { cloud: false, shards: {} };

/** Whether a collection has more than one shard. */
export const isSharded = ({ shards }: SolrTopology, collection: string): boolean =>
  (shards[collection]?.length ?? 0) > 1;

/** Parameters that make a search list the shards, including unavailable ones. */
export const SHARDS_INFO = { "shards.info": "true", "shards.tolerant": "true" };

/**
 * The shards in the answer to a search with SHARDS_INFO, each as the addresses of its replicas with `|` between them.
 * Empty for a single core. An unavailable shard is an empty text.
 */
export const shardAddresses = (answer: unknown): readonly string[] =>
  Object.keys((answer as { "shards.info"?: object })["shards.info"] ?? {});

/** Makes Solr name the replicas that answered a search, even if that is the node itself. */
export const NAMED_REPLICAS = { "shards.info": "true", shortCircuit: "false" };

/** The cheapest search. */
export const EMPTY_QUERY = { q: "-*:*", rows: "0", wt: "json" };

/** The part of an answer about shards. The address is that of the replica that answered. */
interface ShardsReply {
  readonly "shards.info"?: Readonly<Record<string, { readonly shardAddress?: string }>>;
}

/** The addresses of the replicas that answered a search with NAMED_REPLICAS, sorted; empty if one is not named. */
export function answeringReplicas(answer: unknown): readonly string[] {
  const shards = Object.values((answer as ShardsReply)["shards.info"] ?? {});
  const addresses = shards.map(({ shardAddress = "" }) => withoutTrailing(shardAddress, "/"));
  return addresses.includes("") ? [] : addresses.sort();
}

/** Solr's names for the cores of collections: `files_2_shard1_0_replica_n9`. */
const CORE = /_(shard\d+(?:_\d+)*)_replica_?[a-z]?\d+$/;

/**
 * The names of shards by those of their cores.
 *
 * @returns undefined if a shard is unavailable or its core is named otherwise
 */
export function namesByCores(addresses: readonly string[]): readonly string[] | undefined {
  const names = new Set<string>();
  for (const address of addresses) {
    const [first = ""] = address.split("|");
    const name = CORE.exec(withoutTrailing(first, "/"))?.[1];
    if (name === undefined) return undefined;
    names.add(name);
  }
  return names.size > 0 && names.size === addresses.length ? [...names].sort() : undefined;
}

/** The shards of a collection in the answer to CLUSTERSTATUS. */
type ShardStates = Readonly<Record<string, { readonly state?: string }>>;

/** The active shards, sorted by name. A shard that was split stays for a while, inactive. */
export const activeShards = <T extends ShardStates>(shards: T): [string, T[string]][] =>
  (Object.entries(shards) as [string, T[string]][])
    .filter(([, { state = "active" }]) => state === "active")
    .sort(([a], [b]) => (a < b ? -1 : 1));

/** Parameters of the Collections API for the state of a collection or alias. */
export const clusterStatus = (collection: string) => ({ action: "CLUSTERSTATUS", collection });

/** The names of shards in the answer to CLUSTERSTATUS. @returns undefined if it has none */
export function namesByStatus(answer: unknown): readonly string[] | undefined {
  const { cluster } = answer as {
    cluster?: { collections?: Readonly<Record<string, { shards?: ShardStates }>> };
  };
  const [found] = Object.values(cluster?.collections ?? {});
  const names = activeShards(found?.shards ?? {}).map(([name]) => name);
  return names.length > 0 ? names : undefined;
}
