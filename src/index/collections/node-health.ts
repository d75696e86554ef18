/** The health of Solr's nodes, for the status of the service. Not used by searches. */

import { type SolrEndpoint, solrName } from "../transport/endpoint.js";
import { askNode } from "../transport/reachable.js";
import type { SolrAdmin } from "./admin.js";
import { clusterOf, realName } from "./cluster.js";
import { activeShards } from "./shards.js";

interface NodeHealth {
  readonly url: URL;
  readonly answers: boolean;
  /** Bytes of the disk with its index; undefined without permission to read them. */
  readonly disk: { readonly free: number; readonly size: number } | undefined;
}

const FREE = "solr.node:CONTAINER.fs.usableSpace";
const SIZE = "solr.node:CONTAINER.fs.totalSpace";

/** Requests the health of each node. The signal ends the wait for nodes that do not answer. */
export function inspectNodes(endpoint: SolrEndpoint, signal: AbortSignal): Promise<NodeHealth[]> {
  return Promise.all(endpoint.urls.map((url) => inspectNode(endpoint, url, signal)));
}

async function inspectNode(
  endpoint: SolrEndpoint,
  node: URL,
  signal: AbortSignal,
): Promise<NodeHealth> {
  const keys = [FREE, SIZE].map((key) => ["key", key]);
  const query = new URLSearchParams([["wt", "json"], ...keys]);
  const answer = await askNode(endpoint, node, `admin/metrics?${query}`, signal);
  return {
    url: node,
    answers: answer !== undefined,
    disk: answer?.isOk === true ? diskIn(answer.text) : undefined,
  };
}

function diskIn(text: string): NodeHealth["disk"] {
  try {
    const { metrics = {} } = JSON.parse(text) as { metrics?: Readonly<Record<string, unknown>> };
    const [free, size] = [metrics[FREE], metrics[SIZE]];
    return typeof free === "number" && typeof size === "number" ? { free, size } : undefined;
  } catch {
    return undefined;
  }
}

export interface Replicas {
  readonly all: number;
  /** The replicas that are not active, as `collection shard core`. */
  readonly down: readonly string[];
  /** The shards without a leader, to which nothing can be written, as `collection shard`. */
  readonly leaderless: readonly string[];
}

/** The replicas of collections. */
export async function inspectReplicas(
  admin: SolrAdmin,
  names: readonly string[],
): Promise<Replicas> {
  const cluster = await clusterOf(admin);
  const shards = names.flatMap((name) => {
    const real = realName(cluster, name);
    return activeShards(cluster.collections[real]?.shards ?? {}).map(([shard, { replicas }]) => ({
      name: `${solrName(admin.endpoint, real)} ${shard}`,
      replicas: Object.values(replicas),
    }));
  });
  return {
    all: shards.flatMap(({ replicas }) => replicas).length,
    down: shards.flatMap(({ name, replicas }) =>
      replicas.filter(({ state }) => state !== "active").map(({ core }) => `${name} ${core}`),
    ),
    leaderless: shards.filter(({ replicas }) => !replicas.some(isLeading)).map(({ name }) => name),
  };
}

const isLeading = ({ leader, state }: { readonly leader?: string; readonly state: string }) =>
  leader === "true" && state === "active";
