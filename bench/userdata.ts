/**
 * Measures the cost of registering user data: ratio of one POST of N entries to one raw bulk update of the same documents
 * in Solr; and the service's memory over many such requests.
 *
 *     npx tsx bench/userdata.ts [N]
 */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { PREFIX } from "../generated/prefix.js";
import { writeCatalogue } from "./make-catalogue.js";
import { RemoteClient } from "./remote-client.js";
import { alone, median, megabytes, milliseconds, type Row, table } from "./report.js";
import { Service } from "./service.js";

/** Alternating rounds, because other processes may use the machine. */
const ROUNDS = 7;
/** Requests whose peak memory is compared with that of the same number after them. */
const REQUESTS = 20;

const BARE = ["bare1", "bare2"] as const;

interface Plan {
  readonly folder: string;
  readonly count: number;
  readonly service: Service;
  readonly client: RemoteClient;
}

/** The documents, as a body for the service and as one for Solr. */
async function makeBodies(folder: string, count: number) {
  const lines = join(folder, "catalogue.jsonl");
  await writeCatalogue(lines, count, "lines");
  const documents: Record<string, unknown>[] = [];
  for await (const line of createInterface({
    input: Readable.from(await readFile(lines, "utf8")),
  })) {
    const { variable, time_frequency, version: _, ...rest } = JSON.parse(line);
    documents.push({ ...rest, variable: variable[0], time_frequency: time_frequency[0] });
  }
  const owned = documents.map((one) => ({ ...one, user: "bench", owner: "bench" }));
  const entries = join(folder, "entries.json");
  const bare = join(folder, "bare.json");
  await writeFile(entries, JSON.stringify({ user_metadata: documents }));
  await writeFile(bare, JSON.stringify(owned));
  return { entries, bare };
}

async function measure({ folder, count, service, client }: Plan): Promise<Row[]> {
  const { entries, bare } = await makeBodies(folder, count);
  const { origin } = new URL(service.url("overview"));
  const token = await service.token();
  const target = {
    url: `${origin}${PREFIX}/databrowser/userdata`,
    headers: { Authorization: `Bearer ${token}` },
    status: 202,
  };
  const { solr } = service;
  const empty = async (): Promise<void> => {
    await solr.empty("files");
  };
  const post = async (): Promise<number> => {
    await empty();
    const { whole } = await client.do("upload", { targets: [target], file: entries });
    const found = await solr.count("files");
    if (found !== count) throw new Error(`files has ${found} documents of ${count}`);
    return whole;
  };
  const bulk = async (cores: readonly string[]): Promise<number> => {
    for (const core of cores) await solr.empty(core);
    const targets = cores.map((core) => solr.target(`${core}/update?commit=true`));
    return (await client.do("upload", { targets, file: bare })).whole;
  };
  for (const core of BARE) await solr.createCore(core);
  const times: { ours: number; one: number; two: number }[] = [];
  for (let round = -2; round < ROUNDS; round += 1) {
    const taken = { one: await bulk(BARE.slice(0, 1)), two: await bulk(BARE), ours: await post() };
    // Negative rounds are warm-up.
    if (round >= 0) times.push(taken);
  }
  for (const core of BARE) await solr.removeCore(core);
  const peaks: number[] = [];
  for (let turn = 0; turn < 2; turn += 1) {
    await service.resetPeak();
    for (let i = 0; i < REQUESTS; i += 1) await post();
    peaks.push((await service.memory()).peak);
  }
  const [before = 0, after = 0] = peaks;
  const row = (name: "one" | "two", what: string): Row => {
    const ratio = median(times.map((time) => time.ours / time[name]));
    return {
      what: `POST of ${count.toLocaleString("en")} entries (two cores), against ${what}`,
      ours: milliseconds(median(times.map(({ ours }) => ours))),
      solr: milliseconds(median(times.map((time) => time[name]))),
      ratio: ratio.toFixed(2),
      target: name === "one" ? "<= 2.00" : "",
      met: name === "one" ? ratio <= 2 : undefined,
    };
  };
  return [
    row("one", "one bulk update to one core"),
    row("two", "two bulk updates to two cores"),
    alone(`peak of memory in ${REQUESTS} requests`, megabytes(before), "", undefined),
    alone(`and in ${REQUESTS} after them`, megabytes(after), "<= 1.2 x", after <= before * 1.2),
  ];
}

const count = Number(process.argv[2] ?? "10000");
const folder = await mkdtemp(join(tmpdir(), "climate-bench-"));
const client = new RemoteClient();
try {
  const service = await Service.start(join(folder, "data"));
  try {
    const rows = await measure({ folder, count, service, client });
    process.stdout.write(`${table(rows)}\n`);
  } finally {
    await service.stop();
  }
} finally {
  client.close();
  await rm(folder, { recursive: true, force: true });
}
