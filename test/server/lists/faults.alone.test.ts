/** What happens when Solr, or the client, fails. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer as createTcpServer } from "node:net";
import { beforeAll, describe, expect, it } from "vitest";
import { PREFIX } from "../../../generated/prefix.js";
import type { Problem } from "../../../generated/schemas.js";
import { tried } from "../../support/run/trials.js";
import { emptyIndex, load, startService, testEndpoint } from "../../support/service/service.js";
import { useService } from "../../support/service/use-service.js";
import { between, cut } from "../../support/solr/wire.js";

const SEARCH = "/databrowser/data-search/native/file";
const METADATA = "/databrowser/metadata-search/native/file";
const MANY = 30_000;

const service = useService();
beforeAll(async () => {
  await emptyIndex(service.solr);
  const documents = Array.from({ length: MANY }, (_, index) => ({
    file: `/many/${String(index).padStart(6, "0")}/${"x".repeat(120)}.nc`,
  }));
  await load(service.solr, documents);
});

async function unavailable(response: Response): Promise<Problem> {
  const text = await response.text();
  expect(response.status, text).toBe(503);
  expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(response.headers.get("content-type")).toBe("application/problem+json");
  expect(text).not.toMatch(/127\.0\.0\.1|ECONN|stack|\.ts|fetch failed/);
  return JSON.parse(text) as Problem;
}

describe("a Solr that cannot be reached", () => {
  it("is 503 with Retry-After within a second, and ping answers", async () => {
    const dead = await startService({ endpoint: { urls: [new URL("http://127.0.0.1:9/solr")] } });
    const catalogues = ["intake-catalogue", "stac-catalogue"].map(
      (operation) => `/databrowser/${operation}/native/file`,
    );
    for (const path of [SEARCH, METADATA, "/ready", `${SEARCH}?start=3`, ...catalogues]) {
      const begin = performance.now();
      await unavailable(await dead.get(path));
      expect(performance.now() - begin).toBeLessThan(1000);
    }
    expect((await dead.get("/ping")).status).toBe(200);
    expect((await dead.get("/databrowser/overview")).status).toBe(200);
    await dead.close();
  });

  it("is 503 by the deadline if it accepts but never answers", async () => {
    const silent = createTcpServer(() => {}).listen(0, "127.0.0.1");
    await once(silent, "listening");
    const url = new URL(`http://127.0.0.1:${(silent.address() as AddressInfo).port}/solr`);
    const waiting = await startService({ endpoint: { urls: [url] }, timeoutMs: 300 });
    for (const path of [SEARCH, METADATA, "/ready"]) {
      const begin = performance.now();
      const problem = await unavailable(await waiting.get(path));
      expect(problem.type).toMatch(/search-timeout/);
      expect(performance.now() - begin).toBeLessThan(2000);
    }
    await waiting.close();
    silent.close();
  });

  it("is 503 and reveals nothing with a wrong password, or without the collection", async () => {
    const [url] = testEndpoint().urls;
    const wrong = await startService({
      endpoint: { urls: [url], user: "solr", password: "S3cretGuess" },
    });
    await unavailable(await wrong.get(SEARCH));
    expect(wrong.log.join("")).not.toContain("S3cretGuess");
    await wrong.close();
  });

  it("is used again as soon as it is back", async () => {
    const proxy = await between((body) => body);
    const port = Number(proxy.url.port);
    const through = await startService({ endpoint: { urls: [proxy.url] } });
    expect((await through.get("/ready")).status).toBe(200);
    proxy.close();
    await new Promise((resolve) => proxy.server.close(resolve));
    await unavailable(await through.get("/ready"));
    proxy.server.listen(port, "127.0.0.1");
    await once(proxy.server, "listening");
    expect((await through.get("/ready")).status).toBe(200);
    expect((await through.get(METADATA)).status).toBe(200);
    await through.close();
    proxy.close();
  });
});

describe("a Solr stream that breaks off", () => {
  it("is 503, not an empty list, if it breaks off before the first result", async () => {
    for (const after of [0, 10, 100]) {
      const proxy = await between((body) => cut(body, after, true));
      const damaged = await startService({ endpoint: { urls: [proxy.url] } });
      await unavailable(await damaged.get(SEARCH));
      await unavailable(await damaged.get(METADATA));
      await damaged.close();
      proxy.close();
    }
  });

  it("breaks the transfer if it lacks a document in the middle", async () => {
    async function* omit(body: AsyncIterable<Buffer>) {
      let text = "";
      for await (const piece of body) text += piece.toString();
      yield Buffer.from(text.replace(/\},\{\s*"file":"\/many\/015000[^"]*"\s*(?=\})/, ""));
    }
    const proxy = await between(omit);
    const damaged = await startService({ endpoint: { urls: [proxy.url] } });
    const response = await damaged.get(SEARCH);
    await expect(response.text()).rejects.toThrow();
    await damaged.close();
    proxy.close();
  });
});

describe("a client", () => {
  it("gets exactly the rest for any start", async () => {
    const all = (await (await service.get(SEARCH)).text()).split("\n").slice(0, -1);
    for (const start of [0, 1, 149, 150, 151, 999, 29_999, 30_000, 40_000, 1_000_000]) {
      tried(1);
      const response = await service.get(`${SEARCH}?start=${start}`);
      expect((await response.text()).split("\n").slice(0, -1)).toEqual(all.slice(start));
    }
  });

  it.each(["identity", "gzip"])(
    "ends Solr's work within a second when it leaves (%s)",
    async (encoding) => {
      let open = 0;
      const proxy = await between(async function* (body) {
        open += 1;
        try {
          for await (const piece of body) {
            yield piece;
            await new Promise((resolve) => setTimeout(resolve, 50));
          }
        } finally {
          open -= 1;
        }
      });
      const through = await startService({ endpoint: { urls: [proxy.url] } });
      const { hostname, port } = new URL(through.address);
      const socket = connect(Number(port), hostname);
      socket.write(
        `GET ${PREFIX}${SEARCH} HTTP/1.1\r\nHost: x\r\nAccept-Encoding: ${encoding}\r\n\r\n`,
      );
      await once(socket, "data");
      expect(open).toBe(1);
      socket.destroy();
      await expect.poll(() => open, { timeout: 1000 }).toBe(0);
      await through.close();
      proxy.close();
    },
  );
});
