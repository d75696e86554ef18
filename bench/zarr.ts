/**
 * The speed and memory of reading files as zarr, as ratios to a bare server that sends the same
 * bytes.
 *
 *     npx tsx bench/zarr.ts
 */
import { type ChildProcess, fork } from "node:child_process";
import { createReadStream } from "node:fs";
import { copyFile, mkdtemp, rm, stat, utimes } from "node:fs/promises";
import { Agent, createServer, get, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { packagePath } from "../src/package-root.js";
import { Datasets } from "../src/zarr/datasets.js";
import { runPython } from "../test/support/python.js";
import { alone, median, megabytes, milliseconds, perSecond, type Row, table } from "./report.js";

const CHUNKS = 48;
const ROUNDS = 5;
/** Bytes of a chunk of large_chunks.nc, decoded. */
const DECODED = 720 * 1440 * 4;

/** The library behind node:http, and a server that knows nothing but where the bytes lie. */
async function serve(kind: "library" | "bare", path: string): Promise<void> {
  const datasets = new Datasets();
  const dataset = await datasets.open(path);
  const places: { offset: number; length: number }[] = [];
  for (let i = 0; i < CHUNKS; i++) {
    const content = await dataset.content(`tas/${i}.0.0`);
    if (content.kind === "range") places.push(content.range);
  }
  const bare: RequestListener = (request, response) => {
    const place = places[Number(/\/(\d+)\./.exec(request.url ?? "")?.[1])];
    if (place === undefined) return;
    response.writeHead(200, { "content-length": place.length });
    createReadStream(path, { start: place.offset, end: place.offset + place.length - 1 }).pipe(
      response,
    );
  };
  const library: RequestListener = async (request, response) => {
    const content = await (await datasets.open(path)).content((request.url ?? "").slice(1));
    if (content.kind !== "range") return;
    const body = await datasets.read(content.range);
    response.writeHead(200, { "content-length": body.byteLength, etag: `"${content.tag}"` });
    response.end(body);
  };
  const server = createServer(kind === "bare" ? bare : library);
  server.listen(0, "127.0.0.1", () => {
    process.send?.({ port: (server.address() as AddressInfo).port });
  });
  process.on("message", () => process.send?.({ cpu: process.cpuUsage() }));
}

interface Served {
  readonly child: ChildProcess;
  readonly port: number;
}

const SELF = fileURLToPath(import.meta.url);

const answerOf = <T>(child: ChildProcess): Promise<T> =>
  new Promise((resolve) => child.once("message", (message) => resolve(message as T)));

async function start(kind: "library" | "bare", path: string): Promise<Served> {
  const child = fork(SELF, [kind, path], { execArgv: ["--import", "tsx"] });
  const { port } = await answerOf<{ port: number }>(child);
  return { child, port };
}

/** Seconds of processor time. */
async function cpu({ child }: Served): Promise<number> {
  const answer = answerOf<{ cpu: NodeJS.CpuUsage }>(child);
  child.send("cpu");
  const { user, system } = (await answer).cpu;
  return (user + system) / 1e6;
}

function fetchAll(port: number, path: string, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    get({ host: "127.0.0.1", port, path, agent }, (response) => {
      let bytes = 0;
      response.on("data", (piece: Buffer) => {
        bytes += piece.length;
      });
      response.on("end", () => resolve(bytes));
    }).on("error", reject);
  });
}

