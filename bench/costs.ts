/**
 * Measures the processor time of a request, in microseconds and as a ratio to Hono alone in the same run.
 *
 *     npx tsx bench/costs.ts [--rounds N] [--json FILE] [FOLDER of another checkout to compare with]
 *
 * The other checkout must have been built (`npm run build`). Services and floor take turns, and the lowest round of each
 * counts, because other processes can only add processor time.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { Agent, get } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { packagePath } from "../src/platform/package-root.js";
import { cpuSecondsOf, Service } from "./service.js";

/** Connections, each with one request after the other. */
const CONNECTIONS = 16;

interface Target {
  readonly name: string;
  readonly requests: number;
  /** Address of the n-th request. */
  url(n: number): string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A measured process, and the processor time that it has used, in seconds. */
interface Measured {
  readonly name: string;
  readonly targets: readonly Target[];
  cpuSeconds(): Promise<number>;
  stop(): Promise<unknown>;
}

function fetchOnce(url: string, headers: Target["headers"], agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { ...headers }, agent }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url}: ${response.statusCode}`));
      response.resume().once("end", resolve).once("error", reject);
    }).once("error", reject);
  });
}

/** Counts requests over all rounds, so that no search is repeated. */
let sent = 0;

/** Microseconds of processor time for one request. */
async function costOf({ cpuSeconds }: Measured, target: Target): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const before = await cpuSeconds();
  let left = target.requests;
  const connection = async (): Promise<void> => {
    while (left-- > 0) await fetchOnce(target.url(sent++), target.headers, agent);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
  agent.destroy();
  return (((await cpuSeconds()) - before) / target.requests) * 1e6;
}

/** The floor: Hono and its Node adapter, with a handler that does no work. */
async function startFloor(): Promise<Measured> {
  const child: ChildProcess = fork(fileURLToPath(import.meta.url), ["floor"]);
  const [{ port }] = (await once(child, "message")) as [{ port: number }];
  return {
    name: "floor",
    targets: [{ name: "Hono alone", requests: 6000, url: () => `http://127.0.0.1:${port}/ping` }],
    cpuSeconds: () => cpuSecondsOf(child.pid ?? 0),
    stop: async () => child.kill(),
  };
}

function serveFloor(): void {
  const app = new Hono().get("/ping", (c) => c.json({ status: "ok" }));
  const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, () =>
    process.send?.({ port: (server.address() as AddressInfo).port }),
  );
}

/** Starts a service with the sample catalogue. @param root checkout to run */
async function startService(name: string, folder: string, root: string): Promise<Measured> {
  const catalogue = join(folder, `${name}.jsonl`);
  const lines = (await readFile(packagePath("data", "catalogue.jsonl"), "utf8")).trim().split("\n");
  const documents = lines.map((line) => JSON.parse(line) as { file: string });
  const located = documents.map(({ file, ...rest }) =>
    JSON.stringify({ ...rest, file: packagePath("data", file) }),
  );
  await writeFile(catalogue, `${located.join("\n")}\n`);
  const dataRoot = packagePath("data", "files");
  const service = await Service.start(
    join(folder, `${name}.data`),
    { DATA_ROOTS: dataRoot, LIMIT_REQUESTS: "0", LOG_LEVEL: "info" },
    root,
  );
  await service.index(catalogue);
  const headers = { Authorization: `Bearer ${await service.token()}` };
  const chunk = await chunkAddress(service, headers);
  const api = service.url("").replace(/\/databrowser\/?$/, "");
  const list = service.url("data-search/cmip6/file", { project: "cmip6" });
  const size = (await (await fetch(list)).text()).trim().split("\n").length;
  return {
    name,
    targets: [
      { name: "ping", requests: 4000, url: () => `${api}/ping` },
      {
        name: "metadata-search, kept",
        requests: 2000,
        url: () => service.url("metadata-search/cmip6/file", { project: "cmip6" }),
      },
      {
        name: "metadata-search, new",
        requests: 800,
        url: (n) => service.url("metadata-search/cmip6/file", { time: periodOf(n) }),
      },
      { name: `data-search of ${size} lines`, requests: 600, url: () => list },
      { name: "stored chunk", requests: 2000, url: () => chunk, headers },
    ],
    cpuSeconds: () => service.cpuSeconds(),
    stop: () => service.stop(),
  };
}

/** A period that differs for each number. */
const periodOf = (n: number): string =>
  new Date(Date.UTC(1980, 0, 1) + n * 1000).toISOString().slice(0, 19);

/** The first chunk of a variable that is served as stored in the file. */
async function chunkAddress(
  service: Service,
  headers: Readonly<Record<string, string>>,
): Promise<string> {
  const found = await fetch(
    service.url("load/cmip6", { source_id: "MPI-ESM1-2-LR", variable_id: "tas" }),
    {
      headers,
    },
  );
  const [address = ""] = (await found.text()).split("\n");
  return `${address}/tas/0.0.0`;
}

const {
  positionals: [other],
  values: { rounds, json },
} = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: "string", default: "5" }, json: { type: "string" } },
});

if (other === "floor") serveFloor();
else {
  const folder = await mkdtemp(join(tmpdir(), "bench-costs-"));
  const all = [
    await startFloor(),
    await startService("service", folder, packagePath()),
    ...(other === undefined ? [] : [await startService("other", folder, other)]),
  ];
  try {
    const costs = new Map<string, number>();
    // The first round is warm-up.
    for (let round = 0; round <= Number(rounds); round++) {
      const turns = (measured: Measured, names: readonly Target[]) =>
        names.map((target) => ({ measured, target, key: `${measured.name}: ${target.name}` }));
      for (const { measured, target, key } of all.flatMap((one) => turns(one, one.targets))) {
        const cost = await costOf(measured, target);
        if (round > 0) costs.set(key, Math.min(cost, costs.get(key) ?? Number.POSITIVE_INFINITY));
      }
    }
    const floor = costs.get("floor: Hono alone") ?? Number.NaN;
    const rows = [...costs].map(([key, cost]) => ({
      key,
      microseconds: Math.round(cost),
      ratio: Math.round((cost / floor) * 10) / 10,
    }));
    for (const { key, microseconds, ratio } of rows) {
      console.log(
        `${key.padEnd(45)} ${String(microseconds).padStart(6)} us  ${ratio} x Hono alone`,
      );
    }
    if (json !== undefined) {
      await mkdir(dirname(json), { recursive: true });
      await writeFile(json, JSON.stringify(rows));
    }
  } finally {
    await Promise.all(all.map((one) => one.stop()));
    await rm(folder, { recursive: true, force: true });
  }
}
