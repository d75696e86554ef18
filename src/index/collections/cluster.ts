/** The collections and aliases of a SolrCloud. */

import { ownName, type SolrEndpoint } from "../transport/endpoint.js";
import { byOwnNames, type SolrAdmin } from "./admin.js";
import { SetupError } from "./setup-error.js";

interface Replica {
  readonly core: string;
  readonly state: string;
  readonly leader?: string;
}

interface CloudCollection {
  readonly shards: Readonly<
    Record<
      string,
      { readonly state?: string; readonly replicas: Readonly<Record<string, Replica>> }
    >
  >;
  readonly nrtReplicas?: string | number;
  readonly tlogReplicas?: string | number;
  readonly pullReplicas?: string | number;
  readonly replicationFactor?: string | number;
}

interface Cluster {
  readonly collections: Readonly<Record<string, CloudCollection>>;
  readonly aliases?: Readonly<Record<string, string>>;
}

/** Reads this service's collections and aliases of a SolrCloud, by their names without prefix. */
export async function clusterOf(admin: SolrAdmin): Promise<Cluster> {
  const { cluster } = await admin.ask<{ readonly cluster: Cluster }>("admin/collections", {
    action: "CLUSTERSTATUS",
  });
  const { endpoint } = admin;
  if (!endpoint.prefix) return cluster;
  const { collections, aliases = {} } = cluster;
  const leads = (to: string): string => {
    const names = to.split(",").map((name) => requireOwn(endpoint, name));
    return names.join(",");
  };
  return {
    collections: Object.fromEntries(
      Object.entries(byOwnNames(endpoint, collections)).map(([name, collection]) => [
        name,
        withOwnCores(endpoint, collection),
      ]),
    ),
    aliases: Object.fromEntries(
      Object.entries(byOwnNames(endpoint, aliases)).map(([name, to]) => [name, leads(to)]),
    ),
  };
}

function withOwnCores(endpoint: SolrEndpoint, collection: CloudCollection): CloudCollection {
  const own = ({ core, ...replica }: Replica): Replica => ({
    ...replica,
    core: requireOwn(endpoint, core),
  });
  const shards = Object.entries(collection.shards).map(([shard, { replicas, ...rest }]) => {
    const owned = Object.entries(replicas).map(([id, replica]) => [id, own(replica)]);
    return [shard, { ...rest, replicas: Object.fromEntries(owned) }];
  });
  return { ...collection, shards: Object.fromEntries(shards) };
}

function requireOwn(endpoint: SolrEndpoint, name: string): string {
  const own = ownName(endpoint, name);
  if (own !== undefined) return own;
  throw new SetupError(
    `Solr's ${name} does not start with SOLR_COLLECTION_PREFIX (${endpoint.prefix}); rename it, and run this again.`,
  );
}

/** The collection of a name, which may be an alias. @throws SetupError if an alias leads to several collections */
export function realName({ aliases }: Cluster, name: string): string {
  const real = aliases?.[name] ?? name;
  if (!real.includes(",")) return real;
  throw new SetupError(
    `The alias ${name} leads to several collections (${real}); change it to lead to one, and run this again.`,
  );
}
