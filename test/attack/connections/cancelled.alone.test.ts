/** Thousands of requests that are cancelled at any moment: nothing of them is left, here or in Solr. */
import { readdirSync, readlinkSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { datasetId } from "../../../src/files/zarr/address.js";
import { authorization, solrUrl } from "../../../src/index/transport/endpoint.js";
import { attempts, chance, patience, SEED, tried } from "../../support/run/trials.js";
import { use } from "../../support/run/use.js";
import { SAMPLE_FILE } from "../../support/service/sample.js";
import { testEndpoint } from "../../support/service/service.js";
import { usePerson, useService } from "../../support/service/use-service.js";
import { handles, type Pings, startCrowd } from "./crowd.js";

const REQUESTS = attempts(600, 10_000);
const LINES = 5000;
const STORE = `/data-portal/zarr/${datasetId(SAMPLE_FILE)}.zarr`;
const PATHS = [
  ...["data-search", "metadata-search", "intake-catalogue", "stac-catalogue"].map(
    (what) => `/databrowser/${what}/native/file`,
  ),
  "/databrowser/load/native",
  "/databrowser/data-search/native/file?start=3000",
  "/databrowser/metadata-search/native/file?file=*1*2*&file=*3*x*&variable=v*",
  `${STORE}/.zmetadata`,
  `${STORE}/tas/0.0.0`,
  `${STORE}/time/0`,
  STORE,
  "/ready",
];

const many = Array.from({ length: LINES }, (_, index) => ({
  file: `/many/${index}/${"x".repeat(200)}.nc`,
  variable: [`v${index % 50}`],
}));
const service = useService({
  load: { searches: 4, exports: 4, heavy: 2, waiting: 256, maxWaitMs: 20_000 },
  documents: [...many, { file: SAMPLE_FILE, variable: ["tas"] }],
});
const user = usePerson(service);
const crowd = use(
  async () => startCrowd(service.address),
  (one) => one.end(),
);

/** Open files of this process that are neither sockets nor pipes, such as data and folders. */
const openFiles = (): string[] =>
  readdirSync("/proc/self/fd").flatMap((fd) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${fd}`);
      return path.startsWith("/") && !path.startsWith("/proc/") ? path : [];
    } catch {
      return [];
    }
  });

/** Requests that Solr works on, this question among them. */
async function solrRequests(): Promise<number> {
  const endpoint = testEndpoint();
  const url = solrUrl(endpoint, "admin/info/threads");
  url.search = "?wt=json";
  const answer = await fetch(url, { headers: authorization(endpoint) });
  const text = await answer.text();
  // Of each thread its frames: one of these for each request.
  return [...text.matchAll(/HttpSolrCall\.call\(/g)].length;
}

it(
  "cancelled requests leave no socket, no handle, no open file and no request of Solr",
  async () => {
    // Once each, so that what is kept for whoever comes next is there.
    for (const path of PATHS) {
      await (
        await service.get(path, { headers: { Authorization: `Bearer ${user.token}` } })
      ).text();
    }
    await sleep(500);
    const before = { handles: handles(), files: openFiles() };
    expect(await solrRequests()).toBe(1);
    const idle = await crowd.pingFor(1000);
    const random = chance(SEED);
    const requests = Array.from({ length: REQUESTS }, () => ({
      path: PATHS[Math.floor(random() * PATHS.length)],
      after: random() * random() * 300,
    }));
    const headers = { Authorization: `Bearer ${user.token}` };
    const heard = await crowd.tell<Pings>("cancelled", { requests, atOnce: 40, headers });
    const since = performance.now();
    await expect.poll(solrRequests, { timeout: 15_000, interval: 50 }).toBe(1);
    const solrMs = performance.now() - since;
    const { TCPSocketWrap: sockets = 0, FSReqCallback: _, ...others } = before.handles;
    // Connections to Solr are kept for a while, for as many as are asked for at once.
    await expect
      .poll(() => handles().TCPSocketWrap ?? 0, { timeout: 15_000 })
      .toBeLessThanOrEqual(sockets + 16);
    for (const [kind, count] of Object.entries(others)) {
      if (kind === "Timeout" || kind === "Immediate") continue;
      expect(handles()[kind] ?? 0, kind).toBeLessThanOrEqual(count + 4);
    }
    expect(openFiles().length).toBeLessThanOrEqual(before.files.length + 2);
    tried(REQUESTS);
    console.log(
      `${REQUESTS} cancelled requests: Solr is done ${solrMs.toFixed(0)} ms after the last; sockets ${sockets} before, ` +
        `${handles().TCPSocketWrap ?? 0} after; ping p99 ${heard.p99.toFixed(0)} ms of ${heard.pings}, ${idle.p99.toFixed(0)} ms before`,
    );
    // Everybody's place is free again.
    const stays = await service.get("/databrowser/data-search/native/file");
    expect((await stays.text()).split("\n")).toHaveLength(LINES + 2);
    const lines = service.log.map((line) => JSON.parse(line));
    expect(lines.filter(({ status }) => status === 499).length).toBeGreaterThan(0);
    expect(lines.filter(({ level, status = 0 }) => level >= 50 || status === 500)).toEqual([]);
  },
  patience(60_000, 900_000),
);
