/**
 * npm run mutate: Stryker changes the code of queries, user data and authentication in thousands of small ways, and their tests
 * must notice. `npm run mutate -- query` is one part, `npm run mutate -- auth keys shares` some of its files. docs/mutation.md.
 */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SINGLE } from "../src/index/collections/shards.js";
import { archiveOptions } from "../src/index/embedded/class-archive.js";
import { startEmbeddedSolr } from "../src/index/embedded/embedded.js";
import { begin, report } from "../test/support/run/needs-folder.js";
import { SOLR, type TestSolr } from "../test/support/run/shared-solr.js";

/** The folders of each part. */
const PARTS: Readonly<Record<string, string>> = {
  query: "src/domain/{search,aggregation,completeness}",
  userdata: "src/domain/user-data",
  auth: "src/identity",
};

/** Starts one Solr for all mutants of a part, whatever happens to the processes that run its tests. */
async function withSolr(work: () => Promise<number>): Promise<number> {
  const dataDir = await mkdtemp(join(tmpdir(), "climate-mutation-"));
  const { endpoint, stop } = await startEmbeddedSolr({
    ...{ dataDir, heap: "512m", report: () => {}, javaOptions: await archiveOptions() },
  });
  const { urls, user = "", password = "" } = endpoint;
  const topology = SINGLE;
  const folders = [dataDir];
  const value: TestSolr = {
    ...{ urls: [urls[0].href], user, password, topology, folders },
    prefixes: undefined,
  };
  const remove = begin({});
  try {
    report(SOLR, { value });
    return await work();
  } finally {
    remove();
    await stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function stryker(part: string, files: readonly string[], hasSolr: boolean): Promise<number> {
  const names = files.length === 0 ? ["*"] : files;
  const mutate = names.map((name) => `${PARTS[part]}/**/${name}.ts`).join(",");
  const run = spawn(
    process.execPath,
    [
      join("node_modules", "@stryker-mutator", "core", "bin", "stryker.js"),
      ...["run", join("test", "mutation", "stryker.config.mjs")],
      ...["--mutate", mutate],
    ],
    {
      stdio: "inherit",
      env: {
        ...process.env,
        // The same chance for each mutant, so that one that was met is met again.
        ...{ SEED: process.env.SEED ?? "1", PART: part },
        MUTATION_SOLR: String(hasSolr),
      },
    },
  );
  const [status] = await once(run, "exit");
  return status ?? 1;
}

const [part, ...files] = process.argv.slice(2);
if (part !== undefined && !Object.hasOwn(PARTS, part)) {
  console.error(`${part} is not a part; the parts are ${Object.keys(PARTS).join(", ")}.`);
  process.exit(1);
}
for (const each of part === undefined ? Object.keys(PARTS) : [part]) {
  const hasSolr = each === "auth";
  const run = () => stryker(each, files, hasSolr);
  const status = hasSolr ? await withSolr(run) : await run();
  if (status !== 0) process.exitCode = status;
}
