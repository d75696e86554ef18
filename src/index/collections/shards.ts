/** The shards of a collection, by the names that Solr takes in the parameter `shards`. */
import { withoutTrailing } from "../../platform/trailing-characters.js";

/** How an outside Solr is laid out. */
export interface SolrTopology {
  /** SolrCloud, which keeps its collections in ZooKeeper. */
  readonly cloud: boolean;
  /**
   * The names of each collection's shards; none where it is a single core. They may change while the service runs, so
   * they are read anew for each request.
   *
   * /export answers for one shard alone: with more than one, exports go through /stream. A real-time get finds a
   * document by the shards' names alone, as its shard does not follow from its key.
   */
  readonly shards: Readonly<Record<string, readonly string[]>>;
}

/** A Solr with cores: the embedded one, or one that somebody else runs. */
export const SINGLE: SolrTopology = { cloud: false, shards: {} };

/** Whether a collection's documents lie in more than one index. */
export const isSharded = ({ shards }: SolrTopology, collection: string): boolean =>
  (shards[collection]?.length ?? 0) > 1;

/** A search with these tells of the shards, also of those of which nothing answers. */
export const SHARDS_INFO = { "shards.info": "true", "shards.tolerant": "true" };

/**
 * What is known of shards by a search with SHARDS_INFO: the addresses of all replicas of a shard, with `|` between them.
 * A single core has none; a shard that is dead has an empty one.
 */
export const shardAddresses = (answer: unknown): readonly string[] =>
  Object.keys((answer as { "shards.info"?: object })["shards.info"] ?? {});

/** How Solr names the cores of the collections that it makes: `files_2_shard1_0_replica_n9`. */
const CORE = /_(shard\d+(?:_\d+)*)_replica_?[a-z]?\d+$/;

/** @returns undefined where a name does not show: nothing of a shard is alive, or the cores have names of their own */
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

/** What CLUSTERSTATUS tells of a collection's shards. */
export type ShardStates = Readonly<Record<string, { readonly state?: string }>>;

/** One that was split stays beside its parts for a while, and is not asked any more. */
export const activeShards = <T extends ShardStates>(shards: T): [string, T[string]][] =>
  (Object.entries(shards) as [string, T[string]][])
    .filter(([, { state = "active" }]) => state === "active")
    .sort(([a], [b]) => (a < b ? -1 : 1));

/** Asks for the state of a collection, or of the one that an alias leads to (Collections API). */
export const clusterStatus = (collection: string) => ({ action: "CLUSTERSTATUS", collection });

/** @returns undefined where nothing is told of it */
export function namesByStatus(answer: unknown): readonly string[] | undefined {
  const { cluster } = answer as {
    cluster?: { collections?: Readonly<Record<string, { shards?: ShardStates }>> };
  };
  const [found] = Object.values(cluster?.collections ?? {});
  const names = activeShards(found?.shards ?? {}).map(([name]) => name);
  return names.length > 0 ? names : undefined;
}
