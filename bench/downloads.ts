/**
 * Measures downloads of files against a bare createReadStream server, and lists of 100,000 files against Solr's /export of the
 * same fields, each in the same run.
 *
 *     npx tsx bench/downloads.ts [MEGABYTES] [FILES]
 */
import { type ChildProcess, fork } from "node:child_process";
import { createReadStream } from "node:fs";
import { mkdtemp, open, rm, stat, writeFile } from "node:fs/promises";
import { Agent, createServer, get } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { DOWNLOAD_FIELDS } from "../src/server/formats/download/entries.js";
import type { Target } from "./client.js";
import { alone, median, megabytes, milliseconds, type Row, table } from "./report.js";
import { cpuSecondsOf, Service } from "./service.js";

const ROUNDS = 5;
const SELF = fileURLToPath(import.meta.url);

/** Sends one file, whatever is requested. */
async function serveBare(path: string): Promise<void> {
  const { size } = await stat(path);
  const server = createServer((_, response) => {
    response.writeHead(200, { "Content-Length": size });
    createReadStream(path).pipe(response);
  });
  server.listen(0, "127.0.0.1", () => {
    process.send?.({ port: (server.address() as AddressInfo).port });
  });
}

async function startBare(path: string): Promise<{ child: ChildProcess; url: string }> {
  const child = fork(SELF, ["bare", path], { execArgv: ["--import", "tsx"] });
  const { port } = await new Promise<{ port: number }>((resolve, reject) => {
    child.once("message", (message) => resolve(message as { port: number }));
    child.once("exit", (code) => reject(new Error(`the bare server ended with ${code}`)));
  });
  return { child, url: `http://127.0.0.1:${port}/` };
}

