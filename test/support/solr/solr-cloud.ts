/** A real SolrCloud of one or several nodes and a ZooKeeper, from the same jars as the embedded Solr. */
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { zipSync } from "fflate";
import { solrUser, writeSecurity } from "../../../src/index/embedded/password.js";
import {
  authorization,
  type SolrEndpoint,
  solrUrl,
} from "../../../src/index/transport/endpoint.js";
import { packagePath } from "../../../src/platform/package-root.js";
import { freshFolder } from "../run/folders.js";
import { type Member, putFile, solrNode, zooKeeper } from "./solr-node.js";

export interface SolrCloud {
  /** All nodes. */
  readonly endpoint: SolrEndpoint;
  /** Each node by itself. */
  readonly nodes: readonly SolrEndpoint[];
  readonly zooKeeper: Member;
  /** The processes of the nodes. */
  readonly members: readonly Member[];
  /** SIGKILL of a node; it has ended when this is settled, and is known to be gone about 3 s later. */
  kill(node: number): Promise<void>;
  /** SIGSTOP of a node: its connections stay open, and nothing answers. */
  pause(node: number): void;
  resume(node: number): void;
  /** Starts a killed node again, on the same port and folder, and waits until it lives; see `whole`. */
  start(node: number): Promise<void>;
  /** Waits until every replica is active and every shard has a leader. @throws after the milliseconds */
  whole(within?: number): Promise<void>;
  /** Asks an admin handler, such as `admin/collections`; its answer must be a success. */
  admin(path: string, parameters: Readonly<Record<string, string>>): Promise<unknown>;
  /** Makes a collection from the service's configset. */
  create(name: string, shards: number, replicas?: number): Promise<void>;
  /** The shards of a collection, and the core that leads each. */
  leaders(name: string): Promise<Record<string, string>>;
  /** The shards of a collection, and the node that leads each. */
  leadingNodes(name: string): Promise<Record<string, number>>;
  /**
   * The shards whose newest writes are on these nodes alone. Solr lets no other replica lead them while the nodes are away (for 180 s),
   * as it has not taken a write that the leader has acknowledged.
   */
  newestOnlyOn(nodes: readonly number[]): Promise<readonly string[]>;
  /** How many replicas each shard of each collection has. */
  replicas(): Promise<Record<string, Record<string, number>>>;
  /** How many documents a core holds by itself. */
  countIn(core: string): Promise<number>;
  stop(): Promise<void>;
}

export interface SolrCloudOptions {
  readonly nodes?: number;
  /** The folder of its configsets. */
  readonly configsets?: string;
  /** The heap of each node, in Java's notation. */
  readonly heap?: string;
  /** Clients need this password; without one, every client may do everything. */
  readonly password?: string;
  /** A folder outside of the nodes' homes into which they may write. */
  readonly allowPaths?: string;
}

const CONFIGSET = "climate-nextgen";

/** Everything ends with this process, however that ends. */
export async function startSolrCloud(options: SolrCloudOptions = {}): Promise<SolrCloud> {
  const { nodes: count = 1, configsets = packagePath("solr") } = options;
  const { heap = count === 1 ? "512m" : "256m" } = options;
  const folder = freshFolder();
  const { allowPaths } = options;
  const user = options.password === undefined ? {} : { user: solrUser, password: options.password };
  const keeper = await zooKeeper(join(folder, "zookeeper"));
  const members: Member[] = [];
  for (let node = 0; node < count; node++) {
    members.push(
      await solrNode(join(folder, `node-${node}`), keeper.port, { heap, user, allowPaths }),
    );
  }
  const stop = async () => {
    await Promise.all([...members, keeper].map((one) => one.kill()));
    await rm(folder, { recursive: true, force: true });
  };
  const [first, ...others] = members.map(({ port }) => new URL(`http://127.0.0.1:${port}/solr`));
  if (first === undefined) throw new Error("a SolrCloud has a node");
  const endpoint: SolrEndpoint = { urls: [first, ...others], ...user };
  try {
    await keeper.start();
    // Nodes that start together on an empty ZooKeeper create the same entries and may fail, so the first starts alone.
    if (options.password !== undefined) {
      await writeSecurity(folder, solrUser, options.password);
      await putFile(keeper.port, join(folder, "security.json"));
    }
    await members[0]?.start();
    await Promise.all(members.slice(1).map((node) => node.start()));
    await uploadConfigset(endpoint, configsets);
  } catch (error) {
    await stop();
    throw error;
  }
  const at = (node: number): Member => {
    const one = members[node];
    if (one === undefined) throw new Error(`there is no node ${node}`);
    return one;
  };
  return {
    endpoint,
    members,
    nodes: endpoint.urls.map((url) => ({ urls: [url] as const, ...user })),
    zooKeeper: keeper,
    stop,
    kill: (node) => at(node).kill(),
    pause: (node) => at(node).pause(),
    resume: (node) => at(node).resume(),
    start: (node) => at(node).start(),
    ...requests(endpoint),
  };
}

interface Replica {
  readonly core: string;
  readonly state: string;
  readonly node_name: string;
  readonly leader?: string;
}

interface ZooKeeperNode {
  readonly znode: { readonly data: string };
}

interface Cluster {
  readonly live_nodes: readonly string[];
  readonly collections: Record<
    string,
    { readonly shards: Record<string, { readonly replicas: Record<string, Replica> }> }
  >;
}

