/**
 * The Solr of the run. Each worker has collections of its own in it, told apart by a prefix. On request it is a SolrCloud of several
 * shards and replicas, for one worker.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SolrAdmin } from "../../../src/index/collections/admin.js";
import { inspectCollections } from "../../../src/index/collections/collections.js";
import { COLLECTIONS, configsetOf } from "../../../src/index/collections/configset.js";
import { setUpCollections } from "../../../src/index/collections/set-up-collections.js";
import { SINGLE, type SolrTopology } from "../../../src/index/collections/shards.js";
import { archiveOptions, ensureClassArchive } from "../../../src/index/embedded/class-archive.js";
import { ensureSolrJars } from "../../../src/index/embedded/download.js";
import { startEmbeddedSolr } from "../../../src/index/embedded/embedded.js";
import type { SolrEndpoint } from "../../../src/index/transport/endpoint.js";
import { persistently } from "../programs/made-folder.js";
import { startSolrCloud } from "../solr/solr-cloud.js";

/** The need's name. */
export const SOLR = "Solr";

export interface TestSolr {
  /** The addresses of its nodes. */
  readonly urls: readonly [string, ...string[]];
  readonly user: string;
  readonly password: string;
  readonly topology: SolrTopology;
  /** The folders of its logs and its indexes. */
  readonly folders: readonly string[];
  /** What the names of a worker's collections begin with, by the worker's number from 1; undefined: with nothing. */
  readonly prefixes: Readonly<Record<number, string>> | undefined;
}

type Started = TestSolr & { stop(): Promise<void> };

/** How the SolrCloud is laid out. */
const CLOUD = { nodes: 3, shards: 2, replicas: 2 };

async function startCloud(): Promise<Started> {
  const password = "the password of a SolrCloud";
  const cloud = await startSolrCloud({ nodes: CLOUD.nodes, password, heap: "512m" });
  const { endpoint, stop } = cloud;
  try {
    await setUpCollections(new SolrAdmin(endpoint), { ...CLOUD, report: () => {} });
    await cloud.whole();
    const topology = await inspectCollections(endpoint, COLLECTIONS);
    const [first, ...others] = endpoint.urls;
    return {
      urls: [first.href, ...others.map(({ href }) => href)],
      user: endpoint.user ?? "",
      password,
      topology,
      stop,
      folders: cloud.members.map(({ folder }) => folder),
      prefixes: undefined,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startOne(workers: number): Promise<Started> {
  const dataDir = await mkdtemp(join(tmpdir(), "climate-test-"));
  const solr = await startEmbeddedSolr({
    dataDir,
    heap: "2g",
    cores: [],
    report: () => {},
    // What has expired in the state is swept away sooner than a test would wait for.
    javaOptions: [...(await archiveOptions()), "-Dclimate.state.sweep=2"],
  });
  const stop = async (): Promise<void> => {
    await solr.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    const numbers = Array.from({ length: workers }, (_, index) => index + 1);
    const prefixes = Object.fromEntries(numbers.map((number) => [number, `worker${number}_`]));
    await Promise.all(Object.values(prefixes).map((prefix) => makeCores(solr.endpoint, prefix)));
    const {
      urls: [url],
      user = "",
      password = "",
    } = solr.endpoint;
    const topology = SINGLE;
    return { urls: [url.href], user, password, topology, folders: [dataDir], prefixes, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Makes the cores of a prefix in a Solr that has our configsets. */
export async function makeCores(endpoint: SolrEndpoint, prefix: string): Promise<void> {
  const admin = new SolrAdmin({ ...endpoint, prefix });
  for (const name of COLLECTIONS) {
    await admin.command("admin/cores", {
      action: "CREATE",
      name,
      configSet: configsetOf(name),
      "property.etag.seed": `${prefix}${name}`,
    });
  }
}

/**
 * Starts the Solr of the run, and fetches it first if it is missing.
 *
 * @param workers number of workers that get collections
 */
export async function startSharedSolr(workers: number): Promise<Started> {
  const say = (line: string): void => console.log(line);
  await persistently(() => ensureSolrJars(say));
  await ensureClassArchive(say);
  return process.env.SUITE === "cloud" ? startCloud() : startOne(workers);
}
