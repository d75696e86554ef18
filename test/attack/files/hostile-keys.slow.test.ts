/** Keys, ranges, conditions and names that somebody made up: no byte from elsewhere, no connection, and the bytes that were asked for. */

import { mkdir, symlink, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { type AddressInfo, createServer, type Server } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { PREFIX } from "../../../generated/prefix.js";
import { datasetId } from "../../../src/files/zarr/address.js";
import { freshFolder } from "../../support/run/folders.js";
import { textChance } from "../../support/run/text-chance.js";
import { attempts, patience, SEED, tried } from "../../support/run/trials.js";
import { fillIndex, load, startService, type TestService } from "../../support/service/service.js";
import { jsonRequest } from "../../support/service/sign-in.js";
import { add, entry, type Person, person } from "../../support/service/user-data.js";

const SECRET = "the key that signs everything";
const CHUNK = Buffer.from(Array.from({ length: 1000 }, (_, i) => i % 251));
const ARRAY = {
  zarr_format: 2,
  shape: [2000],
  chunks: [1000],
  dtype: "|u1",
  fill_value: 0,
  order: "C",
  compressor: null,
  filters: null,
};
const FILES: Readonly<Record<string, string | Buffer>> = {
  ".zgroup": '{"zarr_format":2}',
  ".zattrs": "{}",
  "v/.zarray": JSON.stringify(ARRAY),
  "v/.zattrs": '{"_ARRAY_DIMENSIONS":["x"]}',
  "v/0": CHUNK,
};
/** What a store has for a client; a missing chunk is 404. */
const KEYS = [...Object.keys(FILES), ".zmetadata"];

const folder = freshFolder();
let store: string;
let service: TestService;
let ada: Person;
/** Whoever connects to it was led there. */
let trap: Server;
let trapped = 0;
beforeAll(async () => {
  store = join(folder, "roots", "store.zarr");
  for (const [name, content] of Object.entries(FILES)) {
    await mkdir(join(store, name, ".."), { recursive: true });
    await writeFile(join(store, name), content);
  }
  await writeFile(join(store, "notes.txt"), SECRET);
  await mkdir(join(folder, "outside", "v"), { recursive: true });
  for (const place of ["secret", "roots/secret", "outside/.zgroup", "outside/v/0"]) {
    await writeFile(join(folder, place), SECRET);
  }
  await symlink(join(folder, "outside"), join(folder, "roots", "link.zarr"));
  service = await startService({ dataRoots: [join(folder, "roots")] });
  ada = await person(service);
  await fillIndex(service.solr, [{ file: store }]);
  trap = createServer((socket) => {
    trapped += 1;
    socket.destroy();
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => trap.once("listening", resolve));
});
afterAll(async () => {
  trap.close();
  await service.close();
});

interface Got {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** Asks with a target and headers as they are written, which fetch would mend. */
function ask(target: string, headers: Readonly<Record<string, string>> = {}): Promise<Got> {
  const { hostname, port } = new URL(service.address);
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        hostname,
        port,
        path: target,
        headers: { Authorization: `Bearer ${ada.token}`, ...headers },
      },
      (response) => {
        const pieces: Buffer[] = [];
        response.on("data", (piece: Buffer) => pieces.push(piece));
        response.on("end", () => {
          const { statusCode: status = 0, headers: fields } = response;
          resolve({ status, headers: fields, body: Buffer.concat(pieces) });
        });
        response.on("error", reject);
      },
    );
    sent.on("error", reject).end();
  });
}

const addressOf = (file: string): string => `${PREFIX}/data-portal/zarr/${datasetId(file)}.zarr`;

/** Runs a check so many times, a few at once. */
async function times(count: number, check: (turn: number) => Promise<void>): Promise<void> {
  let turn = 0;
  const worker = async (): Promise<void> => {
    while (turn < count) await check(turn++);
  };
  await Promise.all(Array.from({ length: 8 }, worker));
}

