/**
 * Measures speed and memory of catalogues.
 *
 *     npx tsx bench/catalogues.ts [N]
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeCatalogue } from "./make-catalogue.js";
import { measureIntake, measureStac } from "./measure-catalogues.js";
import { RemoteClient } from "./remote-client.js";
import { type Row, table } from "./report.js";
import { Service } from "./service.js";

const count = Number(process.argv[2] ?? 100_000);
const ROUNDS = 3;
const folder = await mkdtemp(join(tmpdir(), "climate-bench-"));
const client = new RemoteClient();

/** Measures a service with its own catalogue. */
async function withCatalogue(
  kind: "usual" | "full",
  measure: (service: Service) => Promise<Row[]>,
): Promise<Row[]> {
  const lines = join(folder, `${kind}.jsonl`);
  await writeCatalogue(lines, count, "lines", kind);
  const service = await Service.start(join(folder, kind));
  try {
    await service.index(lines);
    return await measure(service);
  } finally {
    await service.stop();
  }
}

const full = ({ what, ...row }: Row): Row => ({ ...row, what: `every facet filled: ${what}` });

try {
  const rows = [
    ...(await withCatalogue("usual", async (service) => [
      ...(await measureIntake(service, client, ROUNDS)),
      ...(await measureStac(service, client, ROUNDS)),
    ])),
    ...(await withCatalogue("full", (service) => measureStac(service, client, ROUNDS))).map(full),
  ];
  process.stdout.write(`${table(rows)}\n`);
} finally {
  client.close();
  await rm(folder, { recursive: true, force: true });
}
