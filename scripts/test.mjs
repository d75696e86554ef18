/**
 * npm test: the test run; arguments are passed on, as in `npm test -- query`. A run of all tests leaves its seconds, and those
 * of processor time that it and its children took, in var/measured/tests.json for `npm run measures -- --times`.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const words = process.argv.slice(2);
const begin = performance.now();
const { status } = spawnSync(
  process.execPath,
  [join("node_modules", "vitest", "vitest.mjs"), "run", ...words],
  { stdio: "inherit" },
);
process.exitCode = status ?? 1;

/** Seconds of processor time of all children that have ended (proc_pid_stat(5): cutime and cstime, 100 ticks a second). */
function processorSeconds() {
  const stat = readFileSync("/proc/self/stat", "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[13]) + Number(fields[14])) / 100;
}

if (words.length === 0 && process.platform === "linux") {
  const seconds = Math.round((performance.now() - begin) / 1000);
  const measured = { seconds, processorSeconds: Math.round(processorSeconds()) };
  mkdirSync(join("var", "measured"), { recursive: true });
  writeFileSync(join("var", "measured", "tests.json"), JSON.stringify(measured));
}