function readAll(url: string, headers: Record<string, string>, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    get(url, { headers, agent }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url}: ${response.statusCode}`));
      let bytes = 0;
      response.on("data", (piece: Buffer) => {
        bytes += piece.length;
      });
      response.on("end", () => resolve(bytes));
    }).on("error", reject);
  });
}

/** Megabytes a second of a number of clients that each read the whole file. */
async function rate(
  url: string,
  headers: Record<string, string>,
  clients: number,
): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const begin = performance.now();
  const read = Array.from({ length: clients }, () => readAll(url, headers, agent));
  const bytes = (await Promise.all(read)).reduce((sum, one) => sum + one, 0);
  const seconds = (performance.now() - begin) / 1000;
  agent.destroy();
  return bytes / 1e6 / seconds;
}

async function measureFile(service: Service, path: string, token: string): Promise<Row[]> {
  const headers = { Authorization: `Bearer ${token}` };
  const listed = await fetch(service.url("download/native/file", { as: "urls", project: "one" }));
  const ours = (await listed.text()).trim();
  const bare = await startBare(path);
  const { size } = await stat(path);
  const rows: Row[] = [];
  for (const clients of [1, 8]) {
    await rate(ours, headers, 1);
    await rate(bare.url, {}, 1);
    const times: { readonly mine: number; readonly theirs: number }[] = [];
    const used = { mine: 0, theirs: 0 };
    for (let i = 0; i < ROUNDS; i++) {
      const before = await service.cpuSeconds();
      const mine = await rate(ours, headers, clients);
      used.mine += (await service.cpuSeconds()) - before;
      const begin = await cpuSecondsOf(bare.child.pid ?? 0);
      times.push({ mine, theirs: await rate(bare.url, {}, clients) });
      used.theirs += (await cpuSecondsOf(bare.child.pid ?? 0)) - begin;
    }
    const ratio = median(times.map(({ mine, theirs }) => mine / theirs));
    const noun = clients === 1 ? "one file" : `${clients} at once`;
    rows.push({
      what: `${noun}, MB/s (second column: bare createReadStream server)`,
      ours: median(times.map(({ mine }) => mine)).toFixed(0),
      solr: median(times.map(({ theirs }) => theirs)).toFixed(0),
      ratio: ratio.toFixed(2),
      target: ">= 0.9",
      met: ratio >= 0.9,
    });
    const gigabytes = (ROUNDS * clients * size) / 1e9;
    rows.push({
      what: `${noun}, processor time of a GB`,
      ours: `${(used.mine / gigabytes).toFixed(2)} s`,
      solr: `${(used.theirs / gigabytes).toFixed(2)} s`,
      ratio: (used.mine / used.theirs).toFixed(2),
      target: "",
      met: undefined,
    });
  }
  bare.child.removeAllListeners("exit").kill();
  return rows;
}

/** Reads a list; milliseconds of its first byte, and its lines. */
async function readList({ url, headers }: Target): Promise<{ first: number; lines: number }> {
  const begin = performance.now();
  const response = await fetch(url, { headers: { ...headers } });
  let first = 0;
  let lines = 0;
  for await (const piece of Readable.fromWeb(response.body as never)) {
    first ||= performance.now() - begin;
    lines += Buffer.from(piece).toString("latin1").split("\n").length - 1;
  }
  return { first, lines };
}

const EXPORT = `files/export?q=project:many&sort=file+desc&fl=${DOWNLOAD_FIELDS.join()}`;

async function measureLists(service: Service, files: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (const as of ["sh", "metalink"]) {
    const list = { url: service.url("download/native/file", { as, project: "many" }) };
    const short = { url: service.url("download/native/file", { as, project: "one" }) };
    for (let i = 0; i < 20; i++) await readList(short);
    const found: { first: number; solr: number; memory: number }[] = [];
    for (let i = 0; i < ROUNDS; i++) {
      const { first: solr } = await readList(service.solr.target(EXPORT));
      await service.resetPeak();
      const before = await service.memory();
      const { first, lines } = await readList(list);
      if (lines < files) throw new Error(`${as}: ${lines} lines of ${files}`);
      found.push({ first, solr, memory: (await service.memory()).peak - before.now });
    }
    const first = median(found.map((one) => one.first));
    const [once = 0, ...later] = found.map((one) => one.memory);
    const what = `${files.toLocaleString("en")} files as ${as}`;
    rows.push({
      what: `${what}: first byte (second column: Solr's /export)`,
      ours: milliseconds(first),
      solr: milliseconds(median(found.map((one) => one.solr))),
      ratio: median(found.map((one) => one.first / one.solr)).toFixed(2),
      target: "<= 0.3 s",
      met: first <= 300,
    });
    // The first long list of a process grows its heap.
    for (const [which, memory] of [
      ["first list", once],
      ["later lists", Math.max(...later)],
    ] as const) {
      const met = memory <= 50 * 1024;
      rows.push(alone(`${what}: growth of memory, ${which}`, megabytes(memory), "<= 50 MB", met));
    }
  }
  return rows;
}

async function makeFile(path: string, size: number): Promise<void> {
  const file = await open(path, "w");
  const piece = Buffer.alloc(1 << 20, 7);
  for (let at = 0; at < size; at += piece.length) await file.write(piece);
  await file.close();
}

async function main(size: number, files: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "climate-bench-"));
  const service = await Service.start(join(folder, "data"), { DATA_ROOTS: folder });
  try {
    const path = join(folder, "file.nc");
    await makeFile(path, size);
    const checksum = `sha256:${"0".repeat(64)}`;
    const many = Array.from({ length: files }, (_, at) => ({
      file: `${folder}/CMIP6/member-${at}/tas_Amon_MODEL_historical_r${at}i1p1f1_gn_185001-201412.nc`,
      ...{ project: "many", model: "MODEL", experiment: "historical", variable: "tas" },
      ...{ size: 1_000_000 + at, checksum, version: "v20200101" },
    }));
    const documents = [{ file: path, project: "one" }, ...many];
    const catalogue = join(folder, "catalogue.jsonl");
    await writeFile(catalogue, documents.map((one) => JSON.stringify(one)).join("\n"));
    await service.index(catalogue);
    const token = await service.token();
    // Lists first: memory that the file's buffers leave would hide or add to theirs.
    const lists = await measureLists(service, files);
    console.log(table([...(await measureFile(service, path, token)), ...lists], "bare"));
  } finally {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

const [first = "256", second = "100000"] = process.argv.slice(2);
if (first === "bare") await serveBare(second);
else await main(Number(first) << 20, Number(second));
