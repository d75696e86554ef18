/** An answer that breaks off looks broken to every client: in HTTP/1.0 its end is the connection's end. */
import { mkdir, truncate, writeFile } from "node:fs/promises";
import { get, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { PREFIX } from "../../../generated/prefix.js";
import { datasetId } from "../../../src/files/zarr/address.js";
import { packagePath } from "../../../src/platform/package-root.js";
import { dial, hear } from "../../support/network/plain-http.js";
import { findNginx, startNginx } from "../../support/programs/nginx.js";
import { runPython } from "../../support/programs/python.js";
import { freshFolder } from "../../support/run/folders.js";
import { attempts, patience, tried } from "../../support/run/trials.js";
import { emptyIndex, load, startService, type TestService } from "../../support/service/service.js";
import { addUser, bearer, signIn } from "../../support/service/sign-in.js";
import { useService } from "../../support/service/use-service.js";
import { cut, useWire } from "../../support/solr/wire.js";

const LIST = `${PREFIX}/databrowser/data-search/cmip6/file`;
const LINES = 8000;
const CHUNK = 64 << 20;
/** Milliseconds after which a client has begun to read a chunk, and, as it is slow, not ended. */
const UNDER_WAY = 2000;
const nginx = findNginx();

const folder = freshFolder();
const whole = useService({ dataRoots: [folder] });
const proxy = useWire((body) => cut(body, 700_000, false));
let user: string;
let array: string;

beforeAll(async () => {
  await emptyIndex(whole.solr);
  const store = join(folder, "store.zarr");
  await mkdir(store);
  await writeFile(join(store, ".zgroup"), '{"zarr_format":2}');
  await writeFile(join(store, ".zattrs"), "{}");
  const metadata = {
    zarr_format: 2,
    shape: [2 * CHUNK],
    chunks: [CHUNK],
    dtype: "|u1",
    order: "C",
    compressor: null,
    filters: null,
    fill_value: 0,
  };
  array = join(store, "a");
  await mkdir(array);
  await writeFile(join(array, ".zarray"), JSON.stringify(metadata));
  for (const index of [0, 1]) {
    await writeFile(join(array, `${index}`), "");
    await truncate(join(array, `${index}`), CHUNK);
  }
  const files = Array.from({ length: LINES }, (_, index) => ({
    file: `/pool/${"long-name/".repeat(12)}${index}.nc`,
    project: ["cmip6"],
  }));
  await load(whole.solr, [...files, { file: store }]);
  user = (await addUser(whole.dataDir)).name;
});
const broken = useService(() => ({ endpoint: { urls: [proxy.url] } }));

interface Read {
  readonly bytes: Buffer;
  readonly failed: boolean;
}

/** What a client of HTTP/1.1 gets. */
function read(address: string, headers: Record<string, string> = {}): Promise<Read> {
  return new Promise((resolve) => {
    const pieces: Buffer[] = [];
    const end = (failed: boolean) => resolve({ bytes: Buffer.concat(pieces), failed });
    get(address, { agent: false, headers }, (response: IncomingMessage) => {
      response.on("data", (piece: Buffer) => pieces.push(piece));
      response.on("close", () => end(!response.complete || response.statusCode !== 200));
    }).on("error", () => end(true));
  });
}

interface ReadOld {
  readonly length: number;
  readonly lines: number;
  readonly end: "orderly" | "reset";
}

/** What a client of HTTP/1.0 gets, with a rest of some seconds after each piece. */
async function readOld(
  { address }: TestService,
  path: string,
  { headers = [], rest = 0, turns = 1 }: { headers?: string[]; rest?: number; turns?: number } = {},
): Promise<ReadOld[]> {
  const script = packagePath("test", "python", "old_http.py");
  const start = [script, new URL(address).port, `${turns}`, `${rest}`, `GET ${path} HTTP/1.0`];
  const printed = await runPython([...start, ...headers], "python3");
  return printed
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as ReadOld);
}

const linesOf = (bytes: Buffer): number => bytes.toString("latin1").split(".nc\n").length - 1;

