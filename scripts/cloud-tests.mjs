/**
 * npm run test:cloud: runs the tests of SolrCloud (test/cloud), then the tests for a single Solr on a SolrCloud of several
 * shards and replicas. One file at a time, because a SolrCloud is four processes. Arguments select files, as in
 * `npm run test:cloud -- cloud/ search`.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";

process.env.CLOUD = "1";
const vitest = join("node_modules", "vitest", "vitest.mjs");
for (const project of ["clouds", "suite"]) {
  const chosen = ["--project", project, "--passWithNoTests", ...process.argv.slice(2)];
  const { status } = spawnSync(process.execPath, [vitest, "run", ...chosen], { stdio: "inherit" });
  if (status !== 0) process.exitCode = status ?? 1;
}
