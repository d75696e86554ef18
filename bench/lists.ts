/**
 * Measures lists by /export against lists by keyset pages of /select, in turn in one run.
 *
 *     npx tsx bench/lists.ts [N] [ROUNDS] [ROWS]     # 200,000 documents, 5 rounds, pages of 10,000
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startEmbeddedSolr } from "../src/index/embedded/embedded.js";
import type { ListServerOrder } from "./list-server.js";
import { writeCatalogue } from "./make-catalogue.js";
import { RawSolr } from "./raw-solr.js";
import { RemoteClient } from "./remote-client.js";
import { median, megabytes, milliseconds, type Row, table } from "./report.js";
import { memoryOf } from "./service.js";

const [count, rounds, rows] = [200_000, 5, 10_000].map((usual, index) =>
  Number(process.argv[2 + index] ?? usual),
) as [number, number, number];

const ONE = "file";
const SIXTEEN = [
  "file",
  "project",
  "product",
  "institute",
  "model",
  "experiment",
  "time_frequency",
  "realm",
  "variable",
  "ensemble",
  "cmor_table",
  "grid_label",
  "format",
  "fs_type",
  "version",
  "uri",
].join(",");

const say = (text: string): boolean => process.stderr.write(`${text}\n`);

/** A list server as a separate process. */
class ListServer {
  private constructor(
    readonly name: string,
    private readonly process: ChildProcess,
    private readonly port: number,
  ) {}

  static async start(name: string, order: ListServerOrder): Promise<ListServer> {
    const child = fork(fileURLToPath(new URL("list-server.ts", import.meta.url)));
    child.send(order);
    const [{ port }] = (await once(child, "message")) as [AddressInfo];
    return new ListServer(name, child, port);
  }

  target(fields: string, start = 0, client = ""): { readonly url: string } {
    const query = new URLSearchParams({ fields, start: String(start), client });
    return { url: `http://127.0.0.1:${this.port}/?${query}` };
  }

  memory = () => memoryOf(this.process.pid ?? 0);
  resetPeak = () => writeFile(`/proc/${this.process.pid}/clear_refs`, "5");
  stop = () => this.process.disconnect();
}

/** Measures all servers in turn. Each row compares a server with the first one, by the median of the ratios of all rounds. */
async function compare(
  what: string,
  servers: readonly ListServer[],
  measure: (server: ListServer) => Promise<number>,
  show: (value: number) => string,
): Promise<Row[]> {
  const seen = new Map(servers.map((server) => [server, [] as number[]]));
  for (let round = 0; round <= rounds; round++) {
    for (const [server, values] of seen) {
      const value = await measure(server);
      // The first round is warm-up.
      if (round > 0) values.push(value);
    }
  }
  const [first = [], ...others] = seen.values();
  return others.map((values, index) => ({
    what: `${what}: ${servers[index + 1]?.name}`,
    ours: show(median(values)),
    solr: show(median(first)),
    ratio: median(values.map((value, round) => value / (first[round] ?? Number.NaN))).toFixed(2),
    target: "",
    met: undefined,
  }));
}

async function measure(servers: readonly ListServer[], client: RemoteClient): Promise<Row[]> {
  const download = async (server: ListServer, fields: string, start = 0) => {
    const target = server.target(fields, start);
    const list = await client.do("download", { target, countLines: true });
    if (list.lines !== count - start) throw new Error(`${server.name}: ${list.lines} lines`);
    return list;
  };
  const eight = async (server: ListServer, fields: string): Promise<number> => {
    const targets = Array.from({ length: 8 }, (_, at) => server.target(fields, 0, `client ${at}`));
    return (await client.do("series", { targets, clients: 8 })).whole;
  };
  const middle = Math.floor(count / 2);
  const all: Row[] = [];
  const add = async (
    what: string,
    one: (server: ListServer) => Promise<number>,
    show = milliseconds,
  ): Promise<void> => {
    const more = await compare(what, servers, one, show);
    all.push(...more);
    say(table(more, "export"));
  };
  await add("1 field, whole", async (server) => (await download(server, ONE)).whole);
  await add("16 fields, whole", async (server) => (await download(server, SIXTEEN)).whole);
  await add("1 field, first byte", async (server) => {
    return (await client.do("glance", { target: server.target(ONE) })).firstByte;
  });
  await add("16 fields, first byte", async (server) => {
    return (await client.do("glance", { target: server.target(SIXTEEN) })).firstByte;
  });
  await add("1 field from the middle, whole", async (server) => {
    return (await download(server, ONE, middle)).whole;
  });
  await add("8 clients, 1 field, all whole", (server) => eight(server, ONE));
  const peaks = new Map<ListServer, number[]>();
  await add("8 clients, 16 fields, all whole", async (server) => {
    await server.resetPeak();
    const whole = await eight(server, SIXTEEN);
    peaks.set(server, [...(peaks.get(server) ?? []), (await server.memory()).peak]);
    return whole;
  });
  const peak = async (server: ListServer): Promise<number> => peaks.get(server)?.pop() ?? 0;
  await add("8 clients, 16 fields: peak of resident memory", peak, megabytes);
  return all;
}

const folder = await mkdtemp(join(tmpdir(), "climate-bench-"));
const load = loadavg()[0]?.toFixed(1);
const { endpoint, stop } = await startEmbeddedSolr({
  dataDir: join(folder, "data"),
  heap: "1g",
  report: () => {},
});
const client = new RemoteClient();
const servers: ListServer[] = [];
try {
  say(`Loading ${count.toLocaleString("en")} documents`);
  const file = join(folder, "catalogue.json");
  await writeCatalogue(file, count, "array", "details");
  const solr = new RawSolr(endpoint);
  await client.do("upload", { targets: [solr.target("files/update?commit=true")], file });
  const {
    urls: [url],
    user = "",
    password = "",
  } = endpoint;
  const asked = { url: url.href, user, password };
  servers.push(
    await ListServer.start("export", { ...asked, way: "export", size: Number.MAX_SAFE_INTEGER }),
    await ListServer.start("export in partitions", { ...asked, way: "export", size: 1000 }),
    await ListServer.start("keyset pages", { ...asked, way: "keyset", size: rows }),
  );
  const seen = await measure(servers, client);
  const heading = `${count.toLocaleString("en")} documents, pages of ${rows}, load before the run ${load}`;
  process.stdout.write(`\n${heading}\n\n${table(seen, "export")}\n`);
} finally {
  for (const server of servers) server.stop();
  client.close();
  await stop();
  await rm(folder, { recursive: true, force: true });
}
