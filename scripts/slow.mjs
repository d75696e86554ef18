/**
 * npm run test:slow: what takes too long for `npm test`, with a fresh seed. Arguments choose among the files, and `-t TITLE` among
 * their tests.
 *
 * 1. The files `*.slow.test.ts`, and `*.alone.test.ts` one after the other.
 * 2. The files of `npm test` that draw at random, or that hold more here: bounds of time and memory, all windows of a view; where
 *    nothing is drawn, and the tests that do more are marked (`tags: ["slow"]`), those alone.
 * 3. Some files of one Solr, on a SolrCloud of 3 nodes, 2 shards and 2 replicas.
 *
 * With LONG=1 (`npm run test:long`) it takes hours: attacks, kills and comparisons are tried as often as docs/reliability.md
 * says, and all files of one Solr run on the SolrCloud.
 *
 * The outcome is in var/measured/slow.json: commit, seed, what passed and failed, seconds of each file.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The files that run on the SolrCloud in every run. */
const ON_THE_CLOUD = [
  "test/server/search/search.solr.test.ts",
  "test/server/lists/catalogues.solr.test.ts",
  "test/server/stac/filters.solr.test.ts",
  "test/server/stac/search.solr.test.ts",
  "test/identity/refresh.solr.test.ts",
  "test/server/user-data/delete.solr.test.ts",
];

const isLong = process.env.LONG === "1";
const words = process.argv.slice(2);
const option = words.indexOf("-t");
const title = option < 0 ? [] : words.splice(option, 2);
const chosen = words;
const folder = mkdtempSync(join(tmpdir(), "climate-slow-"));
const counts = join(folder, "counts");
const seed = process.env.SEED ?? String(Math.floor(Math.random() * 2 ** 31));
console.log(`SEED=${seed}`);

const files = readdirSync("test", { recursive: true })
  .map((name) => join("test", name))
  .filter((path) => path.endsWith(".test.ts"));
const isChosen = (path) => chosen.length === 0 || chosen.some((part) => path.includes(part));
const isSlow = (path) => /\.(slow|alone)\.test\.ts$/.test(path);
/** Files that draw at random, or assert more in this run; in the long form also those that try more often. */
const AGAIN = isLong
  ? /\b(SEED|expectAccessible|attempts|patience)\b|run\/bounds\.js/
  : /\b(SEED|expectAccessible)\b|run\/bounds\.js/;
const textOf = (path) => readFileSync(path, "utf8");
const isRunAgain = (path) => !isSlow(path) && AGAIN.test(textOf(path));
const isMarked = (path) => !/\bSEED\b/.test(textOf(path)) && /tags: \["slow"\]/.test(textOf(path));

/** Runs files of a suite; none is no run. */
function run(suite, paths, more = []) {
  if (paths.length === 0) return;
  const vitest = join("node_modules", "vitest", "vitest.mjs");
  const env = { ...process.env, SUITE: suite, SEED: seed, BOUNDS: "1", COUNTS: counts };
  const all = [vitest, "run", ...paths, ...more, ...title];
  const { status } = spawnSync(process.execPath, all, { stdio: "inherit", env });
  if (status !== 0) process.exitCode = status ?? 1;
}

const begin = performance.now();
run("slow", files.filter(isSlow).filter(isChosen));
const again = files.filter(isRunAgain).filter(isChosen);
const hasMarks = (path) => !isLong && isMarked(path);
run(
  "quick",
  again.filter((path) => !hasMarks(path)),
);
run("quick", again.filter(hasMarks), ["--tags-filter=slow"]);
/** By its name, or by what a slow file imports. */
const usesSolr = (path) =>
  /\.solr\.test\.ts$/.test(path) || (isSlow(path) && /solr|support\/service/i.test(textOf(path)));
const onTheCloud = isLong ? files.filter(usesSolr) : ON_THE_CLOUD;
run("cloud", onTheCloud.filter(isChosen), ["--passWithNoTests"]);

const total = { passed: 0, failed: 0, again: [], failures: [], seconds: {} };
try {
  for (const line of readFileSync(counts, "utf8").trim().split("\n")) {
    const one = JSON.parse(line);
    total.passed += one.passed;
    total.failed += one.failed;
    total.again.push(...one.again);
    total.failures.push(...one.failures);
    for (const [file, taken] of Object.entries(one.seconds)) {
      total.seconds[file] = (total.seconds[file] ?? 0) + taken;
    }
  }
} catch {
  console.error("No such file is one of them.");
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

const commit = execFileSync("git", ["rev-parse", "HEAD"], { encoding: "utf8" }).trim();
const whole = Math.round((performance.now() - begin) / 1000);
const outcome = {
  ...{ commit, seed: Number(seed), chosen, seconds: whole },
  ...{ passed: total.passed, failed: total.failures, passedAtTheSecondTry: total.again },
  secondsOfFiles: total.seconds,
};
mkdirSync(join("var", "measured"), { recursive: true });
writeFileSync(join("var", "measured", "slow.json"), `${JSON.stringify(outcome, null, 2)}\n`);
for (const line of [...total.again, ...total.failures]) console.log(line);
console.log(`SEED=${seed}`);
console.log(`${total.passed} passed, ${total.failed} failed`);
