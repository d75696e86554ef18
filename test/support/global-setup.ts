/** A real Solr for each file that runs at a time, each with a data folder of its own. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { archiveOptions } from "../../src/solr/embedded/class-archive.js";
import { startEmbeddedSolr } from "../../src/solr/embedded/embedded.js";

export interface TestSolr {
  readonly url: string;
  readonly user: string;
  readonly password: string;
  /** Its data folder, with its logs and its index. */
  readonly dataDir: string;
}

declare module "vitest" {
  export interface ProvidedContext {
    /** One for each file that runs at a time. */
    solrs: readonly TestSolr[];
  }
}

async function start(): Promise<TestSolr & { stop(): Promise<void> }> {
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
  return { url: url.href, user, password, dataDir, stop };
}

export default async function setup(project: TestProject): Promise<(() => Promise<void>) | void> {
  const { projects, state } = project.vitest;
  // One project runs after the other, and what is started for one serves the other.
  const started = projects.map((other) => other.getProvidedContext().solrs).find(Boolean);
  if (started !== undefined) return project.provide("solrs", started);
  const workers = projects.find(({ name }) => name === "solr")?.config.maxWorkers;
  const count = Math.min(Number(workers), state.getPaths().length);
  const solrs = await Promise.all(Array.from({ length: count }, start));
  project.provide(
    "solrs",
    solrs.map(({ stop: _, ...solr }) => solr),
  );
  return async () => {
    await Promise.all(solrs.map(({ stop }) => stop()));
  };
}
