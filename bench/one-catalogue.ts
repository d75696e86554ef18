/** A bench of one large catalogue: the folder, the service and its client, and the table at the end. */
import { spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { packagePath } from "../src/platform/package-root.js";
import { RemoteClient } from "./remote-client.js";
import { type Row, table } from "./report.js";
import { Service } from "./service.js";

export const say = (text: string): void => {
  process.stderr.write(`${text}\n`);
};

export interface Bench<Catalogue> {
  /** How it is called, but for the number of documents. */
  readonly command: string;
  /** What everything is compared with, as the table calls it. */
  readonly other: string;
  /** Writes the catalogue below a folder. */
  make(folder: string, count: number): Promise<Catalogue>;
  /** Rows of the table, as they come; at first the index is empty. */
  measure(
    service: Service,
    client: RemoteClient,
    catalogue: Catalogue,
  ): AsyncIterable<readonly Row[]>;
}

async function measured<C>(bench: Bench<C>, folder: string, count: number): Promise<Row[]> {
  say(`Making a catalogue of ${count.toLocaleString("en")} documents`);
  const catalogue = await bench.make(folder, count);
  say("Starting the service");
  const client = new RemoteClient();
  const service = await Service.start(join(folder, "data"));
  const rows: Row[] = [];
  try {
    for await (const more of bench.measure(service, client, catalogue)) {
      rows.push(...more);
      say(table(more, bench.other));
    }
  } finally {
    client.close();
    await service.stop();
  }
  return rows;
}

/** Runs it with the number of documents of the command line, 500,000 where there is none. */
export async function runBench<C>(bench: Bench<C>): Promise<void> {
  const [given = "500000"] = process.argv.slice(2);
  if (!/^\d+$/.test(given) || Number(given) < 1000) {
    say(`Usage: ${bench.command} [N]   (N documents, at least 1000)`);
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
    const rows = await measured(bench, folder, Number(given));
    const on = `${availableParallelism()} cores, load before the run ${load}`;
    const heading = `${Number(given).toLocaleString("en")} documents, ${on}`;
    process.stdout.write(`\n${heading}\n\n${table(rows, bench.other)}\n`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
