/** One real Solr for all test files, in a data folder of its own. */
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
    solr: TestSolr;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), "climate-test-"));
  const solr = await startEmbeddedSolr({
    ...{ dataDir, heap: "1g", report: () => {} },
    // What has expired in the state is swept away sooner than a test would wait for.
    javaOptions: [...(await archiveOptions()), "-Dclimate.state.sweep=2"],
  });
  const { url, user = "", password = "" } = solr.endpoint;
  project.provide("solr", { url: url.href, user, password, dataDir });
  return async () => {
    await solr.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}
