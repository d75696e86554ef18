/** Chunks of some megabytes on their way: their memory is used again, and none may get another's bytes. */
import { createHash, randomBytes } from "node:crypto";
import { appendFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { type ClientRequest, get, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { beforeAll, describe, expect, it } from "vitest";
import { PREFIX } from "../../../generated/prefix.js";
import { datasetId } from "../../../src/files/zarr/address.js";
import { freshFolder } from "../../support/run/folders.js";
import { fillIndex } from "../../support/service/service.js";
import { addUser, signIn } from "../../support/service/sign-in.js";
import { useService } from "../../support/service/use-service.js";

/** Bytes: some of a part of a piece, of whole ones, of more than one socket takes at once. */
const SIZES = [1, 4096, 1 << 20, (1 << 20) + 1, 2 << 20, 3_500_000, 9_000_001];
/** The key of a chunk that a test writes to. */
const CHANGING = String(SIZES.length);

const service = useService(() => ({ dataRoots: [folder] }));
const folder = freshFolder();
let store: string;
let address: string;
let authorization: string;
const digests: string[] = [];

const digest = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

beforeAll(async () => {
  store = join(folder, "large.zarr");
  await mkdir(store);
  const metadata = { zarr_format: 2, shape: [SIZES.length + 1], chunks: [1], dtype: "|u1" };
  await writeFile(join(store, ".zarray"), JSON.stringify(metadata));
  for (const [index, size] of SIZES.entries()) {
    const bytes = randomBytes(size);
    digests.push(digest(bytes));
    await writeFile(join(store, String(index)), bytes);
  }
  await writeFile(join(store, CHANGING), randomBytes(40 << 20));
  await fillIndex(service.solr, [{ file: store }]);
  const { name } = await addUser(service.dataDir);
  authorization = `Bearer ${(await signIn(service, name)).access_token}`;
  address = `${service.address}${PREFIX}/data-portal/zarr/${datasetId(store)}.zarr`;
});

/** Asks for a key on a connection of its own. */
function ask(
  key: string,
  headers = {},
): Promise<{ request: ClientRequest; response: IncomingMessage }> {
  return new Promise((resolve, reject) => {
    const request = get(
      `${address}/${key}`,
      { agent: false, headers: { authorization, ...headers } },
      (response) => resolve({ request, response }),
    );
    request.on("error", reject);
  });
}

/** Reads an answer, with a rest after each of so many bytes. */
async function bytesOf(response: IncomingMessage, rest = 0): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of response) {
    pieces.push(piece);
    if (rest > 0) await pause(rest);
  }
  return Buffer.concat(pieces);
}

/** Bytes of memory outside the heap that are in use, once what nobody needs is collected. */
async function external(): Promise<number> {
  setFlagsFromString("--expose-gc");
  for (let turn = 0; turn < 3; turn += 1) {
    (runInNewContext("gc") as () => void)();
    await pause(100);
  }
  return process.memoryUsage().external;
}

describe("a transfer", () => {
  it("has the bytes of the file for any length, and their number first", async () => {
    for (const [index, size] of SIZES.entries()) {
      const { response } = await ask(String(index));
      expect(response.headers["content-length"]).toBe(String(size));
      expect(digest(await bytesOf(response))).toBe(digests[index]);
    }
  });

  it("has the bytes of a range", async () => {
    const whole = await readFile(join(store, "6"));
    for (const [from, to] of [
      [0, 0],
      [1_000_000, 3_200_000],
      [8_999_999, 9_000_000],
    ] as const) {
      const { response } = await ask("6", { range: `bytes=${from}-${to}` });
      expect(response.statusCode).toBe(206);
      const part = await bytesOf(response);
      expect(Buffer.compare(part, whole.subarray(from, to + 1))).toBe(0);
    }
  });

  it("gets its own bytes among many, slow, fast and broken off", async () => {
    let broken = 0;
    const client = async (number: number): Promise<void> => {
      for (let turn = 0; turn < 8; turn += 1) {
        const index = (number * 5 + turn * 3) % SIZES.length;
        const { request, response } = await ask(String(index));
        if (number % 4 === 3 && (SIZES[index] ?? 0) > 2 << 20) {
          response.once("data", () => request.destroy());
          await expect(bytesOf(response)).rejects.toThrow();
          broken += 1;
          continue;
        }
        const bytes = await bytesOf(response, number % 4 === 2 ? 2 : 0);
        expect(digest(bytes), `${index}`).toBe(digests[index]);
      }
    };
    await Promise.all(Array.from({ length: 24 }, (_, number) => client(number)));
    expect(broken).toBeGreaterThan(5);
    expect(service.log.filter((line) => line.includes("broken off"))).toEqual([]);
  });

  it("breaks off when the file is written to meanwhile, and logs it", async () => {
    const { response } = await ask(CHANGING);
    expect(response.statusCode).toBe(200);
    response.pause();
    await appendFile(join(store, CHANGING), "more");
    await expect(bytesOf(response)).rejects.toThrow("aborted");
    await expect.poll(() => service.log.join("")).toContain("transfer broken off");
  });

  it("holds bounded memory for a client that does not read", async () => {
    const before = await external();
    const clients = await Promise.all(Array.from({ length: 60 }, () => ask("6")));
    await pause(500);
    const held = (await external()) - before;
    for (const { request } of clients) request.destroy();
    // 60 times 9 MB are asked for, and the clients of this process hold some of it too.
    expect(held).toBeLessThan(100 << 20);
  });

  it("is only announced for HEAD", async () => {
    const response = await fetch(`${address}/6`, { method: "HEAD", headers: { authorization } });
    expect(response.headers.get("content-length")).toBe("9000001");
    expect(await response.text()).toBe("");
  });
});
