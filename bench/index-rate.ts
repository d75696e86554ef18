/**
 * Measures the rate of `index` with all details, against that of another release, in turn on the same machine.
 *
 *     npx tsx bench/index-rate.ts FORMER [N]
 *
 * FORMER is a checkout of that release in which `npm ci && npm run build` was run.
 */
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { packagePath } from "../src/platform/package-root.js";
import { type Kind, writeCatalogue } from "./make-catalogue.js";
import { median, perSecond, type Row, table } from "./report.js";
import { Service } from "./service.js";

const ROUNDS = 3;
const [given = "", count = "200000"] = process.argv.slice(2);
const former = resolve(given);
if (!existsSync(join(former, "dist", "src", "main.js")) || !/^\d+$/.test(count)) {
  process.stderr.write("Usage: index-rate FORMER [N]   (FORMER: a checkout that was built)\n");
  process.exit(2);
}
const number = Number(count);
const folder = await mkdtemp(join(tmpdir(), "climate-bench-"));

/** Starts one release with an empty index, loads a catalogue, and stops it: two services would disturb each other. */
async function load(root: string, kind: Kind): Promise<number> {
  const data = join(folder, "data");
  const service = await Service.start(data, {}, root);
  try {
    const whole = await service.index(join(folder, `${kind}.jsonl`));
    const found = await service.solr.count("files");
    if (found !== number) throw new Error(`files has ${found} documents of ${number}`);
    return whole;
  } finally {
    await service.stop();
    await rm(data, { recursive: true, force: true });
  }
}

try {
  await writeCatalogue(join(folder, "usual.jsonl"), number, "lines", "usual");
  await writeCatalogue(join(folder, "details.jsonl"), number, "lines", "details");
  const rounds: { before: number; usual: number; details: number }[] = [];
  for (let i = 0; i < ROUNDS; i++) {
    const before = await load(former, "usual");
    const usual = await load(packagePath(), "usual");
    rounds.push({ before, usual, details: await load(packagePath(), "details") });
  }
  const rate = (name: "before" | "usual" | "details"): number =>
    (number / median(rounds.map((round) => round[name]))) * 1000;
  const row = (name: "usual" | "details", what: string, least: number): Row => {
    const ratio = median(rounds.map((round) => round.before / round[name]));
    const [ours, solr] = [perSecond(rate(name)), perSecond(rate("before"))];
    const target = `>= ${least.toFixed(2)}`;
    return { what, ours, solr, ratio: ratio.toFixed(2), target, met: ratio >= least };
  };
  const rows = [
    row("details", "index with all fields (second column: former release, facets alone)", 0.85),
    row("usual", "index of the same documents (second column: former release)", 0.85),
  ];
  process.stdout.write(`${number.toLocaleString("en")} documents\n\n${table(rows)}\n`);
} finally {
  await rm(folder, { recursive: true, force: true });
}
