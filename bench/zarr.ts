/**
 * Measures speed and memory of reading files as zarr, as ratios to a minimal server that sends the same bytes.
 *
 *     npx tsx bench/zarr.ts
 */
import { type ChildProcess, fork } from "node:child_process";
import { createReadStream } from "node:fs";
import { copyFile, mkdtemp, rm, stat, utimes, writeFile } from "node:fs/promises";
import { Agent, createServer, get, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Datasets } from "../src/files/zarr/dataset/datasets.js";
import { packagePath } from "../src/platform/package-root.js";
import { makePython, runPython } from "../test/support/programs/python.js";
import { alone, median, megabytes, milliseconds, perSecond, type Row, table } from "./report.js";
import { cpuSecondsOf, Service } from "./service.js";

const ROUNDS = 5;

/** A file whose chunks are served as stored. */
interface Chunked {
  readonly file: string;
  readonly chunks: number;
  /** Bytes of a decoded chunk. */
  readonly decoded: number;
  /** How often all chunks are read in a round, and by how many clients at the same time. */
  readonly times: number;
  readonly clients: readonly number[];
}
const LARGE: Chunked = {
  file: "large_chunks.nc",
  chunks: 96,
  decoded: 720 * 1440 * 4,
  times: 2,
  clients: [1, 8],
};
/** About 0.2 MB each, as stored. */
const SMALL: Chunked = {
  file: "small_chunks.nc",
  chunks: 384,
  decoded: 240 * 480 * 4,
  // Enough rounds to make the compilation time negligible.
  times: 12,
  clients: [8],
};

