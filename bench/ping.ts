/**
 * Measures how long requests keep others waiting: the delay of `ping`, which another process sends every 20 ms, while the
 * service reads invalid bodies or writes large answers.
 *
 *     npx tsx bench/ping.ts [N]
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { alone, type Row, table } from "./report.js";
import { Service } from "./service.js";

/** Milliseconds between two pings, and the longest delay that is good. */
const PAUSE = 20;
const TARGET = 200;

/** Sends pings until the parent says so, whether or not the last one was answered, and reports their delays. */
async function ping(address: string): Promise<void> {
  let isDone = false;
  process.once("message", () => {
    isDone = true;
  });
  const delays: Promise<number>[] = [];
  while (!isDone) {
    const begun = performance.now();
    delays.push(
      fetch(address)
        .then((response) => response.text())
        .then(() => performance.now() - begun),
    );
    await sleep(PAUSE);
  }
  process.send?.(await Promise.all(delays));
}

/** The delays of pings while something is done, sorted. */
async function during(address: string, work: () => Promise<unknown>): Promise<number[]> {
  const pinging: ChildProcess = fork(fileURLToPath(import.meta.url), ["--ping", address]);
  await sleep(1500);
  await work();
  const answer = once(pinging, "message");
  pinging.send("done");
  const [delays] = (await answer) as [number[]];
  pinging.disconnect();
  return delays.sort((a, b) => a - b);
}

async function row(what: string, address: string, work: () => Promise<unknown>): Promise<Row> {
  const begun = performance.now();
  const delays = await during(address, work);
  const worst = delays.at(-1) ?? Number.NaN;
  const typical = delays[Math.floor(delays.length * 0.99)] ?? Number.NaN;
  const told = `${worst.toFixed(0)} ms at most, ${typical.toFixed(0)} ms for 99 of 100`;
  const took = ((performance.now() - begun) / 1000).toFixed(1);
  return alone(`${what} (${took} s)`, told, `${TARGET} ms`, worst <= TARGET);
}

const repeated = (head: string, text: string, count: number, tail: string): string =>
  head + Array.from({ length: count }, () => text).join(",") + tail;

const ENTRY = {
  file: "relative.nc",
  variable: "tas",
  time: "x",
  time_frequency: "mon",
  experiment: "historical",
};

async function measure(service: Service): Promise<Row[]> {
  const pinged = service.url("").replace(/databrowser.*/, "ping");
  const token = await service.token();
  const post = (body: string) => async () => {
    const response = await fetch(service.url("userdata"), {
      method: "POST",
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      body,
    });
    await response.text();
    process.stderr.write(`${response.status} `);
  };
  const get = (path: string, query: Record<string, string>, times: number) => () =>
    Promise.all(
      Array.from({ length: times }, async (_, index) => {
        // Different searches, so that none is answered from the cache.
        const distinct = { ...query, dataset_not_: `none-${index}` };
        const response = await fetch(service.url(path, distinct));
        const text = await response.text();
        process.stderr.write(`${response.status} ${response.ok ? text.length : text} `);
      }),
    );
  const head = '{"user_metadata":[';
  const bodies = {
    "99,001 empty entries": repeated(head, "{}", 99_001, "]}"),
    "60 MB of empty entries": repeated(head, "{}", 20_000_000, "]}"),
    "60 MB of numbers": repeated(head, "1", 30_000_000, "]}"),
    "99,001 invalid entries": repeated(head, JSON.stringify(ENTRY), 99_001, "]}"),
  };
  const rows: Row[] = [await row("nothing", pinged, () => sleep(3000))];
  for (const [what, body] of Object.entries(bodies)) {
    rows.push(await row(what, pinged, post(body)));
  }
  const documents = { limit: "10000", facets: "*" };
  const pages = "extended-search/native/file";
  const counts = "metadata-search/native/file";
  const matrix = { rows: "ensemble", columns: "model" };
  rows.push(await row("6 pages of 10,000 with facets", pinged, get(pages, documents, 6)));
  rows.push(await row("20 metadata searches", pinged, get(counts, {}, 20)));
  rows.push(await row("6 coverages", pinged, get("coverage/native", matrix, 6)));
  return rows;
}

/** Documents with a facet whose values are all different. */
async function writeDocuments(file: string, count: number): Promise<void> {
  const lines = Array.from({ length: count }, (_, index) =>
    JSON.stringify({
      file: `/data/${index}.nc`,
      project: "cmip6",
      model: `m${index % 10}`,
      experiment: `e${index % 30}`,
      variable: `v${index % 200}`,
      ensemble: `r${index}i1p1f1`,
      time_frequency: "mon",
    }),
  );
  await writeFile(file, `${lines.join("\n")}\n`);
}

if (process.argv[2] === "--ping") {
  await ping(process.argv[3] ?? "");
} else {
  const count = Number(process.argv[2] ?? 120_000);
  const folder = await mkdtemp(join(tmpdir(), "climate-ping-"));
  // On a busy machine Solr may take longer than it may elsewhere.
  const service = await Service.start(join(folder, "data"), { SOLR_TIMEOUT_MS: "120000" });
  try {
    const file = join(folder, "documents.jsonl");
    await writeDocuments(file, count);
    await service.index(file);
    console.log(table(await measure(service), "Solr"));
  } finally {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
