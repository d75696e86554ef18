/** A real SolrCloud of one node, with its ZooKeeper inside, from the same jars as the embedded Solr. */
import { copyFile, mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { zipSync } from "fflate";
import { packagePath } from "../../src/package-root.js";
import { javaArguments, launchSolr } from "../../src/solr/embedded/solr-process.js";
import { type SolrEndpoint, solrUrl } from "../../src/solr/endpoint.js";

export interface SolrCloud {
  readonly endpoint: SolrEndpoint;
  /** Asks an admin handler, such as `admin/collections`; its answer must be a success. */
  admin(path: string, parameters: Readonly<Record<string, string>>): Promise<unknown>;
  /** Makes a collection from the service's configset. */
  create(name: string, shards: number): Promise<void>;
  /** The shards of a collection, and the core that leads each. */
  leaders(name: string): Promise<Record<string, string>>;
  /** How many documents a core holds by itself. */
  countIn(core: string): Promise<number>;
  stop(): Promise<void>;
}

const CONFIGSET = "climate-nextgen";
/** ZooKeeper listens this much above Solr (org.apache.solr.cloud.SolrZkServer). */
const ZOOKEEPER = 1000;
const START_LIMIT = 90_000;

/** @param configsets where the configset of its collections lies */
export async function startSolrCloud(configsets = packagePath("solr")): Promise<SolrCloud> {
  const folder = await mkdtemp(join(tmpdir(), "climate-cloud-"));
  for (const name of ["home", "logs", "tmp", "server/solr"]) {
    await mkdir(join(folder, name), { recursive: true });
  }
  await copyFile(packagePath("solr", "solr.xml"), join(folder, "home", "solr.xml"));
  await copyFile(packagePath("solr", "zoo.cfg"), join(folder, "server", "solr", "zoo.cfg"));
  const port = await freePort();
  const cloud = { zkRun: "", host: "127.0.0.1", "solr.port.advertise": port, "solr.http1": true };
  const server = await launchSolr(folder, [
    ...Object.entries(cloud).map(([name, value]) => `-D${name}=${value}`),
    // It lives for seconds: code that is compiled well would come too late.
    "-XX:TieredStopAtLevel=1",
    ...javaArguments(folder, port, "512m"),
  ]);
  const endpoint: SolrEndpoint = { urls: [new URL(`http://127.0.0.1:${port}/solr`)] };
  const stop = async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const end = Date.now() + START_LIMIT;
    while (!(await answers(endpoint))) {
      const log = () => readFile(join(folder, "logs", "java.log"), "utf8");
      if (server.ended() !== undefined) throw new Error(`${server.ended()}\n${await log()}`);
      if (Date.now() > end) throw new Error(`no SolrCloud at ${endpoint.urls[0]}\n${await log()}`);
      await sleep(100);
    }
    await uploadConfigset(endpoint, configsets);
  } catch (error) {
    await stop();
    throw error;
  }
  return { endpoint, stop, ...requests(endpoint) };
}

function requests(endpoint: SolrEndpoint) {
  const ask = async (path: string, parameters: Readonly<Record<string, string>>) => {
    const url = solrUrl(endpoint, path);
    url.search = new URLSearchParams({ wt: "json", ...parameters }).toString();
    const response = await fetch(url);
    const text = await response.text();
    if (!response.ok) throw new Error(`${url}: ${response.status} ${text}`);
    return JSON.parse(text) as unknown;
  };
  return {
    admin: ask,
    create: async (name: string, shards: number) => {
      const layout = { numShards: String(shards), replicationFactor: "1" };
      const parameters = { name, "collection.configName": CONFIGSET, ...layout };
      await ask("admin/collections", { action: "CREATE", ...parameters });
    },
    leaders: async (name: string) => {
      const status = await ask("admin/collections", { action: "CLUSTERSTATUS", collection: name });
      const { cluster } = status as { cluster: { collections: Record<string, CollectionState> } };
      const shards = Object.entries(cluster.collections[name]?.shards ?? {});
      return Object.fromEntries(
        shards.map(([shard, { replicas }]) => [shard, Object.values(replicas)[0]?.core ?? ""]),
      );
    },
    countIn: async (core: string) => {
      const answer = await ask(`${core}/select`, { q: "*:*", rows: "0", distrib: "false" });
      return (answer as { response: { numFound: number } }).response.numFound;
    },
  };
}

interface CollectionState {
  readonly shards: Record<string, { readonly replicas: Record<string, { readonly core: string }> }>;
}

/** Whether the node is up and knows of itself as one that lives. */
async function answers(endpoint: SolrEndpoint): Promise<boolean> {
  const url = solrUrl(endpoint, "admin/collections");
  url.search = "action=CLUSTERSTATUS&wt=json";
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(10_000) });
    const { cluster } = (await response.json()) as { cluster?: { live_nodes?: string[] } };
    return (cluster?.live_nodes ?? []).length > 0;
  } catch {
    return false;
  }
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
    headers: { "Content-Type": "application/octet-stream" },
    body: zipSync(Object.fromEntries(files)),
  });
  if (!response.ok) throw new Error(`configset: ${response.status} ${await response.text()}`);
}

/** A port such that ZooKeeper's is free as well. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = await listen(0);
    if (port < 65_536 - ZOOKEEPER && (await listen(port + ZOOKEEPER)) > 0) return port;
  }
}

/** The port that could be listened at; 0 when it is taken. */
function listen(port: number): Promise<number> {
  const probe = createServer();
  return new Promise((done) => {
    probe.once("error", () => done(0));
    probe.listen(port, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => done(typeof address === "object" && address ? address.port : 0));
    });
  });
}
