/** What one caller may have, through the whole service: slowed down first, refused long after. */
import { randomBytes } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { get, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { PREFIX } from "../../../generated/prefix.js";
import type { Problem, SharedZarr } from "../../../generated/schemas.js";
import { datasetId } from "../../../src/files/zarr/address.js";
import type { LimitSettings } from "../../../src/server/limits/settings.js";
import { python } from "../../support/programs/python.js";
import { freshFolder } from "../../support/run/folders.js";
import { fillIndex, startService, type TestService } from "../../support/service/service.js";
import { addUser, signIn } from "../../support/service/sign-in.js";

const CHUNK = 1 << 17;
const CHUNKS = 6;
/** One chunk more than the buffers of a connection that nobody reads take. */
const LONG = 24 << 20;

const folder = freshFolder();
let store: string;
const tokens: string[] = [];
let service: TestService | undefined;
const open: IncomingMessage[] = [];

beforeAll(async () => {
  const array = { zarr_format: 2, compressor: null, filters: null, fill_value: 0, order: "C" };
  for (const [name, size, count] of [
    ["short.zarr", CHUNK, CHUNKS],
    ["long.zarr", LONG, 1],
  ] as const) {
    await mkdir(join(folder, name, "x"), { recursive: true });
    await writeFile(join(folder, name, ".zgroup"), '{"zarr_format": 2}');
    const shape = { shape: [size * count], chunks: [size], dtype: "|u1" };
    await writeFile(join(folder, name, "x", ".zarray"), JSON.stringify({ ...array, ...shape }));
    await writeFile(join(folder, name, "x", ".zattrs"), '{"_ARRAY_DIMENSIONS": ["i"]}');
    for (let i = 0; i < count; i += 1) {
      await writeFile(join(folder, name, "x", String(i)), randomBytes(size));
    }
  }
  store = join(folder, "short.zarr");
  const first = await start({});
  await fillIndex(first.solr, [{ file: store }, { file: join(folder, "long.zarr") }]);
  for (let i = 0; i < 2; i += 1) {
    const { name } = await addUser(join(folder, "var"));
    tokens.push((await signIn(first, name)).access_token);
  }
  await first.close();
});
afterEach(async () => {
  for (const response of open.splice(0)) response.destroy();
  await service?.close();
  service = undefined;
});

async function start(limits: LimitSettings): Promise<TestService> {
  const address = { baseUrl: "http://localhost:7777", trustProxy: 1 };
  service = await startService({
    limits,
    dataRoots: [folder],
    dataDir: join(folder, "var"),
    ...address,
  });
  return service;
}

interface As {
  readonly token?: string | undefined;
  readonly from?: string;
}
const headersOf = ({ token, from = "192.0.2.1" }: As): Record<string, string> => ({
  "X-Forwarded-For": from,
  ...(token !== undefined && { Authorization: `Bearer ${token}` }),
});
const ask = (path: string, as: As = {}): Promise<Response> =>
  (service as TestService).get(path, { headers: headersOf(as) });

const chunk = (index: number, file = store): string =>
  `/data-portal/zarr/${datasetId(file)}.zarr/x/${index}`;

/** Reads all chunks, one after the other. @returns the answers, without their bodies */
async function readAll(as: As, path = chunk): Promise<Response[]> {
  const answers: Response[] = [];
  for (let i = 0; i < CHUNKS; i += 1) {
    const answer = await ask(path(i), as);
    expect((await answer.arrayBuffer()).byteLength).toBe(answer.ok ? CHUNK : expect.anything());
    answers.push(answer);
  }
  return answers;
}

/** Asks for the long chunk, and does not read it. */
function leaveUnread(as: As): Promise<IncomingMessage> {
  const { address } = service as TestService;
  const url = `${address}${PREFIX}${chunk(0, join(folder, "long.zarr"))}`;
  return new Promise((resolve, reject) => {
    get(url, { agent: false, headers: headersOf(as) }, (response) => {
      open.push(response);
      resolve(response);
    }).on("error", reject);
  });
}

describe("requests a second", () => {
  it("are slowed down, then 429 with all that a client needs to try again, and others notice nothing", async () => {
    await start({ requests: 5 });
    const { address } = service as TestService;
    const begun = performance.now();
    const all = await Promise.all(
      Array.from({ length: 70 }, () => ask("/databrowser/flavours", { token: tokens[0] })),
    );
    const [fine, refused] = [200, 429].map((code) => all.filter(({ status }) => status === code));
    // 25 at once, as many in the five seconds after, and a few while they came.
    expect(fine?.length).toBeGreaterThanOrEqual(50);
    expect(fine?.length).toBeLessThanOrEqual(56);
    expect(performance.now() - begun).toBeGreaterThan(4000);
    expect((fine?.length ?? 0) + (refused?.length ?? 0)).toBe(70);
    expect(fine?.filter(({ headers }) => headers.has("RateLimit")).length).toBeGreaterThan(20);
    for (const answer of refused ?? []) {
      expect(Number(answer.headers.get("Retry-After"))).toBeGreaterThan(0);
      expect(answer.headers.get("RateLimit-Policy")).toBe('"requests";q=25;w=5');
      expect(answer.headers.get("RateLimit")).toMatch(/^"requests";r=0;t=\d+$/);
      expect(answer.headers.get("Access-Control-Expose-Headers")).toContain("RateLimit");
      const { type } = (await answer.json()) as Problem;
      expect(type).toBe("urn:climate-nextgen:problem:too-many-requests");
    }
    // Another account at the same address, the address itself, and whoever looks after the service.
    for (const [path, as] of [
      ["/databrowser/flavours", { token: tokens[1] }],
      ["/databrowser/overview", {}],
      ["/ping", { token: tokens[0] }],
    ] as const) {
      const answer = await ask(path, as);
      expect([answer.status, answer.headers.get("RateLimit")], path).toEqual([200, null]);
    }
    for (let i = 0; i < 100; i += 1) expect((await ask("/ping")).status).toBe(200);
    expect((await fetch(`${address}/openapi.json`)).status).toBe(200);
  });

  it("count for their address with wrong tokens, and not for answers without a body", async () => {
    await start({ requests: 5 });
    const seen = new Set<number>();
    const leaving = new AbortController();
    const headers = headersOf({ token: `${tokens[0]}x` });
    const wrong = Array.from({ length: 70 }, async () => {
      const answer = await (service as TestService).get(chunk(0), {
        headers,
        signal: leaving.signal,
      });
      seen.add(answer.status);
    });
    await expect.poll(() => [...seen].sort()).toEqual([401, 429]);
    leaving.abort();
    await Promise.allSettled(wrong);
    const as = { token: tokens[0] };
    const tag = (await ask(chunk(0), as)).headers.get("ETag") ?? "";
    for (let i = 0; i < 80; i += 1) {
      const answer = await (service as TestService).get(chunk(0), {
        headers: { ...headersOf(as), "If-None-Match": tag },
      });
      expect([answer.status, answer.headers.get("RateLimit")]).toEqual([304, null]);
    }
  });
});

describe("crawlers of the web", () => {
  it("learn from robots.txt to stay away from costly addresses", async () => {
    const { address } = await start({});
    const answer = await fetch(`${address}/robots.txt`);
    expect(answer.headers.get("Content-Type")).toMatch(/^text\/plain/);
    expect((await answer.text()).split("\n")).toContain(`Disallow: ${PREFIX}/`);
  });
});

describe("streams at once", () => {
  it("wait for each other, and are 429 if too many wait; one that has ended frees its permit", async () => {
    await start({ streams: 2 });
    const as = { token: tokens[0] };
    const first = await leaveUnread(as);
    await leaveUnread(as);
    const waiting = Array.from({ length: 16 }, () => ask(chunk(0), as));
    const early = await Promise.race([...waiting, new Promise((end) => setTimeout(end, 500))]);
    expect(early).toBeUndefined();
    const refused = await ask(chunk(0), as);
    expect(refused.status).toBe(429);
    expect(refused.headers.get("RateLimit")).toMatch(/^"streams";r=0;t=\d+$/);
    expect((await ask("/databrowser/flavours", as)).status).toBe(200);
    expect((await ask(chunk(0), { token: tokens[1] })).status).toBe(200);
    first.destroy();
    for (const answer of await Promise.all(waiting)) {
      expect(answer.status).toBe(200);
      expect((await answer.arrayBuffer()).byteLength).toBe(CHUNK);
    }
  });

  it("hold no permit when their client leaves while it waits", async () => {
    await start({ streams: 1 });
    const as = { token: tokens[0] };
    const first = await leaveUnread(as);
    for (let i = 0; i < 30; i += 1) {
      const leaving = new AbortController();
      const asking = (service as TestService).get(chunk(0), {
        headers: headersOf(as),
        signal: leaving.signal,
      });
      setTimeout(() => leaving.abort(), 20);
      await expect(asking).rejects.toThrow();
    }
    first.destroy();
    expect((await ask(chunk(0), as)).status).toBe(200);
    const lines = (service as TestService).log.map((line) => JSON.parse(line));
    expect(lines.filter(({ level, status = 0 }) => level >= 40 || status >= 500)).toEqual([]);
  });
});

describe("a day's bytes", () => {
  it("are sent at full speed, then slowly without notice of the client, then not at all", async () => {
    const { address } = await start({ bytes: CHUNKS * CHUNK });
    const as = { token: tokens[0] };
    for (const { headers } of await readAll(as)) expect(headers.get("RateLimit")).toBeNull();
    // An unchanged zarr client, which would not try a 429 again.
    const begun = performance.now();
    const url = `${address}${PREFIX}/data-portal/zarr/${datasetId(store)}.zarr`;
    expect(await python("paced_store.py", url, tokens[0] ?? "", store)).toBe("ok\n");
    // Each chunk is two seconds of the least pace.
    expect(performance.now() - begun).toBeGreaterThan(2000);
    const last = await ask(chunk(0), as);
    expect([last.status, last.headers.get("Retry-After")]).toEqual([
      429,
      expect.stringMatching(/^\d+$/),
    ]);
    expect(last.headers.get("RateLimit")).toMatch(/^"bytes";r=0;t=\d+$/);
    expect((await ask("/databrowser/flavours", as)).status).toBe(200);
    const [other] = await readAll({ token: tokens[1] });
    expect(other?.headers.get("RateLimit")).toBeNull();
  });

  it("count for the sharer if they are read at a shared address", async () => {
    const { get: send } = await start({ bytes: CHUNKS * CHUNK });
    const response = await send("/data-portal/share-zarr", {
      method: "POST",
      headers: { ...headersOf({ token: tokens[0] }), "Content-Type": "application/json" },
      body: JSON.stringify({ uuid: datasetId(store), ttl_seconds: 600 }),
    });
    const { url } = (await response.json()) as SharedZarr;
    const shared = new URL(url).pathname.slice(PREFIX.length);
    await readAll({ from: "192.0.2.7" }, (i) => `${shared}/x/${i}`);
    for (const [path, as, isSlow] of [
      [chunk(1), { token: tokens[0] }, true],
      [`${shared}/x/1`, { from: "192.0.2.8" }, true],
      [chunk(1), { token: tokens[1], from: "192.0.2.7" }, false],
      ["/databrowser/data-search/native/file", { from: "192.0.2.8" }, false],
    ] as const) {
      const answer = await ask(path, as);
      await answer.arrayBuffer();
      expect([answer.status, answer.headers.has("RateLimit")], path).toEqual([200, isSlow]);
    }
  });
});

describe("a day's decoding", () => {
  it("counts for the caller it was done for; cached results cost nobody anything", async () => {
    await start({ decode: 1e-9 });
    expect((await ask(chunk(0), { token: tokens[0] })).status).toBe(200);
    const refused = await ask(chunk(1), { token: tokens[0] });
    expect(refused.status).toBe(429);
    expect(refused.headers.get("RateLimit")).toMatch(/^"decode";r=0;t=\d+$/);
    for (let i = 0; i < 3; i += 1) {
      expect((await ask(chunk(i), { token: tokens[1] })).status).toBe(200);
    }
  });
});