describe("a list that breaks off", () => {
  it("is complete if nothing fails, in every version of HTTP", async () => {
    expect(await readOld(whole, LIST)).toMatchObject([{ lines: LINES, end: "orderly" }]);
    const { bytes, failed } = await read(whole.address + LIST);
    expect([linesOf(bytes), failed]).toEqual([LINES, false]);
  });

  it.each([
    ["HTTP/1.0", [], 0],
    ["HTTP/1.0 that would keep its connection", ["Connection: keep-alive"], 0],
    ["HTTP/1.0 with compression", ["Accept-Encoding: gzip"], 0],
    ["HTTP/1.0 that is slow", [], 0.02],
  ])(
    "resets the connection for %s",
    async (_, headers, rest) => {
      const all = await readOld(broken, LIST, { headers, rest, turns: attempts(4, 200) });
      for (const { end, lines } of all) {
        expect(end).toBe("reset");
        expect(lines).toBeLessThan(LINES);
      }
    },
    patience(20_000),
  );

  it("sends no last chunk to a client of HTTP/1.1 that closes, and no error in the body", async () => {
    const socket = await dial(broken.address);
    socket.write(`GET ${LIST} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    const bytes = await hear(socket);
    expect(linesOf(bytes)).toBeGreaterThan(0);
    expect(bytes.toString("latin1")).not.toMatch(/error|\r\n0\r\n/i);
  });

  it("logs one line without a stack", async () => {
    await read(broken.address + LIST);
    const told = () => broken.log.filter((line) => line.includes("transfer broken off"));
    await expect.poll(told).not.toEqual([]);
    for (const line of told()) {
      expect(JSON.parse(line)).toMatchObject({ kind: "search-unavailable", level: 40 });
      expect(line).not.toMatch(/"stack"|at async/);
    }
  });
});

describe("a chunk that breaks off", () => {
  const path = (index: number) =>
    `${PREFIX}/data-portal/zarr/${datasetId(join(folder, "store.zarr"))}.zarr/a/${index}`;
  /** Signed in, with the store looked at already, so that a chunk comes at once. */
  const headers = async (service: TestService): Promise<string[]> => {
    const { access_token: token } = await signIn(service, user);
    await service.get(path(0).slice(PREFIX.length), { method: "HEAD", ...bearer(token) });
    return [`Authorization: Bearer ${token}`];
  };

  it("resets the connection for HTTP/1.0", async () => {
    const slow = readOld(whole, path(0), { headers: await headers(whole), rest: 0.005 });
    await sleep(UNDER_WAY);
    await truncate(join(array, "0"), 1000);
    expect(await slow).toMatchObject([{ end: "reset" }]);
  });

  it("breaks the transfer if the service is stopped in the middle", async () => {
    const service = await startService({ dataRoots: [folder], dataDir: whole.dataDir });
    const slow = readOld(service, path(1), { headers: await headers(service), rest: 0.005 });
    await sleep(UNDER_WAY);
    await service.close();
    const [{ length, end } = { length: 0, end: "" }] = await slow;
    expect(end).toBe("reset");
    expect(length).toBeGreaterThan(0);
    expect(length).toBeLessThan(CHUNK);
  });
});

describe.skipIf(nginx === undefined)("a list that breaks off behind nginx", () => {
  it.each([
    ["with its defaults", ""],
    ["in HTTP/1.0", "proxy_http_version 1.0;"],
    ["in HTTP/1.1", "proxy_http_version 1.1; proxy_set_header Connection '';"],
    ["without buffers", "proxy_buffering off;"],
    ["with compression of its own", "gzip on; gzip_types text/plain; gzip_proxied any;"],
    ["with small buffers on disk", "proxy_buffers 4 4k; proxy_busy_buffers_size 8k;"],
  ])(
    "%s reports an error",
    async (_, location) => {
      const program = nginx ?? "";
      const [before, after] = await Promise.all([
        startNginx(program, whole.address, location),
        startNginx(program, broken.address, location),
      ]);
      try {
        const headers = { "accept-encoding": location.includes("gzip") ? "gzip" : "identity" };
        const good = await read(before.address + LIST, headers);
        const text = location.includes("gzip") ? gunzipSync(good.bytes) : good.bytes;
        expect([linesOf(text), good.failed]).toEqual([LINES, false]);
        tried(attempts(4, 200));
        for (let turn = 0; turn < attempts(4, 200); turn += 1) {
          const { bytes, failed } = await read(after.address + LIST, headers);
          expect(failed, `${bytes.length} bytes`).toBe(true);
        }
      } finally {
        await Promise.all([before.stop(), after.stop()]);
      }
    },
    patience(20_000),
  );
});
