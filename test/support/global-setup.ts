/**
 * A real Solr for each file that runs at a time, each with a data folder of its own; in `npm run test:cloud` a SolrCloud of
 * several shards and replicas, for one file at a time.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { SolrAdmin } from "../../src/index/collections/admin.js";
import { inspectCollections, type SolrTopology } from "../../src/index/collections/collections.js";
import { archiveOptions } from "../../src/index/embedded/class-archive.js";
import { startEmbeddedSolr } from "../../src/index/embedded/embedded.js";
import { setUpCollections } from "../../src/index/migration/set-up-collections.js";
import { startSolrCloud } from "./solr-cloud.js";

export interface TestSolr {
  /** Of its nodes. */
  readonly urls: readonly [string, ...string[]];
  readonly user: string;
  readonly password: string;
  readonly topology: SolrTopology;
  /** The folders of its logs and its indexes. */
  readonly folders: readonly string[];
}

declare module "vitest" {
  export interface ProvidedContext {
    /** One for each file that runs at a time. */
    solrs: readonly TestSolr[];
  }
}

type Started = TestSolr & { stop(): Promise<void> };

/** How the SolrCloud of `npm run test:cloud` is laid out. */
const CLOUD = { nodes: 3, shards: 2, replicas: 2 };

async function startCloud(): Promise<Started> {
  const password = "the password of a SolrCloud";
  const cloud = await startSolrCloud({ nodes: CLOUD.nodes, password, heap: "512m" });
  const { endpoint, stop } = cloud;
  try {
    await setUpCollections(new SolrAdmin(endpoint), { ...CLOUD, report: () => {} });
    await cloud.whole();
    const topology = await inspectCollections(endpoint, ["files", "latest", "state"]);
    const [first, ...others] = endpoint.urls;
    return {
      urls: [first.href, ...others.map(({ href }) => href)],
      ...{ user: endpoint.user ?? "", password, topology, stop },
      folders: cloud.members.map(({ folder }) => folder),
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startOne(): Promise<Started> {
  const dataDir = await mkdtemp(join(tmpdir(), "climate-test-"));
  const solr = await startEmbeddedSolr({
    ...{ dataDir, heap: "1g", report: () => {} },
    // What has expired in the state is swept away sooner than a test would wait for.
    javaOptions: [...(await archiveOptions()), "-Dclimate.state.sweep=2"],
  });
  const {
    urls: [url],
    user = "",
    password = "",
  } = solr.endpoint;
  const stop = async (): Promise<void> => {
    await solr.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  const topology = { cloud: false, shards: {} };
  return { urls: [url.href], user, password, topology, folders: [dataDir], stop };
}

export default async function setup(project: TestProject): Promise<(() => Promise<void>) | void> {
  const { projects, state } = project.vitest;
  // One project runs after the other, and what is started for one serves the other.
  const started = projects.map((other) => other.getProvidedContext().solrs).find(Boolean);
  if (started !== undefined) return project.provide("solrs", started);
  const workers = projects.find(({ name }) => name === "solr")?.config.maxWorkers;
  const count = Math.min(Number(workers), state.getPaths().length);
  const solrs =
    process.env.CLOUD === "1"
      ? [await startCloud()]
      : await Promise.all(Array.from({ length: count }, startOne));
  project.provide(
    "solrs",
    solrs.map(({ stop: _, ...solr }) => solr),
  );
  return async () => {
    await Promise.all(solrs.map(({ stop }) => stop()));
  };
}
