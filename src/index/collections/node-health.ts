/** How the nodes of a Solr are, as each tells of itself; for who runs the service, and never in the way of a search. */

import { SolrCollection } from "../transport/client.js";
import type { SolrEndpoint } from "../transport/endpoint.js";
import type { SolrHttp } from "../transport/http.js";
import { readAnswer } from "../transport/json-response.js";
import { askNode } from "../transport/reachable.js";
import type { SolrAdmin } from "./admin.js";
import { clusterOf, realName } from "./cluster.js";
import { activeShards } from "./shards.js";

export interface NodeLook {
  readonly url: URL;
  readonly answers: boolean;
  /** Bytes on the disk of its index; undefined where it does not tell us. */
  readonly room: { readonly free: number; readonly size: number } | undefined;
}

const FREE = "solr.node:CONTAINER.fs.usableSpace";
const SIZE = "solr.node:CONTAINER.fs.totalSpace";

/** Asks each node; one that does not answer by the signal does not. */
export function lookAtNodes(endpoint: SolrEndpoint, signal: AbortSignal): Promise<NodeLook[]> {
  return Promise.all(endpoint.urls.map((url) => lookAtNode(endpoint, url, signal)));
}

async function lookAtNode(
  endpoint: SolrEndpoint,
  node: URL,
  signal: AbortSignal,
): Promise<NodeLook> {
  const keys = [FREE, SIZE].map((key) => ["key", key]);
  const query = new URLSearchParams([["wt", "json"], ...keys]);
  const answer = await askNode(endpoint, node, `admin/metrics?${query}`, signal);
  return {
    url: node,
    answers: answer !== undefined,
    room: answer?.isOk === true ? roomIn(answer.text) : undefined,
  };
}

function roomIn(text: string): NodeLook["room"] {
  try {
    const { metrics = {} } = JSON.parse(text) as { metrics?: Readonly<Record<string, unknown>> };
    const [free, size] = [metrics[FREE], metrics[SIZE]];
    return typeof free === "number" && typeof size === "number" ? { free, size } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Milliseconds since 1970 by Solr's clock, for whoever may search: a node writes no `Date` unless it is told to.
 *
 * @returns undefined where there is no document yet that it could be asked with
 * @throws SolrUnavailable, SolrTimeout
 */
export async function solrTime(http: SolrHttp, signal: AbortSignal): Promise<number | undefined> {
  const parameters = new URLSearchParams({ q: "*:*", rows: "1", fl: "now:ms(NOW)" });
  const { text } = await new SolrCollection(http, "state").select(parameters, { signal });
  const { response } = readAnswer(text) as { response?: { docs?: readonly { now?: unknown }[] } };
  const now = response?.docs?.[0]?.now;
  return typeof now === "number" ? now : undefined;
}

export interface Replicas {
  readonly all: number;
  /** `collection shard core`, of those that are not active. */
  readonly down: readonly string[];
}

/** The replicas of collections. @throws as SolrAdmin.ask, also where this user may not ask */
export async function lookAtReplicas(
  admin: SolrAdmin,
  names: readonly string[],
): Promise<Replicas> {
  const cluster = await clusterOf(admin);
  const states = names.flatMap((name) => {
    const collection = cluster.collections[realName(cluster, name)];
    return activeShards(collection?.shards ?? {}).flatMap(([shard, { replicas }]) =>
      Object.values(replicas).map(({ core, state }) => ({
        name: `${name} ${shard} ${core}`,
        state,
      })),
    );
  });
  return {
    all: states.length,
    down: states.filter(({ state }) => state !== "active").map(({ name }) => name),
  };
}
