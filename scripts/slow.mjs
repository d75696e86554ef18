/**
 * npm run test:slow: what takes too long for `npm test`, with a fresh seed. Arguments choose among the files.
 *
 * 1. The files `*.slow.test.ts`, and `*.alone.test.ts` one after the other.
 * 2. The files of `npm test` that draw at random, or whose bounds of time and memory `npm test` does not hold; where nothing is
 *    drawn, and the tests that have bounds are marked (`tags: ["bounds"]`), those alone.
 * 3. Some files of one Solr, on a SolrCloud of 3 nodes, 2 shards and 2 replicas.
 *
 * With LONG=1 (`npm run test:long`) it takes hours: attacks, kills and comparisons are tried as often as docs/reliability.md
 * says, and all files of one Solr run on the SolrCloud.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The files that run on the SolrCloud in every run. */
const ON_THE_CLOUD = [
  "test/server/search/search.solr.test.ts",
  "test/server/lists/catalogues.solr.test.ts",
  "test/server/stac/filters.solr.test.ts",
  "test/identity/refresh.solr.test.ts",
  "test/server/user-data/delete.solr.test.ts",
];

const isLong = process.env.LONG === "1";
const chosen = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "climate-slow-"));
const counts = join(folder, "counts");
const seed = process.env.SEED ?? String(Math.floor(Math.random() * 2 ** 31));
console.log(`SEED=${seed}`);

const files = readdirSync("test", { recursive: true })
  .map((name) => join("test", name))
  .filter((path) => path.endsWith(".test.ts"));
const isChosen = (path) => chosen.length === 0 || chosen.some((part) => path.includes(part));
const isSlow = (path) => /\.(slow|alone)\.test\.ts$/.test(path);
/** Files that draw at random, or have bounds that only this run asserts; in the long form also those that try more often. */
const AGAIN = isLong ? /\b(SEED|expectBelow|attempts|patience)\b/ : /\b(SEED|expectBelow)\b/;
const textOf = (path) => readFileSync(path, "utf8");
const isRunAgain = (path) => !isSlow(path) && AGAIN.test(textOf(path));
const isMarked = (path) =>
  !/\bSEED\b/.test(textOf(path)) && /tags: \["bounds"\]/.test(textOf(path));

/** Runs files of a suite; none is no run. */
function run(suite, paths, more = []) {
  if (paths.length === 0) return;
  const vitest = join("node_modules", "vitest", "vitest.mjs");
  const env = { ...process.env, SUITE: suite, SEED: seed, BOUNDS: "1", COUNTS: counts };
  const words = [vitest, "run", ...paths, ...more];
  const { status } = spawnSync(process.execPath, words, { stdio: "inherit", env });
  if (status !== 0) process.exitCode = status ?? 1;
}

run("slow", files.filter(isSlow).filter(isChosen));
const again = files.filter(isRunAgain).filter(isChosen);
const hasBoundsAlone = (path) => !isLong && isMarked(path);
run(
  "quick",
  again.filter((path) => !hasBoundsAlone(path)),
);
run("quick", again.filter(hasBoundsAlone), ["--tags-filter=bounds"]);
const onTheCloud = isLong
  ? files.filter((path) => /\.(solr|slow|alone)\.test\.ts$/.test(path))
  : ON_THE_CLOUD;
run("cloud", onTheCloud.filter(isChosen), ["--passWithNoTests"]);

const total = { passed: 0, failed: 0, remarks: [] };
try {
  for (const line of readFileSync(counts, "utf8").trim().split("\n")) {
    const { passed, failed, remarks } = JSON.parse(line);
    total.passed += passed;
    total.failed += failed;
    total.remarks.push(...remarks);
  }
} catch {
  console.error("No such file is one of them.");
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
for (const remark of total.remarks) console.log(remark);
console.log(`SEED=${seed}`);
console.log(`${total.passed} passed, ${total.failed} failed`);
