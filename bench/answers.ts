/**
 * The speed and memory of answers about a search, as ratios to metadata searches of the same run.
 *
 *     npx tsx bench/answers.ts [N]
 */
import { spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { packagePath } from "../src/package-root.js";
import { writeCatalogue } from "./make-catalogue.js";
import { measureAnswers } from "./measure-answers.js";
import { measureTables } from "./measure-tables.js";
import { RemoteClient } from "./remote-client.js";
import { type Row, table } from "./report.js";
import { Service } from "./service.js";

/** Each number is the median of so many, taken in turn. */
const ROUNDS = 7;
/** What answers are compared with: all facets of as many documents. */
const OTHER = "metadata-search";

const say = (text: string): void => {
  process.stderr.write(`${text}\n`);
};

async function measure(folder: string, count: number): Promise<Row[]> {
  const lines = join(folder, "catalogue.jsonl");
  say(`Making a catalogue of ${count.toLocaleString("en")} documents`);
  await writeCatalogue(lines, count, "lines", "details");
  say("Starting the service");
  const client = new RemoteClient();
  const service = await Service.start(join(folder, "data"));
  const rows: Row[] = [];
  try {
    const take = (more: readonly Row[]): void => {
      rows.push(...more);
      say(table(more, OTHER));
    };
    say("Loading: the longest part");
    await service.index(lines);
    // What is sent in one go grows the service once and for all: first of all.
    say("Tables");
    take(await measureTables(service, client));
    say("Answers");
    for await (const more of measureAnswers(service, client, ROUNDS)) take(more);
  } finally {
    client.close();
    await service.stop();
  }
  return rows;
}

const [given = "500000"] = process.argv.slice(2);
if (!/^\d+$/.test(given) || Number(given) < 1000) {
  say("Usage: npx tsx bench/answers.ts [N]   (N documents, at least 1000)");
  process.exit(2);
}
const setup = spawnSync(process.execPath, [packagePath("scripts", "setup.mjs")], {
  stdio: "inherit",
});
if (setup.status !== 0) process.exit(1);
const folder = await mkdtemp(join(tmpdir(), "climate-bench-"));
try {
  const load = loadavg()[0]?.toFixed(1);
  const rows = await measure(folder, Number(given));
  const on = `${availableParallelism()} cores, load before the run ${load}`;
  const heading = `${Number(given).toLocaleString("en")} documents, ${on}`;
  process.stdout.write(`\n${heading}\n\n${table(rows, OTHER)}\n`);
} finally {
  await rm(folder, { recursive: true, force: true });
}