it(
  "a key gives only what the store has under it",
  async () => {
    const count = attempts(300, 30_000);
    const { pick, random, text, mutant } = textChance(SEED);
    const ups = [
      "..",
      "%2e%2e",
      "%2E.",
      ".%2e",
      "..%2f",
      "..%5c",
      "..\\",
      "%252e%252e",
      "..;",
      ". .",
      "....",
      "%c0%ae%c0%ae",
    ];
    const ends = [
      "secret",
      "roots/secret",
      "outside/v/0",
      "store.zarr/v/0",
      "etc/passwd",
      "v/0",
      "notes.txt",
      "link.zarr/v/0",
    ];
    const corpus = ups.flatMap((up) =>
      ends.flatMap((end) => [1, 2, 3].map((depth) => `v/${`${up}/`.repeat(depth)}${end}`)),
    );
    corpus.push(
      join(folder, "secret"),
      `/${join(folder, "secret")}`,
      "v/0%00.txt",
      "v/0%0a",
      "%2fetc%2fpasswd",
      "v//0",
      "./v/0",
      "v/./0",
    );
    const base = addressOf(store);
    await times(count, async (turn) => {
      const raw =
        corpus[turn] ?? (random() < 0.6 ? mutant(pick(random() < 0.5 ? KEYS : corpus)) : text(8));
      // A target has no blanks and no controls; what it has else stands as it is.
      const key = raw
        .toWellFormed()
        .replace(/[^\x21-\x7e]/gu, (letter) => encodeURIComponent(letter))
        .replace(/[#?]/g, encodeURIComponent);
      const { status, body } = await ask(`${base}/${key}`);
      const told = `SEED=${SEED} ${key}: ${status}`;
      expect(body.includes(SECRET), told).toBe(false);
      // An address with a slash at its end leads to the one without.
      expect([200, 308, 400, 403, 404, 414, 422], told).toContain(status);
      if (status !== 200) return;
      // Dots between slashes are taken out of every target first, as browsers and proxies do (WHATWG URL).
      const { pathname } = new URL(`${service.address}${base}/${key}`);
      if (!pathname.startsWith(base)) return;
      const meant = decodeURIComponent(pathname.slice(base.length + 1));
      expect([...KEYS, ""], told).toContain(meant);
      const content = FILES[meant];
      if (Buffer.isBuffer(content)) expect(body.equals(content), told).toBe(true);
    });
    for (const key of KEYS) expect((await ask(`${base}/${key}`)).status, key).toBe(200);
    expect((await ask(`${addressOf(join(folder, "roots", "link.zarr"))}/v/0`)).status).toBe(404);
    tried(count);
  },
  patience(20_000, 400_000),
);

/** What a Range header asks for of so many bytes (RFC 9110, 14.1.2); undefined where it asks for nothing that can be given in one part. */
function oracle(header: string, length: number): [from: number, to: number] | "none" | undefined {
  const [, first = "", last = ""] = /^bytes=(\d*)-(\d*)$/.exec(header.trim()) ?? [];
  if (first === "" && last === "") return undefined;
  const [from, to] = [BigInt(first || 0), BigInt(last || 0)];
  if (first === "") {
    if (to === 0n) return "none";
    return [to > BigInt(length) ? 0 : length - Number(to), length - 1];
  }
  if (last !== "" && to < from) return undefined;
  if (from >= BigInt(length)) return "none";
  return [Number(from), last === "" || to >= BigInt(length) ? length - 1 : Number(to)];
}

it(
  "a range of a chunk is exactly its bytes, whatever range and conditions are sent",
  async () => {
    const count = attempts(300, 30_000);
    const { below, pick, random, text, mutant } = textChance(SEED);
    const target = `${addressOf(store)}/v/0`;
    const { headers: first, body: whole } = await ask(target);
    expect(whole.equals(CHUNK)).toBe(true);
    const tag = String(first.etag);
    const number = (): string =>
      pick([
        "",
        "0",
        "00",
        "999",
        "1000",
        "1001",
        `${below(1200)}`,
        "9".repeat(1 + below(400)),
        "-1",
      ]);
    /** What node lets through as the value of a header. */
    const plain = (value: string): string => value.replace(/[^\x20-\x7e]/g, "");
    await times(count, async () => {
      const form = `bytes=${number()}-${number()}`;
      const range = plain(
        random() < 0.7
          ? form
          : random() < 0.7
            ? mutant(form)
            : pick([`${form},${number()}-${number()}`, text(4), `Bytes=${form}`]),
      );
      const condition =
        random() < 0.3
          ? plain(pick([tag, `W/${tag}`, mutant(tag), '"x"', "Sun, 22 Nov 2026 00:00:00 GMT"]))
          : undefined;
      const { status, headers, body } = await ask(target, {
        Range: range,
        ...(condition !== undefined && { "If-Range": condition }),
      });
      const told = `SEED=${SEED} ${JSON.stringify({ range, condition })}: ${status}`;
      // Without the tag that it has, all of it is sent.
      const applies = condition === undefined || condition.trim() === tag;
      const expected = applies ? oracle(range, CHUNK.length) : undefined;
      if (expected === undefined) {
        expect(status, told).toBe(200);
        expect(body.equals(CHUNK), told).toBe(true);
      } else if (expected === "none") {
        expect(status, told).toBe(416);
        expect(headers["content-range"], told).toBe(`bytes */${CHUNK.length}`);
      } else {
        const [from, to] = expected;
        expect(status, told).toBe(206);
        expect(headers["content-range"], told).toBe(`bytes ${from}-${to}/${CHUNK.length}`);
        expect(body.equals(CHUNK.subarray(from, to + 1)), told).toBe(true);
      }
    });
    tried(count);
  },
  patience(20_000, 400_000),
);

it("no name, address or header makes the service connect to anything", async () => {
  const { port } = trap.address() as AddressInfo;
  const host = `127.0.0.1:${port}`;
  const schemes = [
    "http",
    "https",
    "ftp",
    "s3",
    "gs",
    "gopher",
    "dap",
    "file",
    "dict",
    "ldap",
    "jar:http",
    "reference",
  ];
  const names = [
    ...schemes.map((scheme) => `${scheme}://${host}/x.nc`),
    `//${host}/x.nc`,
    `http:/${host}/x.zarr`,
    `http://${host}/x.zarr/.zgroup`,
    `file://${host}${store}`,
    `http://user:pass@${host}/x.nc#mode=bytes`,
    `[${host}]/x.nc`,
    `${host}:/x.nc`,
    `\\\\${host}\\x.nc`,
  ];
  await load(
    service.solr,
    names.map((file) => ({ file, uri: file, project: ["trap"] })),
  );
  let count = 0;
  for (const file of names) {
    for (const key of ["", "/.zmetadata", "/.zgroup", "/v/0", "/zarr.json"]) {
      const { status } = await ask(addressOf(file) + key, { Accept: "text/html" });
      expect(status, file + key).toBeGreaterThanOrEqual(400);
      count += 1;
    }
    const share = await service.get(
      "/data-portal/share-zarr",
      jsonRequest("POST", { url: file, uuid: datasetId(file) }, ada.token),
    );
    await share.arrayBuffer();
    const registered = await add(service, ada, [entry(file), entry("/x.nc", { uri: file })]);
    await registered.arrayBuffer();
    count += 2;
  }
  for (const operation of [
    "load/native",
    "intake-catalogue/native/file",
    "stac-catalogue/native/file",
  ]) {
    expect((await ask(`${PREFIX}/databrowser/${operation}?project=trap`)).status).toBe(200);
    count += 1;
  }
  const headers = [
    "Host",
    "X-Forwarded-Host",
    "Forwarded",
    "Origin",
    "Referer",
    "X-Original-URL",
    "Proxy",
    "Via",
    "Destination",
    "X-Forwarded-For",
  ];
  for (const header of headers) {
    for (const value of [host, `http://${host}/`, `host=${host}`]) {
      for (const path of [
        "/auth/v2/.well-known/openid-configuration",
        "/databrowser/load/native?project=trap",
        "/ready",
      ]) {
        await ask(PREFIX + path, { [header]: value });
        count += 1;
      }
    }
  }
  await ask(`http://${host}/x`);
  tried(count + 1);
  expect(trapped).toBe(0);
});
