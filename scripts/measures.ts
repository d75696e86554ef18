/**
 * npm run measures: compares measures of the project with the figures in measures.json.
 *
 * Exit status 1 if a size exceeds its figure by more than a tenth, or a time by more than a half: change the figure
 * in the same commit, and give the reason in its message. `--write` writes the figures; `--times` includes those of
 * var/measured, which `npm test` and `npm run costs` leave there. Times are processor time, as multiples of a fixed piece of
 * work that is timed in the same run, because machines differ; they still vary by a fifth between runs, those of short requests by a third.
 */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packagePath } from "../src/platform/package-root.js";

const FIGURES = packagePath("measures.json");
/** Ratios of measure to figure that are tolerated. */
const TOLERANCE = { size: 1.1, time: 1.5 };

type Measures = Record<string, number>;

const read = (path: string): string => readFileSync(packagePath(path), "utf8");
const countLines = (text: string): number => text.split("\n").length - 1;

/** Paths of the source files below a folder, from the root of the repository. */
const sources = (folder: string): string[] =>
  readdirSync(packagePath(folder), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(folder, name));

/** Lines that hold nothing but a comment. */
const countComments = (text: string): number => text.match(/^\s*(\/\*\*|\*|\/\/)/gm)?.length ?? 0;

function sizes(): Measures {
  const measures: Measures = {};
  const packages = readdirSync(packagePath("src"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `src/${name}`);
  for (const folder of [...packages, "web/src", "test"]) {
    const files = sources(folder);
    measures[`lines of ${folder}`] = files.reduce((sum, file) => sum + countLines(read(file)), 0);
    measures[`files of ${folder}`] = files.length;
  }
  const texts = sources("src").map(read);
  const lines = texts.map(countLines);
  const total = lines.reduce((sum, count) => sum + count, 0);
  const comments = texts.reduce((sum, text) => sum + countComments(text), 0);
  measures["lines of src"] = total;
  measures["longest file of src"] = Math.max(...lines);
  measures["comments in a thousand lines of src"] = Math.round((comments / total) * 1000);
  measures["lines of README.md"] = countLines(read("README.md"));
  return measures;
}

/** Seconds of processor time for a fixed piece of work: the unit of the times below. */
function unitOfWork(): number {
  const block = Buffer.alloc(1 << 20, 7);
  const seconds = Array.from({ length: 5 }, () => {
    const before = process.cpuUsage();
    const hash = createHash("sha256");
    for (let i = 0; i < 128; i++) hash.update(block);
    JSON.parse(JSON.stringify(Array.from({ length: 200_000 }, (_, i) => ({ i, hash: `${i}` }))));
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1e6;
  });
  return Math.min(...seconds);
}

const round = (value: number): number => Number(value.toPrecision(3));

/** Times measured by other commands: seconds of `npm test`, and costs of requests as multiples of their floors. */
function times(): Measures {
  const measures: Measures = {};
  const tests = packagePath("var", "measured", "tests.json");
  const costs = packagePath("var", "measured", "costs.json");
  if (existsSync(tests)) {
    const { seconds, processorSeconds } = JSON.parse(readFileSync(tests, "utf8")) as Measures;
    const unit = unitOfWork();
    measures["npm test, in units of work"] = round((processorSeconds ?? 0) / unit);
    console.log(`npm test: ${seconds} s, ${processorSeconds} s of processor time`);
  }
  if (existsSync(costs)) {
    const rows = JSON.parse(readFileSync(costs, "utf8")) as { key: string; ratio: number }[];
    for (const { key, ratio } of rows) {
      measures[`${key}, times its floor`] = ratio;
    }
  }
  return measures;
}

const [withTimes, writes] = ["--times", "--write"].map((name) => process.argv.includes(name));
const figures = JSON.parse(existsSync(FIGURES) ? read("measures.json") : "{}") as Measures;

let exceeded = 0;
function compare(measures: Measures, tolerance: number): Measures {
  for (const [name, value] of Object.entries(measures)) {
    const figure = figures[name];
    const isOver = figure === undefined || value > figure * tolerance;
    if (isOver) exceeded += 1;
    console.log(`${isOver ? "!" : " "} ${name}: ${value} (${figure ?? "no figure"})`);
  }
  return measures;
}
const measured = {
  ...compare(sizes(), TOLERANCE.size),
  ...(withTimes ? compare(times(), TOLERANCE.time) : {}),
};
if (writes) {
  const all = { ...figures, ...measured };
  writeFileSync(FIGURES, `${JSON.stringify(all, null, 2)}\n`);
} else if (exceeded > 0) {
  console.error(
    `${exceeded} measures exceed measures.json: make them smaller, or change the figure with its reason in the commit.`,
  );
  process.exitCode = 1;
}
