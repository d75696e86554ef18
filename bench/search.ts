/**
 * The speed and memory of searching and indexing, as ratios to what Solr does for the same.
 *
 *     npm run bench -- [N]
 */
import { spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { packagePath } from "../src/package-root.js";
import { writeCatalogue } from "./make-catalogue.js";
import { measureFacets } from "./measure-facets.js";
import { measureIndex } from "./measure-index.js";
import { measureLists } from "./measure-lists.js";
import { RemoteClient } from "./remote-client.js";
import { type Row, table } from "./report.js";
import { Service } from "./service.js";

/** Each ratio is the median of so many, taken in turn: others may use the machine meanwhile. */
const ROUNDS = { index: 3, lists: 5, facets: 5 };

const say = (text: string): void => {
  process.stderr.write(`${text}\n`);
};

async function measure(folder: string, count: number): Promise<Row[]> {
  const catalogue = {
    lines: join(folder, "catalogue.jsonl"),
    array: join(folder, "catalogue.json"),
    count,
  };
  say(`Making a catalogue of ${count.toLocaleString("en")} documents`);
  await writeCatalogue(catalogue.lines, count, "lines");
  await writeCatalogue(catalogue.array, count, "array");
  say("Starting the service");
  const client = new RemoteClient();
  const service = await Service.start(join(folder, "data"));
  const rows: Row[] = [];
  try {
    const take = (more: readonly Row[]): void => {
      rows.push(...more);
      say(table(more));
    };
    say(`Loading, ${ROUNDS.index} times each way: the longest part`);
    take(await measureIndex(service, client, catalogue, ROUNDS.index));
    say("Listing paths");
    take(await measureLists(service, client, ROUNDS.lists));
    say("Counting facets");
    take(await measureFacets(service, client, ROUNDS.facets));
  } finally {
    client.close();
    await service.stop();
  }
  return rows;
}

const [given = "500000"] = process.argv.slice(2);
if (!/^\d+$/.test(given) || Number(given) < 1000) {
  say("Usage: npm run bench -- [N]   (N documents, at least 1000)");
  process.exit(2);
}
const setup = spawnSync(process.execPath, [packagePath("scripts", "setup.mjs")], {
  stdio: "inherit",
});
if (setup.status !== 0) process.exit(1);
const folder = await mkdtemp(join(tmpdir(), "climate-bench-"));
try {
  // A machine that is busy with other things before this begins gives poor ratios.
  const load = loadavg()[0]?.toFixed(1);
  const rows = await measure(folder, Number(given));
  const on = `${availableParallelism()} cores, load before the run ${load}`;
  const heading = `${Number(given).toLocaleString("en")} documents, ${on}`;
  process.stdout.write(`\n${heading}\n\n${table(rows)}\n`);
} finally {
  await rm(folder, { recursive: true, force: true });
}
