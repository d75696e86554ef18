/** Connections: bounded in number and in patience, and whoever says nothing keeps nobody out. */
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { PREFIX } from "../../../generated/prefix.js";
import type { Problem } from "../../../generated/schemas.js";
import { dial, hear, parse, tell } from "../../support/network/plain-http.js";
import { attempts, patience, tried } from "../../support/run/trials.js";
import { fillIndex, startService, type TestService } from "../../support/service/service.js";

const PING = `GET ${PREFIX}/ping HTTP/1.1\r\nHost: x\r\n`;
const CLOSED = `${PING}Connection: close\r\n\r\n`;
const LIST = `${PREFIX}/databrowser/data-search/cmip6/file`;

let service: TestService | undefined;
const open: Socket[] = [];

beforeAll(async () => {
  const first = await startService();
  await fillIndex(first.solr, lines());
  await first.close();
});
afterEach(async () => {
  for (const socket of open.splice(0)) socket.destroy();
  await service?.close();
  service = undefined;
});

/** Opens connections, and says something on each. */
async function dialAll(address: string, count: number, message: string): Promise<Socket[]> {
  const sockets: Socket[] = [];
  while (sockets.length < count) {
    const some = Array.from({ length: Math.min(100, count - sockets.length) }, () => dial(address));
    for (const socket of await Promise.all(some)) {
      socket.on("error", () => {}).resume();
      if (message !== "") socket.write(message);
      sockets.push(socket);
    }
  }
  open.push(...sockets);
  return sockets;
}

const closed = (sockets: readonly Socket[]): number =>
  sockets.filter((socket) => socket.destroyed || socket.readableEnded).length;

/** What those say who keep a connection and want nothing. */
const SILENT = {
  "nothing at all": "",
  "the beginning of a request": "GET / HTTP/1.1\r\nHost: x\r\nA: ",
  "the beginning of a body":
    `POST ${PREFIX}/auth/v2/token HTTP/1.1\r\nHost: x\r\nContent-Length: 90\r\n` +
    "Content-Type: application/x-www-form-urlencoded\r\n\r\nu",
  "one request": `${PING}\r\n`,
};

describe("connections that send nothing", () => {
  it(
    "are closed and keep nobody out, however many they are",
    async () => {
      const limits = { max: 200, headersMs: 2000, requestMs: 3000, idleMs: 2000 };
      service = await startService({ connections: limits });
      const { address } = service;
      const silent: Socket[] = [];
      for (const message of Object.values(SILENT)) {
        silent.push(...(await dialAll(address, attempts(150, 1250), message)));
        for (let turn = 0; turn < 10; turn += 1) {
          const bytes = await tell(address, CLOSED);
          expect(parse(bytes).status).toBe(200);
        }
        await expect.poll(() => silent.length - closed(silent)).toBeLessThanOrEqual(limits.max);
      }
      tried(silent.length);
      await expect.poll(() => closed(silent), { timeout: 30_000 }).toBe(silent.length);
    },
    patience(40_000),
  );

  it("are not confused with those that wait for an answer", async () => {
    service = await startService({ connections: { max: 4, unreadMs: 60_000 } });
    const waiting = await dialAll(service.address, 4, "");
    for (const socket of waiting) {
      socket.pause();
      socket.write(`GET ${LIST} HTTP/1.1\r\nHost: x\r\n\r\n`);
    }
    await sleep(1000);
    // There is no room, and none is made: who is being answered stays.
    const bytes = await tell(service.address, CLOSED);
    const { status, headers, body } = parse(bytes);
    expect([status, headers.get("connection")]).toEqual([503, "close"]);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    expect((JSON.parse(body) as Problem).type).toBe("urn:climate-nextgen:problem:service-busy");
    expect(closed(waiting)).toBe(0);
    for (const socket of waiting) socket.destroy();
    await expect
      .poll(async () => parse(await tell(service?.address ?? "", CLOSED)).status)
      .toBe(200);
  });
});

describe("a client that does not read", () => {
  it("is disconnected after a while, and the work for it ends", async () => {
    service = await startService({ connections: { unreadMs: 1000 } });
    const socket = await dial(service.address);
    open.push(socket);
    socket.pause();
    socket.write(`GET ${LIST} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(10));
    await expect
      .poll(() => service?.log.join(""), { timeout: 30_000 })
      .toContain("a client does not read its answer");
    const bytes = await hear(socket.resume());
    expect(bytes.length).toBeLessThan(LINES * 1100 * 10);
    for (const line of service.log) expect(JSON.parse(line).level, line).toBeLessThan(40);
  });

  it("stays connected if it pauses for a moment or reads slowly", async () => {
    service = await startService({ connections: { unreadMs: 1500 } });
    const socket = await dial(service.address);
    socket.write(`GET ${LIST} HTTP/1.0\r\n\r\n`);
    const bytes = await hear(socket, 30);
    expect(bytes.toString("latin1").split(".nc\n")).toHaveLength(LINES + 1);
  });
});

const LINES = 6000;

/** More than the buffers of a connection that nobody reads take. */
const lines = () =>
  Array.from({ length: LINES }, (_, index) => ({
    file: `/pool/${"long-name/".repeat(120)}${index}.nc`,
    project: ["cmip6"],
  }));
