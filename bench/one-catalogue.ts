/** Runs a bench on one large catalogue: sets up folder, service and client, and prints the table. */
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
  /** The command line without the number of documents. */
  readonly command: string;
  /** Name of the compared system in the table. */
  readonly other: string;
  /** Writes the catalogue below a folder. */
  make(folder: string, count: number): Promise<Catalogue>;
  /** Yields the rows of the table. The index is empty at the start. */
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

/** Runs it with the number of documents of the command line, by default 500,000. */
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
    // Ratios measured on a busy machine are unreliable.
    const load = loadavg()[0]?.toFixed(1);
    const rows = await measured(bench, folder, Number(given));
    const on = `${availableParallelism()} cores, load before the run ${load}`;
    const heading = `${Number(given).toLocaleString("en")} documents, ${on}`;
    process.stdout.write(`\n${heading}\n\n${table(rows, bench.other)}\n`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
