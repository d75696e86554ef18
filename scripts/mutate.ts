/**
 * npm run mutate: Stryker changes src/query, src/userdata and src/auth in thousands of small ways, and their tests must
 * notice. `npm run mutate -- query` is one room, `npm run mutate -- auth keys shares` some of its files. docs/mutation.md.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { archiveOptions } from "../src/index/embedded/class-archive.js";
import { startEmbeddedSolr } from "../src/index/embedded/embedded.js";
import type { TestSolr } from "../test/support/global-setup.js";

const ROOMS = ["query", "userdata", "auth"];

/** One Solr for all mutants of a room, whatever becomes of the processes that run its tests. */
async function withSolr(work: (solr: TestSolr) => Promise<number>): Promise<number> {
  const dataDir = await mkdtemp(join(tmpdir(), "climate-mutation-"));
  const { endpoint, stop } = await startEmbeddedSolr({
    ...{ dataDir, heap: "512m", report: () => {}, javaOptions: await archiveOptions() },
  });
  const { urls, user = "", password = "" } = endpoint;
  const topology = { cloud: false, shards: {} };
  try {
    const folders = [dataDir];
    const prefixes = undefined;
    return await work({ urls: [urls[0].href], user, password, topology, folders, prefixes });
  } finally {
    await stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function stryker(room: string, files: readonly string[], solr?: TestSolr): Promise<number> {
  const mutate = files.map((file) => `src/${room}/${file}.ts`).join(",");
  const run = spawn(
    process.execPath,
    [
      join("node_modules", "@stryker-mutator", "core", "bin", "stryker.js"),
      ...["run", join("test", "mutation", "stryker.config.mjs")],
      ...(mutate === "" ? [] : ["--mutate", mutate]),
    ],
    {
      stdio: "inherit",
      env: {
        ...process.env,
        // The same chance for each mutant, so that one that was met is met again.
        ...{ SEED: process.env.SEED ?? "1", ROOM: room },
        ...(solr !== undefined && { MUTATION_SOLR: JSON.stringify(solr) }),
      },
    },
  );
  const [status] = await once(run, "exit");
  return status ?? 1;
}

const [room, ...files] = process.argv.slice(2);
if (room !== undefined && !ROOMS.includes(room)) {
  console.error(`There is no such room; there are ${ROOMS.join(", ")}.`);
  process.exit(1);
}
for (const each of room === undefined ? ROOMS : [room]) {
  const run = (solr?: TestSolr) => stryker(each, files, solr);
  const status = each === "auth" ? await withSolr(run) : await run();
  if (status !== 0) process.exitCode = status;
}
