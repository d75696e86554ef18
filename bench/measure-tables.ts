/** Measures speed and memory of tables: CSV and Parquet of all documents. */
import type { RemoteClient } from "./remote-client.js";
import { alone, median, megabytes, milliseconds, perSecond, type Row } from "./report.js";
import type { Service } from "./service.js";

const PATH = "extended-search/cmip6/file";
const MAX_ROWS = 400_000;
const ROUNDS = 3;
/** Maximal milliseconds to the first byte. */
const FIRST = 300;
/** Maximal memory growth in kilobytes. */
const GROWTH = 60 * 1024;

async function measure(
  service: Service,
  client: RemoteClient,
  format: "csv" | "parquet",
): Promise<Row[]> {
  const rows = Math.min(await service.solr.count("files", "latest:true"), MAX_ROWS);
  const few = { url: service.url(PATH, { format, limit: "100" }) };
  for (let i = 0; i < 20; i++) await client.do("download", { target: few });
  const { now } = await service.memory();
  await service.resetPeak();
  const target = { url: service.url(PATH, { format, limit: String(rows) }) };
  const runs = [];
  for (let round = 0; round < ROUNDS; round++) {
    const run = await client.do("download", { target, countLines: format === "csv" });
    if (run.status !== 200) throw new Error(`${format}: ${run.status}`);
    // One line is the header.
    if (format === "csv" && run.lines !== rows + 1) throw new Error(`${run.lines} lines`);
    runs.push(run);
  }
  const grown = (await service.memory()).peak - now;
  const first = median(runs.map(({ firstByte }) => firstByte));
  const rate = median(runs.map(({ whole }) => (1000 * rows) / whole));
  const bytes = runs[0]?.bytes ?? 0;
  const what = `${format} of ${rows.toLocaleString("en")} rows`;
  return [
    alone(`${what}, ${megabytes(bytes / 1024)}`, `${perSecond(rate)} rows`, "", undefined),
    alone(`${what}: first byte`, milliseconds(first), "<= 300 ms", first <= FIRST),
    alone(`${what}: growth of memory`, megabytes(grown), "< 60 MB", grown < GROWTH),
  ];
}

export async function measureTables(service: Service, client: RemoteClient): Promise<Row[]> {
  return [
    ...(await measure(service, client, "csv")),
    ...(await measure(service, client, "parquet")),
  ];
}
