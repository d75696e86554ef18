/**
 * npm run mutate: mutation tests with Stryker, see docs/mutation.md. `npm run mutate -- query` mutates one part of the
 * source, `npm run mutate -- auth keys shares` some files of a part.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { archiveOptions } from "../src/index/embedded/class-archive.js";
import { startEmbeddedSolr } from "../src/index/embedded/embedded.js";
import type { TestSolr } from "../test/support/global-setup.js";

const PARTS = ["query", "userdata", "auth"];

/** Starts one Solr for all mutants of a part; it outlives the processes that run the tests. */
async function withSolr(work: (solr: TestSolr) => Promise<number>): Promise<number> {
  const dataDir = await mkdtemp(join(tmpdir(), "climate-mutation-"));
  const { endpoint, stop } = await startEmbeddedSolr({
    dataDir,
    heap: "512m",
    report: () => {},
    javaOptions: await archiveOptions(),
  });
  const { urls, user = "", password = "" } = endpoint;
  const topology = { cloud: false, shards: {} };
  try {
    return await work({ urls: [urls[0].href], user, password, topology, folders: [dataDir] });
  } finally {
    await stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function stryker(part: string, files: readonly string[], solr?: TestSolr): Promise<number> {
  const mutate = files.map((file) => `src/${part}/${file}.ts`).join(",");
  const run = spawn(
    process.execPath,
    [
      join("node_modules", "@stryker-mutator", "core", "bin", "stryker.js"),
      "run",
      join("test", "mutation", "stryker.config.mjs"),
      ...(mutate === "" ? [] : ["--mutate", mutate]),
    ],
    {
      stdio: "inherit",
      env: {
        ...process.env,
        // The same random seed for each mutant, so that results are repeatable.
        SEED: process.env.SEED ?? "1",
        ROOM: part,
        ...(solr !== undefined && { MUTATION_SOLR: JSON.stringify(solr) }),
      },
    },
  );
  const [status] = await once(run, "exit");
  return status ?? 1;
}

const [part, ...files] = process.argv.slice(2);
if (part !== undefined && !PARTS.includes(part)) {
  console.error(`Choose one of ${PARTS.join(", ")}.`);
  process.exit(1);
}
for (const each of part === undefined ? PARTS : [part]) {
  const run = (solr?: TestSolr) => stryker(each, files, solr);
  const status = each === "auth" ? await withSolr(run) : await run();
  if (status !== 0) process.exitCode = status;
}