/** Chunks a second that so many clients get. */
async function rate({ port }: Served, clients: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const begin = performance.now();
  let next = 0;
  const total = CHUNKS * 4;
  const client = async (): Promise<void> => {
    for (let i = next++; i < total; i = next++) {
      await fetchAll(port, `/tas/${i % CHUNKS}.0.0`, agent);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  agent.destroy();
  return (total / (performance.now() - begin)) * 1000;
}

async function measureChunks(path: string): Promise<Row[]> {
  const [library, bare] = [await start("library", path), await start("bare", path)];
  const rows: Row[] = [];
  for (const clients of [1, 8]) {
    await rate(library, clients);
    await rate(bare, clients);
    const ours: number[] = [];
    const theirs: number[] = [];
    const before = await cpu(library);
    for (let i = 0; i < ROUNDS; i++) {
      ours.push(await rate(library, clients));
      theirs.push(await rate(bare, clients));
    }
    const ratio = median(ours) / median(theirs);
    rows.push({
      what: `stored chunks, ${clients} clients (second column: bare server)`,
      ours: perSecond(median(ours)),
      solr: perSecond(median(theirs)),
      ratio: ratio.toFixed(2),
      target: ">= 0.7",
      met: ratio >= 0.7,
    });
    const perGigabyte = ((await cpu(library)) - before) / ((ROUNDS * CHUNKS * 4 * DECODED) / 1e9);
    const text = `${perGigabyte.toFixed(2)} s`;
    rows.push(
      alone(
        `processor time a decoded GB, ${clients} clients`,
        text,
        "<= 0.4 s",
        perGigabyte <= 0.4,
      ),
    );
  }
  library.child.kill();
  bare.child.kill();
  return rows;
}

async function measureMetadata(path: string): Promise<Row[]> {
  const datasets = new Datasets();
  // A thread that is up already, as in a service that runs.
  await datasets.open(packagePath("package.json")).catch(() => undefined);
  const first: number[] = [];
  const cached: number[] = [];
  for (let i = 0; i < ROUNDS; i++) {
    const begin = performance.now();
    const dataset = await datasets.open(path);
    await dataset.document(".zmetadata");
    await dataset.content("v/1234.0");
    first.push(performance.now() - begin);
    const again = performance.now();
    await (await datasets.open(path)).content("v/299999.0");
    cached.push(performance.now() - again);
    await utimes(path, new Date(), new Date());
  }
  await datasets.close();
  return [
    alone(
      "metadata and index of 300,000 chunks",
      milliseconds(median(first)),
      "<= 0.5 s",
      median(first) <= 500,
    ),
    alone(
      "a chunk's place, once cached",
      milliseconds(median(cached)),
      "<= 5 ms",
      median(cached) <= 5,
    ),
  ];
}

async function measureMemory(path: string, folder: string): Promise<Row[]> {
  const datasets = new Datasets();
  await datasets.open(packagePath("package.json")).catch(() => undefined);
  const paths: string[] = [];
  for (let i = 0; i < 1000; i++) {
    paths.push(join(folder, `copy-${i}.nc`));
    await copyFile(path, paths[i] ?? "");
  }
  global.gc?.();
  const before = process.memoryUsage().rss;
  for (const each of paths) {
    const dataset = await datasets.open(each);
    await dataset.document(".zmetadata");
    const content = await dataset.content("tas/0.0.0");
    if (content.kind === "range") await datasets.read(content.range);
  }
  const grown = process.memoryUsage().rss - before;
  await datasets.close();
  return [
    alone(
      "memory for 1,000 files open once each",
      megabytes(grown / 1024),
      "< 150 MB",
      grown < 150e6,
    ),
  ];
}

const [kind, path] = process.argv.slice(2);
if ((kind === "library" || kind === "bare") && path !== undefined) await serve(kind, path);
else {
  const folder = await mkdtemp(join(tmpdir(), "climate-bench-"));
  try {
    await runPython([packagePath("test", "zarr", "make_files.py"), folder, "bench"]);
    const sample = packagePath("data/files/CMIP6/CMIP/MPI-M/MPI-ESM1-2-LR/historical/r1i1p1f1");
    const small = join(
      sample,
      "Amon/tas/gn/v20190710/tas_Amon_MPI-ESM1-2-LR_historical_r1i1p1f1_gn_198501-198912.nc",
    );
    await stat(small);
    const rows = [
      ...(await measureMetadata(join(folder, "many_chunks.nc"))),
      ...(await measureMemory(small, folder)),
      ...(await measureChunks(join(folder, "large_chunks.nc"))),
    ];
    process.stdout.write(`${table(rows)}\n`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
