/** Documents of zarr stores that are long, or made to be slow: whoever reads them delays nobody else. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { memberTexts } from "../../../src/files/zarr/metadata/json-text.js";
import { strictJson } from "../../../src/files/zarr/metadata/strict-json.js";
import { freshFolder } from "../../support/run/folders.js";
import { allowed, attempts, chance, patience, SEED, tried } from "../../support/run/trials.js";
import { percentile99, pinging, type Reading, serveFolder } from "./reading.js";

const MB = 1 << 20;
const folder = freshFolder();
let reading: Reading;

/** Metadata of zarr v3, consolidated, of as many arrays as make so many bytes. */
function consolidated(bytes: number): string {
  const array = (name: string) => ({
    zarr_format: 3,
    node_type: "array",
    shape: [100, 100],
    data_type: "float32",
    chunk_grid: { name: "regular", configuration: { chunk_shape: [10, 10] } },
    chunk_key_encoding: { name: "default", configuration: { separator: "/" } },
    fill_value: "NaN",
    codecs: [{ name: "bytes", configuration: { endian: "little" } }],
    dimension_names: ["y", "x"],
    attributes: { units: "K", long_name: name, comment: "x".repeat(200) },
  });
  const members: string[] = [];
  for (let length = 0; length < bytes; length += members.at(-1)?.length ?? 0) {
    const name = `v${members.length}`;
    members.push(`${JSON.stringify(name)}:${JSON.stringify(array(name))}`);
  }
  return `{"zarr_format":3,"node_type":"group","attributes":{"none":NaN},"consolidated_metadata":{"kind":"inline","must_understand":false,"metadata":{${members.join(",")}}}}`;
}

/** Texts on which an expression that goes back never ends, or piece by piece takes all memory. */
const SLOW: Readonly<Record<string, (bytes: number) => string>> = {
  "quotes that are escaped, and none at the end": (bytes) =>
    `{"a":NaN,"b":"${'\\"'.repeat(bytes / 2)}`,
  "backslashes and no quote": (bytes) => `{"a":NaN,"b":"${"\\".repeat(bytes)}`,
  "quotes alone": (bytes) => `{"a":NaN,${'"'.repeat(bytes)}`,
  "nothing but NaN": (bytes) => `{"a":[${"NaN,".repeat(bytes / 4)}0]}`,
  brackets: (bytes) => `{"a":NaN,"b":${"[".repeat(bytes)}`,
};

const STORES = Object.keys(SLOW).map((_, i) => `slow_${i}.zarr`);

beforeAll(async () => {
  const write = async (store: string, key: string, text: string): Promise<void> => {
    await mkdir(join(folder, store), { recursive: true });
    await writeFile(join(folder, store, key), text);
  };
  await write("long.zarr", "zarr.json", consolidated(57 * MB));
  for (const [i, make] of Object.values(SLOW).entries()) {
    await write(`slow_${i}.zarr`, ".zgroup", '{"zarr_format":2}');
    await write(`slow_${i}.zarr`, ".zattrs", make(attempts(8, 60) * MB));
  }
  await write("fine.zarr", ".zgroup", '{"zarr_format":2}');
  await write("fine.zarr", ".zattrs", '{"none":NaN,"text":"NaN"}');
  reading = await serveFolder(folder, ["long.zarr", "fine.zarr", ...STORES]);
});
afterAll(() => reading.close());

const asScript = { headers: { "Sec-Fetch-Mode": "cors" } };

