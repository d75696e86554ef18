/** Measures speed and memory of listing all paths: data-search against Solr's /export. */
import { setTimeout as sleep } from "node:timers/promises";
import { newest } from "../src/domain/search/lucene.js";
import { names } from "./make-catalogue.js";
import type { RemoteClient } from "./remote-client.js";
import { alone, median, megabytes, milliseconds, type Row } from "./report.js";
import type { Service } from "./service.js";

const PATH = "data-search/cmip6/file";
/** The filter that the service adds: this flavour has no user data. */
const FILTER = `fq=${encodeURIComponent(newest("-user:*"))}`;
const EXPORT = `files/export?q=*:*&${FILTER}&sort=file+desc&fl=file`;
const GZIP = { "Accept-Encoding": "gzip" };

/** Maximal memory growth in kilobytes. */
const GROWTH = 50 * 1024;
/** Bytes that a client reads before it disconnects; more has been sent by then. */
const BEFORE_LEAVING = 1 << 20;
const MAX_AFTER_LEAVING = 1000;

async function speed(service: Service, client: RemoteClient, rounds: number): Promise<Row[]> {
  const [ours, solr]: { whole: number; firstByte: number }[][] = [[], []];
  for (let round = 0; round < rounds; round++) {
    ours?.push(await client.do("download", { target: { url: service.url(PATH) } }));
    solr?.push(await client.do("download", { target: service.solr.target(EXPORT) }));
  }
  const of = (name: "whole" | "firstByte", times = ours): number =>
    median((times ?? []).map((time) => time[name]));
  const ratio = median(
    (ours ?? []).map(({ whole }, i) => whole / (solr?.[i]?.whole ?? Number.NaN)),
  );
  const first = of("firstByte");
  return [
    {
      what: "every path, whole list",
      ours: milliseconds(of("whole")),
      solr: milliseconds(of("whole", solr)),
      ratio: ratio.toFixed(2),
      target: "<= 1.30",
      met: ratio <= 1.3,
    },
    {
      what: "every path, first byte",
      ours: milliseconds(first),
      solr: milliseconds(of("firstByte", solr)),
      ratio: (first / of("firstByte", solr)).toFixed(2),
      target: "<= 300 ms",
      met: first <= 300,
    },
  ];
}

/** Memory growth of the service, relative to its memory after short lists. */
async function memory(service: Service, client: RemoteClient, lines: number): Promise<Row[]> {
  const short = service.url(PATH, { source_id: names.model(1) });
  for (let i = 0; i < 20; i++) await client.do("download", { target: { url: short } });
  const { now: before } = await service.memory();
  const row = async (what: string, slowlyFor: number, headers = {}): Promise<Row> => {
    await service.resetPeak();
    const target = { url: service.url(PATH), headers };
    for (let i = 0; i < (slowlyFor ? 1 : 3); i++) {
      const countLines = !("Accept-Encoding" in headers);
      const list = await client.do("download", { target, slowlyFor, countLines });
      if (countLines && list.lines !== lines) throw new Error(`${list.lines} lines of ${lines}`);
    }
    const growth = (await service.memory()).peak - before;
    return alone(what, megabytes(growth), "< 50 MB", growth < GROWTH);
  };
  return [
    await row("memory: growth, reader as fast as it can", 0),
    await row("memory: growth, reader slow for 5 s", 5000),
    await row("memory: growth, gzip", 0, GZIP),
  ];
}

/** Milliseconds that Solr continues an /export after the client has disconnected. */
async function leaving(service: Service, client: RemoteClient, headers: object): Promise<number> {
  await client.do("hold", {
    target: { url: service.url(PATH), headers: { ...headers } },
    bytes: "Accept-Encoding" in headers ? BEFORE_LEAVING / 16 : BEFORE_LEAVING,
  });
  // All buffers between Solr and the client fill up, so that Solr waits in the middle of the export.
  await sleep(500);
  if (!(await service.solr.exports())) return Number.NaN;
  await client.do("drop", {});
  const start = performance.now();
  while (await service.solr.exports()) {
    if (performance.now() - start > 10_000) return Number.POSITIVE_INFINITY;
    await sleep(20);
  }
  return performance.now() - start;
}

async function departures(service: Service, client: RemoteClient): Promise<Row[]> {
  const row = async (what: string, headers: object): Promise<Row> => {
    const times = [];
    for (let i = 0; i < 3; i++) times.push(await leaving(service, client, headers));
    const longest = Math.max(...times);
    const shown = Number.isNaN(longest) ? "too short a list to tell" : milliseconds(longest);
    const met = Number.isNaN(longest) ? undefined : longest <= MAX_AFTER_LEAVING;
    return alone(what, shown, "<= 1 s", met);
  };
  return [
    await row("client leaves: Solr's export ends after (longest of 3)", {}),
    await row("client leaves, gzip: Solr's export ends after (longest of 3)", GZIP),
  ];
}

/** The last ten results, against the same page from Solr. */
async function lastTen(
  service: Service,
  client: RemoteClient,
  lines: number,
  rounds: number,
): Promise<Row> {
  const start = String(lines - 10);
  const ours = { url: service.url(PATH, { start }) };
  const page = `files/select?q=*:*&${FILTER}&sort=file+desc&fl=file&rows=10&start=${start}`;
  const solr = service.solr.target(page);
  const times: { ours: number; solr: number }[] = [];
  for (let round = 0; round <= rounds; round++) {
    const mine = await client.do("download", { target: ours, countLines: true });
    if (mine.lines !== 10) throw new Error(`${mine.lines} lines of 10`);
    const raw = await client.do("download", { target: solr });
    if (round > 0) times.push({ ours: mine.whole, solr: raw.whole });
  }
  const ratio = median(times.map((time) => time.ours / time.solr));
  return {
    what: "start=N-10: the last ten, against /select with the same start",
    ours: milliseconds(median(times.map((time) => time.ours))),
    solr: milliseconds(median(times.map((time) => time.solr))),
    ratio: ratio.toFixed(2),
    target: "<= 1.30",
    met: ratio <= 1.3,
  };
}

export async function measureLists(
  service: Service,
  client: RemoteClient,
  rounds: number,
): Promise<Row[]> {
  const lines = await service.solr.count("files", "latest:true");
  // Memory first, before any other long list has grown the heap.
  const grown = await memory(service, client, lines);
  return [
    ...(await speed(service, client, rounds)),
    ...grown,
    ...(await departures(service, client)),
    await lastTen(service, client, lines, rounds),
  ];
}