function requests(endpoint: SolrEndpoint) {
  /** Of the first node that can be reached. */
  const ask = async (path: string, parameters: Readonly<Record<string, string>>) => {
    const failures: string[] = [];
    for (const node of endpoint.urls) {
      const url = solrUrl(endpoint, path, node);
      url.search = new URLSearchParams({ wt: "json", ...parameters }).toString();
      const response = await fetch(url, {
        headers: authorization(endpoint),
        signal: AbortSignal.timeout(60_000),
      }).catch((error) => {
        failures.push(`${url}: ${error.cause ?? error}`);
      });
      if (!response) continue;
      const text = await response.text();
      // ZooKeeper drops a node that was paused for long. It fails requests until it has registered again.
      if (response.status >= 500) {
        failures.push(`${url}: ${response.status} ${text}`);
        continue;
      }
      if (!response.ok) throw new Error(`${url}: ${response.status} ${text}`);
      return JSON.parse(text) as unknown;
    }
    throw new Error(failures.join("\n"));
  };
  const status = async (): Promise<Cluster> => {
    const answer = await ask("admin/collections", { action: "CLUSTERSTATUS" });
    return (answer as { cluster: Cluster }).cluster;
  };
  /** The replica that leads each shard. */
  const leading = async (name: string): Promise<[string, Replica | undefined][]> => {
    const shards = Object.entries((await status()).collections[name]?.shards ?? {});
    return shards.map(([shard, { replicas }]) => {
      return [shard, Object.values(replicas).find(({ leader }) => leader === "true")];
    });
  };
  return {
    admin: ask,
    create: async (name: string, shards: number, replicas = 1) => {
      const layout = { numShards: String(shards), replicationFactor: String(replicas) };
      const parameters = { name, "collection.configName": CONFIGSET, ...layout };
      await ask("admin/collections", { action: "CREATE", ...parameters });
    },
    whole: async (within = 60_000) => {
      const end = Date.now() + within;
      for (;;) {
        const cluster = await status().catch((error) => {
          if (Date.now() > end) throw error;
        });
        if (!cluster) {
          await sleep(100);
          continue;
        }
        const faults = Object.entries(cluster.collections).flatMap(([name, { shards }]) =>
          Object.entries(shards).flatMap(([shard, { replicas }]) =>
            faultsOf(replicas, cluster).map((fault) => `${name}/${shard} ${fault}`),
          ),
        );
        if (faults.length === 0) return;
        if (Date.now() > end) throw new Error(`not whole: ${faults.join(", ")}`);
        await sleep(100);
      }
    },
    leaders: async (name: string) => {
      const shards = await leading(name);
      return Object.fromEntries(shards.map(([shard, leader]) => [shard, leader?.core ?? ""]));
    },
    leadingNodes: async (name: string) => {
      const names = endpoint.urls.map(({ host }) => `${host}_solr`);
      const shards = await leading(name);
      return Object.fromEntries(
        shards.map(([shard, leader]) => [shard, names.indexOf(leader?.node_name ?? "")]),
      );
    },
    newestOnlyOn: async (nodes: readonly number[]) => {
      const away = new Set(nodes.map((node) => `${endpoint.urls[node]?.host}_solr`));
      const collections = Object.entries((await status()).collections);
      const shards = collections.flatMap(([name, { shards }]) =>
        Object.entries(shards).map(([shard, of]) => ({ name, shard, ...of })),
      );
      const found = shards.map(async ({ name, shard, replicas }) => {
        // ZooKeeper has a number for each replica: the highest one has all writes.
        const path = `/collections/${name}/terms/${shard}`;
        const { znode } = (await ask("admin/zookeeper", { path, detail: "true" })) as ZooKeeperNode;
        const terms = JSON.parse(znode.data) as Readonly<Record<string, number>>;
        const termOf = (one: string): number => terms[one] ?? 0;
        const newest = Math.max(...Object.keys(replicas).map(termOf));
        const having = Object.entries(replicas).filter(([one]) => termOf(one) === newest);
        return having.every(([, { node_name }]) => away.has(node_name)) ? [`${name}/${shard}`] : [];
      });
      return (await Promise.all(found)).flat();
    },
    replicas: async () => {
      const collections = Object.entries((await status()).collections);
      return Object.fromEntries(
        collections.map(([name, { shards }]) => [
          name,
          Object.fromEntries(
            Object.entries(shards).map(([shard, { replicas }]) => [
              shard,
              Object.keys(replicas).length,
            ]),
          ),
        ]),
      );
    },
    countIn: async (core: string) => {
      const answer = await ask(`${core}/select`, { q: "*:*", rows: "0", distrib: "false" });
      return (answer as { response: { numFound: number } }).response.numFound;
    },
  };
}

/** What a shard lacks. The state of a replica is not changed by the death of its node. */
function faultsOf(
  replicas: Readonly<Record<string, Replica>>,
  { live_nodes }: Cluster,
): readonly string[] {
  const all = Object.values(replicas);
  const faults = all
    .filter(({ state, node_name }) => state !== "active" || !live_nodes.includes(node_name))
    .map(({ core, state }) => `${core} is ${state}`);
  return all.some(({ leader }) => leader === "true") ? faults : [...faults, "has no leader"];
}

async function uploadConfigset(endpoint: SolrEndpoint, configsets: string): Promise<void> {
  const names = ["schema.xml", "solrconfig.xml"];
  const files = await Promise.all(
    names.map(async (name) => {
      return [name, await readFile(join(configsets, "configset", "conf", name))] as const;
    }),
  );
  const url = solrUrl(endpoint, "admin/configs");
  url.search = `action=UPLOAD&name=${CONFIGSET}&overwrite=true`;
  const response = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/octet-stream", ...authorization(endpoint) },
    body: zipSync(Object.fromEntries(files)),
  });
  if (!response.ok) throw new Error(`configset: ${response.status} ${await response.text()}`);
}
