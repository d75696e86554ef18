/** What many requests cost Solr, and each other: what runs at once is bounded, and callers have turns. */
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PREFIX } from "../../../generated/prefix.js";
import type { SolrLoad } from "../../../src/index/solr.js";
import { attempts, patience } from "../../support/run/trials.js";
import {
  fillIndex,
  startService,
  type TestDocument,
  type TestService,
} from "../../support/service/service.js";
import { useWire } from "../../support/solr/wire.js";

const COUNT = attempts(12_000, 400_000);
/** Long enough that a list fills what the connections on the way hold. */
const name = (index: number): string =>
  `/load/${"x".repeat(300)}/${String(index).padStart(6, "0")}.nc`;
const DOCUMENTS: TestDocument[] = Array.from({ length: COUNT }, (_, index) => ({
  file: name(index),
  project: [`p${index % 10}`],
}));
const ALL = DOCUMENTS.map(({ file }) => `${file}\n`)
  .reverse()
  .join("");

/** Who waits, waits for others' lists to end: the longer they are, the longer. */
const LOAD: SolrLoad = {
  searches: 4,
  exports: 4,
  heavy: 2,
  waiting: 400,
  maxWaitMs: attempts(2000, 30_000),
  pace: { pause: 300, slice: 1500 },
};
const LIST = "/databrowser/data-search/native/file";
const COUNTS = "/databrowser/metadata-search/native/file";

let service: TestService;
const proxy = useWire((body) => body);
/** Requests that Solr works on, by handler, and the most that there were. */
const now = { export: 0, select: 0 };
const most = { export: 0, select: 0 };

beforeAll(
  async () => {
    proxy.server.on("request", (incoming, outgoing) => {
      const handler = /\/(export|select)\b/.exec(incoming.url ?? "")?.[1] as "export" | undefined;
      if (handler === undefined) return;
      now[handler] += 1;
      most[handler] = Math.max(most[handler], now[handler]);
      outgoing.on("close", () => {
        now[handler] -= 1;
      });
    });
    service = await startService({
      endpoint: { urls: [proxy.url] },
      load: LOAD,
      trustProxy: 1,
      timeoutMs: 20_000,
    });
    await fillIndex(service.solr, DOCUMENTS);
  },
  patience(60_000, 300_000),
);
afterAll(() => service.close());

const from = (address: string): RequestInit => ({ headers: { "X-Forwarded-For": address } });
const [ADA, BOB] = [from("192.0.2.1"), from("192.0.2.2")];

/** The status of a list; a 200 must be whole, a 503 must say when to come again. */
async function list(caller: RequestInit): Promise<number> {
  const response = await service.get(LIST, caller);
  const text = await response.text();
  if (response.status === 200) expect(text === ALL).toBe(true);
  else {
    expect(response.status, text).toBe(503);
    expect(Number(response.headers.get("Retry-After"))).toBeGreaterThan(0);
  }
  return response.status;
}

describe("lists", () => {
  it(
    "are complete or 503 if many are requested at once, and few are open in Solr",
    async () => {
      const all = await Promise.all(Array.from({ length: attempts(40, 100) }, () => list(ADA)));
      expect(all).toContain(200);
      expect(most.export).toBeLessThanOrEqual(LOAD.exports);
      expect(await list(BOB)).toBe(200);
    },
    patience(60_000, 300_000),
  );

  it(
    "keep no permit for slow readers, and are complete when they read on",
    async () => {
      const slow = await Promise.all(Array.from({ length: attempts(25, 45) }, () => silent()));
      await sleep(1000);
      const begun = Date.now();
      expect(await list(BOB)).toBe(200);
      expect(Date.now() - begun).toBeLessThan(LOAD.maxWaitMs);
      expect(most.export).toBeLessThanOrEqual(LOAD.exports);
      const few = slow.splice(0, 3);
      for (const { socket } of slow) socket.destroy();
      for (const { body } of few) expect((await body()) === ALL).toBe(true);
    },
    patience(90_000, 300_000),
  );

  it(
    "alternate between callers",
    async () => {
      const mine = Array.from({ length: attempts(30, 60) }, () => list(ADA));
      await sleep(300);
      const order: string[] = [];
      void mine.at(-1)?.then(() => order.push("ada"));
      await list(BOB).then((status) => order.push(`bob ${status}`));
      await Promise.all(mine);
      expect(order[0]).toBe("bob 200");
    },
    patience(60_000, 300_000),
  );
});

describe("searches", () => {
  /** No two alike, so that Solr knows none of them; some milliseconds each. */
  let other = 0;
  const costly = (): string => {
    other += 1;
    const patterns = Array.from({ length: 20 }, (_, i) => `file=*x*x*${i}*${other}*`);
    return `${COUNTS}?${patterns.join("&")}`;
  };

  it(
    "do not pile up in Solr when they are abandoned",
    async () => {
      most.select = 0;
      const count = attempts(150, 3000);
      await Promise.all(
        Array.from({ length: count }, async (_, i) => {
          const cancel = new AbortController();
          setTimeout(() => cancel.abort(), 100 + 3 * (i % 300));
          const asking = service
            .get(costly(), { ...ADA, signal: cancel.signal })
            .then((response) => response.text())
            .catch(() => {});
          // Whoever has given up does not wait, be their own fetch settled by that or not.
          await Promise.race([asking, sleep(3000)]);
        }),
      );
      expect(most.select).toBeGreaterThan(0);
      expect(most.select).toBeLessThanOrEqual(LOAD.searches);
      for (let tries = 0; now.select > 0 && tries < 100; tries++) await sleep(100);
      expect(now.select).toBe(0);
    },
    patience(60_000, 300_000),
  );

  it(
    "keep another caller waiting for one search only",
    async () => {
      const ada = Array.from({ length: attempts(50, 100) }, async () => {
        const response = await service.get(costly(), ADA);
        await response.text();
        return response.status;
      });
      await sleep(200);
      const times: number[] = [];
      for (let i = 0; i < 5; i++) {
        const begun = Date.now();
        const response = await service.get(`${COUNTS}?project=p${i}`, BOB);
        await response.text();
        expect(response.status).toBe(200);
        times.push(Date.now() - begun);
      }
      for (const status of await Promise.all(ada)) expect([200, 503]).toContain(status);
      expect(times.sort((a, b) => a - b)[2]).toBeLessThan(1500);
    },
    patience(60_000, 300_000),
  );
});

/** Asks for the list and does not read it, until it is asked for the body. */
async function silent(): Promise<{ socket: Socket; body: () => Promise<string> }> {
  const { hostname, port } = new URL(service.address);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on("error", () => {});
  socket.pause();
  socket.write(
    `GET ${PREFIX}${LIST} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 192.0.2.9\r\nConnection: close\r\n\r\n`,
  );
  const body = async (): Promise<string> => {
    const pieces: Buffer[] = [];
    for await (const piece of socket) pieces.push(piece as Buffer);
    return unchunked(Buffer.concat(pieces).toString());
  };
  return { socket, body };
}

/** The body of an answer in chunks (RFC 9112, 7.1). */
function unchunked(answer: string): string {
  let at = answer.indexOf("\r\n\r\n") + 4;
  let body = "";
  for (;;) {
    const line = answer.indexOf("\r\n", at);
    const length = Number.parseInt(answer.slice(at, line), 16);
    if (!(length > 0)) return body;
    body += answer.slice(line + 2, line + 2 + length);
    at = line + 2 + length + 2;
  }
}
