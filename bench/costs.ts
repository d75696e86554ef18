/**
 * Measures the processor time of a request, in microseconds, and as a ratio to a floor in the same run (costs/floors.ts).
 *
 *     npx tsx bench/costs.ts [--rounds N] [--rows TEXT] [--json FILE] [FOLDER of another checkout to compare with]
 *
 * `--rows` measures only the rows whose names contain the text, or one of several texts separated by `|`.
 * The other checkout must have been built (`npm run build`). Services and floors take turns, and the lowest round of each
 * counts, because other processes can only add processor time.
 */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { Agent, get } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { packagePath } from "../src/platform/package-root.js";
import { type Lowest, writeTable } from "./costs/cost-table.js";
import { startFloors } from "./costs/floors.js";
import { checkLines, ROWS, startSubject, type Target } from "./costs/requests.js";

/** Connections, each with one request after the other. */
const CONNECTIONS = 16;

function fetchOnce(url: string, headers: Target["headers"], agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { ...headers }, agent }, (response) => {
      if (response.statusCode !== 200) {
        text(response).then((body) => reject(new Error(`${url}: ${body}`)), reject);
        return;
      }
      response.resume().once("end", resolve).once("error", reject);
    }).once("error", reject);
  });
}

/** Counts requests over all rounds, so that no search is repeated. */
let sent = 0;

/** Microseconds of processor time for one request, of each process. */
async function costsOf(
  processes: readonly (() => Promise<number>)[],
  target: Target,
  requests: number,
): Promise<number[]> {
  const cpuSeconds = (): Promise<number[]> => Promise.all(processes.map((cpu) => cpu()));
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const before = await cpuSeconds();
  let left = requests;
  const connection = async (): Promise<void> => {
    while (left-- > 0) await fetchOnce(target.url(sent++), target.headers, agent);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
  agent.destroy();
  const after = await cpuSeconds();
  return after.map((seconds, i) => ((seconds - (before[i] ?? Number.NaN)) / requests) * 1e6);
}

/** Headers of the service's answer to `ping`, without those that node sets itself. */
async function pingHeaders(api: string): Promise<Record<string, string>> {
  const { headers } = await fetch(`${api}/ping`);
  const own = new Set(["connection", "keep-alive", "date", "content-length", "content-type"]);
  return Object.fromEntries([...headers].filter(([name]) => !own.has(name)));
}

const {
  positionals: [other],
  values: { rounds, rows: chosen, json },
} = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: "string", default: "5" },
    rows: { type: "string", default: "" },
    json: { type: "string" },
  },
});
const texts = chosen.split("|");
const measured = ROWS.filter(({ name }) => texts.some((text) => name.includes(text)));

const folder = await mkdtemp(join(tmpdir(), "bench-costs-"));
const ends: (() => Promise<unknown>)[] = [];
try {
  const ours = await startSubject(join(folder, "service"), packagePath());
  ends.push(() => ours.service.stop());
  const theirs = other === undefined ? undefined : await startSubject(join(folder, "other"), other);
  if (theirs !== undefined) ends.push(() => theirs.service.stop());
  const solr = ours.service.solr.target("");
  const floors = await startFloors({
    solr: solr.url.replace(/\/?\?.*$/, ""),
    headers: solr.headers ?? {},
    file: join(folder, "service", "chunks.nc"),
    answerHeaders: await pingHeaders(ours.api),
  });
  ends.push(() => floors.stop());
  for (const row of measured) await checkLines(row, ours, floors);
  const lowest: Lowest = {
    floor: new Map(),
    service: new Map(),
    solr: new Map(),
    other: new Map(),
  };
  // The first round is warm-up.
  for (let round = 0; round <= Number(rounds); round++) {
    for (const row of measured) {
      // A floor is cheaper: more requests for the same resolution of the clock, which is 10 ms.
      const turns = [
        {
          into: [lowest.floor],
          processes: [() => floors.cpuSeconds()],
          target: await row.floor(floors, ours.service),
          requests: row.requests * 2,
        },
        ...[ours, theirs].flatMap((subject, i) =>
          subject === undefined
            ? []
            : {
                into: i === 0 ? [lowest.service, lowest.solr] : [lowest.other],
                processes: [
                  () => subject.service.cpuSeconds(),
                  ...(i === 0 ? [() => subject.service.solrCpuSeconds()] : []),
                ],
                target: row.ours(subject),
                requests: row.requests,
              },
        ),
      ];
      for (const { into, processes, target, requests } of turns) {
        const costs = await costsOf(processes, target, requests);
        if (round === 0) continue;
        for (const [i, map] of into.entries()) {
          const cost = (costs[i] ?? Number.NaN) / (row.items ?? 1);
          map.set(row.name, Math.min(cost, map.get(row.name) ?? Number.POSITIVE_INFINITY));
        }
      }
    }
  }
  const rows = writeTable(measured, lowest);
  if (json !== undefined) {
    await mkdir(dirname(json), { recursive: true });
    await writeFile(json, JSON.stringify(rows));
  }
} finally {
  await Promise.all(ends.map((end) => end()));
  await rm(folder, { recursive: true, force: true });
}
