/**
 * The speed and memory of catalogues.
 *
 *     npx tsx bench/catalogues.ts [N]
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeCatalogue } from "./make-catalogue.js";
import { measureCatalogues } from "./measure-catalogues.js";
import { RemoteClient } from "./remote-client.js";
import { table } from "./report.js";
import { Service } from "./service.js";

const count = Number(process.argv[2] ?? 100_000);
const folder = await mkdtemp(join(tmpdir(), "climate-bench-"));
const client = new RemoteClient();
try {
  const lines = join(folder, "catalogue.jsonl");
  await writeCatalogue(lines, count, "lines");
  const service = await Service.start(join(folder, "data"));
  try {
    await service.index(lines);
    process.stdout.write(`${table(await measureCatalogues(service, client, 3))}\n`);
  } finally {
    await service.stop();
  }
} finally {
  client.close();
  await rm(folder, { recursive: true, force: true });
}
