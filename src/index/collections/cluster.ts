/** The collections and aliases of a SolrCloud. */
import type { SolrAdmin } from "./admin.js";
import { SetupError } from "./setup-error.js";

interface Replica {
  readonly core: string;
  readonly state: string;
  readonly leader?: string;
}

export interface CloudCollection {
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

export interface Cluster {
  readonly collections: Readonly<Record<string, CloudCollection>>;
  readonly aliases?: Readonly<Record<string, string>>;
}

/** Reads the collections and aliases of a SolrCloud. @throws as SolrAdmin.ask */
export async function clusterOf(admin: SolrAdmin): Promise<Cluster> {
  const { cluster } = await admin.ask<{ readonly cluster: Cluster }>("admin/collections", {
    action: "CLUSTERSTATUS",
  });
  return cluster;
}

/** The collection of a name, which may be an alias. @throws SetupError if an alias leads to several collections */
export function realName({ aliases }: Cluster, name: string): string {
  const real = aliases?.[name] ?? name;
  if (!real.includes(",")) return real;
  throw new SetupError(
    `The alias ${name} leads to several collections (${real}); change it to lead to one, and run this again.`,
  );
}