/** A minimal server that only knows the offsets of the chunks. */
async function serveBare(path: string, chunks: number): Promise<void> {
  const datasets = new Datasets();
  const dataset = await datasets.open(path);
  const places: { offset: number; length: number }[] = [];
  for (let i = 0; i < chunks; i++) {
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
  const server = createServer(bare);
  server.listen(0, "127.0.0.1", () => {
    process.send?.({ port: (server.address() as AddressInfo).port });
  });
}

/** Address of the chunks, and request headers. */
interface Served {
  readonly port: number;
  readonly prefix: string;
  readonly headers: Readonly<Record<string, string>>;
}

const SELF = fileURLToPath(import.meta.url);

async function startBare(
  path: string,
  chunks: number,
): Promise<{ child: ChildProcess; pid: number; served: Served }> {
  const child = fork(SELF, ["bare", path, String(chunks)], { execArgv: ["--import", "tsx"] });
  const { port } = await new Promise<{ port: number }>((resolve, reject) => {
    child.once("message", (message) => resolve(message as { port: number }));
    child.once("exit", (code) => reject(new Error(`the bare server ended with ${code}`)));
  });
  return { child, pid: child.pid ?? 0, served: { port, prefix: "", headers: {} } };
}

/** Starts the real service with the file in its index, and a token in the headers. */
async function startService(
  folder: string,
  path: string,
): Promise<{ service: Service; served: Served; address: string }> {
  const service = await Service.start(join(folder, `${basename(path)}.data`), {
    DATA_ROOTS: folder,
  });
  const catalogue = join(folder, "catalogue.jsonl");
  await writeFile(catalogue, JSON.stringify({ file: path }));
  await service.index(catalogue);
  const headers = { Authorization: `Bearer ${await service.token()}` };
  const found = await fetch(service.url("load/native"), { headers });
  const address = (await found.text()).trim();
  const { port, pathname } = new URL(address);
  return { service, served: { port: Number(port), prefix: pathname, headers }, address };
}

function fetchAll({ port, prefix, headers }: Served, key: string, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    get({ host: "127.0.0.1", port, path: prefix + key, headers, agent }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${key}: ${response.statusCode}`));
      let bytes = 0;
      response.on("data", (piece: Buffer) => {
        bytes += piece.length;
      });
      response.on("end", () => resolve(bytes));
    }).on("error", reject);
  });
}

/** Chunks a second for a number of clients. */
async function rate(served: Served, clients: number, { chunks, times }: Chunked): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const begin = performance.now();
  let next = 0;
  const total = chunks * times;
  const client = async (): Promise<void> => {
    for (let i = next++; i < total; i = next++) {
      await fetchAll(served, `/tas/${i % chunks}.0.0`, agent);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  agent.destroy();
  return (total / (performance.now() - begin)) * 1000;
}

async function measureChunks(folder: string, kind: Chunked): Promise<Row[]> {
  const path = join(folder, kind.file);
  const { service, served, address } = await startService(folder, path);
  const bare = await startBare(path, kind.chunks);
  const rows: Row[] = [];
  const stored = await fetchAll(served, "/tas/0.0.0", new Agent());
  const size = `${(stored / 1e6).toFixed(1)} MB`;
  for (const clients of kind.clients) {
    await rate(served, clients, kind);
    await rate(bare.served, clients, kind);
    const times: { ours: number; theirs: number }[] = [];
    const used = { ours: 0, theirs: 0 };
    for (let i = 0; i < ROUNDS; i++) {
      const before = await service.cpuSeconds();
      const ours = await rate(served, clients, kind);
      used.ours += (await service.cpuSeconds()) - before;
      const begin = await cpuSecondsOf(bare.pid);
      times.push({ ours, theirs: await rate(bare.served, clients, kind) });
      used.theirs += (await cpuSecondsOf(bare.pid)) - begin;
    }
    const ratio = median(times.map(({ ours, theirs }) => ours / theirs));
    rows.push({
      what: `${size} stored chunks, ${clients} clients (second column: bare server)`,
      ours: perSecond(median(times.map(({ ours }) => ours))),
      solr: perSecond(median(times.map(({ theirs }) => theirs))),
      ratio: ratio.toFixed(2),
      target: ">= 0.7",
      met: ratio >= 0.7,
    });
    const gigabytes = (ROUNDS * kind.chunks * kind.times * kind.decoded) / 1e9;
    const perGigabyte = used.ours / gigabytes;
    rows.push({
      what: `${size}: processor time a decoded GB, ${clients} clients (second column: bare server)`,
      ours: `${perGigabyte.toFixed(2)} s`,
      solr: `${(used.theirs / gigabytes).toFixed(2)} s`,
      ratio: (used.ours / used.theirs).toFixed(2),
      target: "<= 0.4 s",
      met: perGigabyte <= 0.4,
    });
  }
  if (kind === LARGE) rows.push(await measureXarray(path, address, served));
  await service.stop();
  bare.child.removeAllListeners("exit").kill();
  return rows;
}

/** xarray loads the whole variable, from the service and from the file in turn. */
async function measureXarray(path: string, address: string, served: Served): Promise<Row> {
  const script = packagePath("bench", "load_variable.py");
  const token = served.headers.Authorization ?? "";
  const [ours = 0, theirs = 0, ratio = 0, megabytesRead = 0] = JSON.parse(
    await runPython([script, path, address, token, "tas"]),
  ) as number[];
  return {
    what: `xarray loads ${Math.round(megabytesRead)} MB (second column: from the file)`,
    ours: milliseconds(ours * 1000),
    solr: milliseconds(theirs * 1000),
    ratio: ratio.toFixed(2),
    target: "<= 1.6",
    met: ratio <= 1.6,
  };
}

async function measureMetadata(path: string): Promise<Row[]> {
  const datasets = new Datasets();
  // Starts the reading process first, as in a running service.
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

const [kind, path, chunks] = process.argv.slice(2);
if (kind === "bare" && path !== undefined) await serveBare(path, Number(chunks));
else {
  const folder = await mkdtemp(join(tmpdir(), "climate-bench-"));
  try {
    await makePython();
    await runPython([packagePath("test", "files", "zarr", "make_files.py"), folder, "bench"]);
    const sample = packagePath("data/files/CMIP6/CMIP/MPI-M/MPI-ESM1-2-LR/historical/r1i1p1f1");
    const small = join(
      sample,
      "Amon/tas/gn/v20190710/tas_Amon_MPI-ESM1-2-LR_historical_r1i1p1f1_gn_198501-198912.nc",
    );
    await stat(small);
    const rows = [
      ...(await measureMetadata(join(folder, "many_chunks.nc"))),
      ...(await measureMemory(small, folder)),
      ...(await measureChunks(folder, LARGE)),
      ...(await measureChunks(folder, SMALL)),
    ];
    process.stdout.write(`${table(rows)}\n`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