describe("ping while slow documents are opened", () => {
  const opened = async (stores: readonly string[], keys: readonly string[]): Promise<number[]> => {
    const statuses: number[] = [];
    for (const store of stores) {
      for (const key of keys) {
        for (const init of [{}, asScript]) {
          const response = await reading.read(store, key, reading.tokens[0], init);
          statuses.push(response.status);
          for await (const _ of response.body as unknown as AsyncIterable<Uint8Array>);
        }
      }
    }
    return statuses;
  };

  it(
    "stays below 200 ms beside a store with a zarr.json of 57 MB",
    async () => {
      const pings = pinging(reading.serving);
      for (let i = 0; i < attempts(1, 10); i++) {
        expect(await opened(["long.zarr"], ["zarr.json"])).toEqual([200, 200]);
        const page = await reading.read("long.zarr", "", reading.tokens[0]);
        expect(page.status).toBe(200);
        expect(await page.text()).toContain("are not shown");
      }
      const times = await pings();
      expect(times.length).toBeGreaterThan(50);
      expect(percentile99(times)).toBeLessThan(200);
    },
    patience(60_000),
  );

  it(
    "stays below 200 ms beside slow .zattrs, and each store is answered or refused",
    async () => {
      const pings = pinging(reading.serving);
      const begin = performance.now();
      for (const status of await opened(STORES, [".zattrs", ".zmetadata", "zarr.json"])) {
        expect([200, 404, 413, 500, 503]).toContain(status);
      }
      expect(performance.now() - begin).toBeLessThan(allowed(45_000));
      const times = await pings();
      expect(percentile99(times)).toBeLessThan(200);
      const fine = await reading.read("fine.zarr", ".zattrs", reading.tokens[1], asScript);
      expect(await fine.json()).toEqual({ none: "NaN", text: "NaN" });
    },
    patience(60_000),
  );
});

describe("JSON text", () => {
  it.each(Object.keys(SLOW))("is read in time linear in its length: %s, many MB of it", (name) => {
    const text = SLOW[name]?.(attempts(16, 64) * MB) ?? "";
    const begin = performance.now();
    strictJson(text);
    const strict = performance.now();
    memberTexts(text);
    expect(strict - begin).toBeLessThan(8000);
    expect(performance.now() - strict).toBeLessThan(8000);
  });

  it("is read as JSON.parse reads it: random documents with bare tokens, quotes and backslashes", () => {
    const random = chance(SEED);
    const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
    const word = (): string =>
      Array.from({ length: random() * 6 }, () =>
        pick(['"', "\\", "NaN", "Infinity", "{", ",", "a:"]),
      ).join("");
    const value = (depth: number): unknown => {
      const kind = random();
      if (depth > 3 || kind < 0.5)
        return pick([word(), Number.NaN, Number.POSITIVE_INFINITY, -1.5, null, true]);
      if (kind < 0.75) return Array.from({ length: random() * 4 }, () => value(depth + 1));
      return Object.fromEntries(
        Array.from({ length: random() * 4 }, () => [word(), value(depth + 1)]),
      );
    };
    /** As Python's `json` writes it. */
    const written = (one: unknown): string => {
      if (typeof one === "number") return String(one);
      if (Array.isArray(one)) return `[${one.map(written).join(", ")}]`;
      if (typeof one !== "object" || one === null) return JSON.stringify(one);
      const members = Object.entries(one).map(
        ([name, member]) => `${JSON.stringify(name)}: ${written(member)}`,
      );
      return `{${members.join(", ")}}`;
    };
    const count = attempts(2000, 100_000);
    tried(count);
    for (let i = 0; i < count; i++) {
      const document = Object.fromEntries([
        ["first", value(0)],
        [word(), value(0)],
        ["last", value(0)],
      ]);
      const text = written(document);
      const plain = (_: string, one: unknown): unknown => (Number.isNaN(one) ? "NaN" : one);
      const expected = JSON.stringify(
        JSON.parse(
          JSON.stringify(document, (_, one) =>
            Number.isNaN(one) ? "NaN" : one === Number.POSITIVE_INFINITY ? "INF" : one,
          ),
        ),
        plain,
      ).replaceAll('"INF"', "1e999");
      expect(JSON.stringify(JSON.parse(strictJson(text))), `SEED=${SEED}: ${text}`).toBe(
        JSON.stringify(JSON.parse(expected)),
      );
      const members = memberTexts(text).map(
        ([name, member]) => `${JSON.stringify(name)}:${member}`,
      );
      expect(JSON.stringify(JSON.parse(strictJson(`{${members.join(",")}}`)))).toBe(
        JSON.stringify(JSON.parse(expected)),
      );
    }
  }, 300_000);
});
