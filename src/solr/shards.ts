/** The shards of a collection, by the names that Solr takes in the parameter `shards`. */
import { AdminRefused, SolrAdmin } from "./admin.js";
import type { SolrEndpoint } from "./endpoint.js";
import { SetupError } from "./setup-error.js";

/** How an outside Solr is laid out. */
export interface SolrTopology {
  /** SolrCloud, which keeps its collections in ZooKeeper. */
  readonly cloud: boolean;
  /**
   * The names of each collection's shards; none where it is a single core. They may change while the service runs, so
   * they are read anew for each request.
   *
   * /export answers for one shard alone, and the ETag of /select is that of one shard: with more than one, exports go
   * through /stream and answers are not revalidated. A real-time get finds a document by the shards' names alone, as
   * its shard does not follow from its key.
   */
  readonly shards: Readonly<Record<string, readonly string[]>>;
}

/** A Solr with cores: the embedded one, or one that somebody else runs. */
export const SINGLE: SolrTopology = { cloud: false, shards: {} };

/** Whether a collection's documents lie in more than one index. */
export const isSharded = ({ shards }: SolrTopology, collection: string): boolean =>
  (shards[collection]?.length ?? 0) > 1;

/** How Solr names the cores of the collections that it makes: `files_2_shard1_0_replica_n9`. */
const CORE = /_(shard\d+(?:_\d+)*)_replica_?[a-z]?\d+$/;

/**
 * Names of shards by `shards.info`, whose keys are the addresses of all replicas of a shard, with `|` between them.
 *
 * @returns undefined where a name does not show: nothing of a shard is alive, or the cores have names of their own
 */
export function shardNames(addresses: readonly string[]): readonly string[] | undefined {
  const names = new Set<string>();
  for (const address of addresses) {
    const [first = ""] = address.split("|");
    const name = CORE.exec(first.replace(/\/+$/, ""))?.[1];
    if (name === undefined) return undefined;
    names.add(name);
  }
  return names.size === addresses.length ? [...names].sort() : undefined;
}

interface ClusterStatus {
  readonly cluster: {
    readonly collections?: Readonly<
      Record<string, { readonly shards: Readonly<Record<string, { readonly state?: string }>> }>
    >;
  };
}

/**
 * The same, of a Solr that lets us into its admin interface.
 *
 * @returns undefined where it does not
 * @throws SolrUnavailable
 */
export async function askedShardNames(
  endpoint: SolrEndpoint,
  collection: string,
): Promise<readonly string[] | undefined> {
  const parameters = { action: "CLUSTERSTATUS", collection };
  try {
    const { cluster } = await new SolrAdmin(endpoint).ask<ClusterStatus>(
      "admin/collections",
      parameters,
    );
    // One, also where the name is that of an alias.
    const [found] = Object.values(cluster.collections ?? {});
    const shards = Object.entries(found?.shards ?? {});
    // One that was split stays beside its parts for a while, and is not asked any more.
    const active = shards.filter(([, { state = "active" }]) => state === "active");
    return active.map(([name]) => name).sort();
  } catch (error) {
    if (error instanceof AdminRefused || error instanceof SetupError) return undefined;
    throw error;
  }
}
