/** Clients that leave before they have their answer: no error of the service, whatever it was doing for them. */
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { PREFIX } from "../../../generated/prefix.js";
import { datasetId } from "../../../src/files/zarr/address.js";
import { SolrUnavailable } from "../../../src/index/errors.js";
import { dial } from "../../support/network/plain-http.js";
import { attempts, chance, SEED, tried } from "../../support/run/trials.js";
import { calls } from "../../support/service/operations.js";
import { SAMPLE_FILE } from "../../support/service/sample.js";
import { usePerson, useService } from "../../support/service/use-service.js";
import { useWire } from "../../support/solr/wire.js";
import { readExposition } from "../monitoring/metrics/exposition.js";

const CLIENTS = attempts(200, 4000);
/** Milliseconds that each piece takes from Solr, so that there is something to leave from. */
const DISTANCE = 20;

const wire = useWire(async function* (body) {
  for await (const piece of body) {
    await sleep(DISTANCE);
    yield piece;
  }
});
const many = Array.from({ length: 5000 }, (_, index) => ({
  file: `/many/${index}/${"x".repeat(200)}.nc`,
  variable: [`v${index % 50}`],
}));
const service = useService(() => ({
  endpoint: { urls: [wire.url] },
  load: { searches: 3, exports: 2, heavy: 2, waiting: 256, maxWaitMs: 20_000 },
  documents: [...many, { file: SAMPLE_FILE, uri: `file://${SAMPLE_FILE}`, variable: ["tas"] }],
}));
const limited = useService(() => ({
  endpoint: { urls: [wire.url] },
  limits: { streams: 2 },
}));
const user = usePerson(service);

/** Asks, and leaves after so many milliseconds. */
async function askAndLeave(path: string, after: number, encoding: string): Promise<void> {
  const { hostname, port } = new URL(service.address);
  const socket = connect(Number(port), hostname).on("error", () => {});
  const headers = [
    `GET ${path} HTTP/1.1`,
    "Host: x",
    `Accept-Encoding: ${encoding}`,
    `Authorization: Bearer ${user.token}`,
  ];
  socket.write(`${headers.join("\r\n")}\r\n\r\n`);
  socket.resume();
  await sleep(after);
  socket.destroy();
}

describe("clients that leave at any moment", () => {
  it("leave neither an error nor a 5xx in the log, and free their permits", async () => {
    tried(CLIENTS);
    const random = chance(SEED);
    const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
    const store = `${datasetId(SAMPLE_FILE)}.zarr`;
    const paths = ["tas/0.0.0", "time/0", ".zmetadata"].flatMap((key) =>
      calls({ store, id: datasetId(SAMPLE_FILE), key })
        .filter(({ method }) => method === "GET")
        .map(({ address }) => address),
    );
    const from = service.log.length;
    for (let left = CLIENTS; left > 0; left -= 20) {
      await Promise.all(
        Array.from({ length: 20 }, () => {
          // Each at a moment of its own, so that none has always come as far as another.
          const after = random() * random() * 400;
          const path = pick(paths).concat(random() < 0.3 ? `&x${random()}` : "");
          return askAndLeave(path, after, pick(["gzip", "identity"]));
        }),
      );
    }
    // Everybody's place is free again: whoever stays is served at once.
    const stays = await service.get("/databrowser/data-search/native/file");
    expect(stays.status, `SEED=${SEED}`).toBe(200);
    expect((await stays.text()).split("\n"), `SEED=${SEED}`).toHaveLength(5002);
    const lines = service.log.slice(from).map((line) => JSON.parse(line));
    const wrong = lines.filter(({ level, status = 0 }) => level >= 40 || status >= 500);
    expect(wrong, `SEED=${SEED}`).toEqual([]);
    expect(lines.filter(({ status }) => status === 499).length).toBeGreaterThan(0);
  });
});

describe("answers that wait behind another on their connection", () => {
  it("end when their client leaves: their permits are free, each has its line, and none counts as active", async () => {
    const list = "/databrowser/data-search/native/file";
    const searches = vi.spyOn(limited.solr, "countFacets").mockReturnValue(new Promise(() => {}));
    const socket = await dial(limited.address);
    const paths = ["/databrowser/metadata-search/native/file", list, list];
    socket.write(
      paths
        .map(
          (path, n) => `GET ${PREFIX}${path} HTTP/1.1\r\nHost: x\r\nX-Request-Id: row-${n}\r\n\r\n`,
        )
        .join(""),
    );
    await expect.poll(() => limited.solr.usage.admission.lists.taken).toBe(2);
    await expect.poll(() => searches).toHaveBeenCalled();
    socket.destroy();
    const lines = () =>
      limited.log
        .map((line) => JSON.parse(line))
        .filter(({ msg, id }) => msg === "request" && String(id).startsWith("row-"))
        .map(({ id, bytes }) => `${id}: ${bytes}`)
        .sort();
    await expect.poll(lines).toEqual(["row-0: 0", "row-1: 0", "row-2: 0"]);
    searches.mockRestore();
    const metrics = await (await fetch(`${limited.address}/metrics`)).text();
    expect(readExposition(metrics).values.get("http_server_active_requests")).toBe(1);
    await expect.poll(() => limited.solr.usage.admission.lists.taken).toBe(0);
    const stays = await limited.get(list);
    expect([stays.status, stays.headers.get("RateLimit")]).toEqual([200, null]);
    expect((await stays.text()).split("\n")).toHaveLength(5002);
  });
});

describe("a list whose other requests to Solr fail", () => {
  it.each(["file", "uri"])("frees its permit: a catalogue of intake by %s", async (key) => {
    const failing = vi
      .spyOn(service.solr, "aggregateFacets")
      .mockRejectedValue(new SolrUnavailable("as in this test"));
    const response = await service.get(`/databrowser/intake-catalogue/native/${key}`);
    failing.mockRestore();
    expect(response.status).toBe(503);
    await expect.poll(() => service.solr.usage.admission.lists.taken).toBe(0);
  });
});
