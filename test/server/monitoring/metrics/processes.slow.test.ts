/** What is measured of a service as people start it: of several processes together, and on a port of its own. */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { oneLine, run, Serving, type Settings, testSolrSettings } from "../../../cli/command.js";
import { expectBelow } from "../../../support/run/bounds.js";
import { freshFolder } from "../../../support/run/folders.js";
import { readExposition } from "./exposition.js";

const PATIENCE = { timeout: 120_000 };
const PINGS =
  'http_server_request_duration_seconds_count{method="GET",operation="ping",status="200"}';

let dataDir: string;
const running: Serving[] = [];
beforeAll(async () => {
  dataDir = join(freshFolder(), "var");
});
afterAll(() => Promise.all(running.map((one) => one.end("SIGKILL"))));

async function start(settings: Settings): Promise<Serving> {
  const service = await Serving.start({
    ...testSolrSettings(),
    DATA_DIR: dataDir,
    BASE_URL: "https://data.example.org/climate",
    ...settings,
  });
  running.push(service);
  return service;
}

/** On a connection of its own, which may go to any worker. */
const ask = (address: string): Promise<Response> =>
  fetch(address, { headers: { connection: "close" } });

const ping = async ({ address }: Serving): Promise<void> => {
  const answer = await ask(`${address}/api/climate-nextgen/ping`);
  if (answer.status !== 200) throw new Error(String(answer.status));
  await answer.text();
};

const figures = async ({ address }: Serving) => {
  const answer = await ask(`${address}/metrics`);
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(text);
  return readExposition(text).values;
};

interface Line {
  readonly pid: number;
  readonly worker?: number;
  readonly msg: string;
}

const pids = (service: Serving): Map<number, number> =>
  new Map(
    service.output
      .split("\n")
      .filter((line) => line.startsWith("{"))
      .map((line) => JSON.parse(line) as Line)
      .flatMap(({ worker, pid, msg }) =>
        worker !== undefined && msg === "request" ? [[worker, pid] as const] : [],
      ),
  );

describe("several workers", () => {
  it("are added up in every scrape, whichever answers", PATIENCE, async () => {
    const service = await start({ WORKERS: "2" });
    await Promise.all(Array.from({ length: 40 }, () => ping(service)));
    await expect.poll(() => pids(service).size).toBe(2);
    await expect.poll(async () => (await figures(service)).get(PINGS)).toBe(40);
    const values = await figures(service);
    expect(values.get('climate_workers{state="awake"}')).toBe(2);
    expect([...values.keys()].filter((name) => name.startsWith("climate_build_info"))).toHaveLength(
      1,
    );
    expect(values.get("climate_connections")).toBeLessThan(10);
    // Two workers and the process that has the port.
    expect(values.get('climate_memory_bytes{part="resident"}')).toBeGreaterThan(150e6);

    const hanging = pids(service).get(1) ?? 0;
    process.kill(hanging, "SIGSTOP");
    const begin = performance.now();
    // It holds up the one connection that it was given; others are answered, with what it said last.
    const scrapes = [1, 2, 3].map(() => figures(service).catch(() => new Map<string, number>()));
    expect((await Promise.race(scrapes)).get(PINGS)).toBe(40);
    expectBelow(performance.now() - begin, 20_000);
    process.kill(hanging, "SIGKILL");
    await expect.poll(() => service.output, { timeout: 30_000 }).toMatch(/"a worker ended/);
    await expect
      .poll(async () => (await figures(service)).get('climate_workers{state="awake"}'), {
        timeout: 60_000,
      })
      .toBe(2);
    // Of a worker that has ended nothing is lost: a sum that falls would look like a new beginning.
    await ping(service);
    await expect.poll(async () => (await figures(service)).get(PINGS)).toBe(41);
    expect((await figures(service)).get("climate_workers_ended_total")).toBe(1);
    await service.end("SIGTERM");
  });
});

describe("a port for metrics", () => {
  it("has the metrics and nothing else, and the service's port has none", PATIENCE, async () => {
    const service = await start({ METRICS_PORT: "0" });
    const [, address = ""] =
      /^Metrics +(http:\/\/127\.0\.0\.1:\d+)\/metrics$/m.exec(service.output) ?? [];
    await ping(service);
    // For a Prometheus behind whatever there is: who reaches the port may read it.
    const answer = await fetch(`${address}/metrics`, { headers: { Via: "1.1 x" } });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([
      200,
      "text/plain; version=0.0.4; charset=utf-8",
    ]);
    await expect
      .poll(async () =>
        readExposition(await (await ask(`${address}/metrics`)).text()).values.get(PINGS),
      )
      .toBe(1);
    for (const path of ["/", "/metrics/", "/api/climate-nextgen/ping", "/metrics/../ping"]) {
      expect((await fetch(address + path)).status, path).toBe(404);
    }
    expect((await fetch(`${address}/metrics`, { method: "POST" })).status).toBe(404);
    const head = await fetch(`${address}/metrics`, { method: "HEAD" });
    expect([head.status, Number(head.headers.get("content-length")) > 1000]).toEqual([200, true]);
    expect((await ask(`${service.address}/metrics`)).status).toBe(404);

    const { port } = new URL(address);
    const second = await run(["serve"], {
      settings: { ...testSolrSettings(), DATA_DIR: `${dataDir}2`, METRICS_PORT: port },
    });
    expect(oneLine(second.stderr)).toMatch(new RegExp(`^Port ${port} .*\\bMETRICS_PORT\\b`));
    await service.end("SIGTERM");
    await expect(fetch(`${address}/metrics`)).rejects.toThrow();
  });

  it("names the setting if its address is not one of this machine", async () => {
    const settings = { ...testSolrSettings(), DATA_DIR: `${dataDir}3` };
    const refused = await run(["serve"], {
      settings: { ...settings, METRICS_PORT: "192.0.2.1:9464" },
    });
    expect(oneLine(refused.stderr)).toBe(
      "192.0.2.1 is not an address of this machine; set METRICS_PORT.",
    );
  });
});
