/** Damaged, cut-off and hostile files: a clear error, in bounded memory and time. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chunkGrid } from "../../src/zarr/chunk-table.js";
import { asReadingError, ReadingError } from "../../src/zarr/errors.js";
import { renderChunk } from "../../src/zarr/render/render.js";
import { Source } from "../../src/zarr/render/source.js";
import { indexFile } from "../../src/zarr/worker/operations.js";
import { makeFiles, type TestFiles } from "./files.js";

const LIMITS = { time: 2000 };
/** Milliseconds that one file may take, its limit and a pause of the machine included. */
const LONGEST = 4000;

let files: TestFiles;
let folder: string;

beforeAll(async () => {
  files = await makeFiles("small");
  folder = await mkdtemp(join(tmpdir(), "climate-damage-"));
});

afterAll(async () => {
  await files.remove();
  await rm(folder, { recursive: true, force: true });
});

/** Reads all there is: documents, chunk indexes, the first and the last chunk of each array. */
function readAll(path: string): number {
  const { arrays, identity } = indexFile(path, LIMITS);
  let chunks = 0;
  for (const plan of arrays.values()) {
    const source = Source.open(path, identity, LIMITS);
    try {
      const table = source.chunkTable(plan.variable);
      const last = chunkGrid(plan.variable.shape, plan.chunks).map((count) => count - 1);
      if (last.some((index) => index < 0)) continue;
      for (const place of [last.map(() => 0), last]) {
        renderChunk(source, plan, place, { table, decoder: undefined });
        chunks += 1;
      }
    } finally {
      source.close();
    }
  }
  return chunks;
}

/** A small generator of numbers that are the same in every run (mulberry32). */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

function damage(original: Uint8Array, random: (below: number) => number): Uint8Array {
  const bytes = original.slice();
  const at = (): number => random(bytes.length);
  switch (random(5)) {
    case 0:
      return bytes.subarray(0, at());
    case 1:
      bytes.fill(0xff, at(), Math.min(bytes.length, at() + 8));
      return bytes;
    case 2: {
      const from = at();
      bytes.copyWithin(at(), from, from + 1 + random(64));
      return bytes;
    }
    default:
      for (let i = random(8); i >= 0; i--) bytes[at()] = random(3) === 0 ? 0xff : random(256);
      return bytes;
  }
}

describe("a mutated file", () => {
  it.each([
    ["small_old.nc", 1200],
    ["small_new.nc", 1200],
    ["small_shared.nc", 1200],
    ["small_3.nc", 400],
    ["small_5.nc", 400],
  ])("%s is read or refused, %i times", { timeout: 240_000 }, async (name, count) => {
    const original = new Uint8Array(await readFile(files.path(name)));
    expect(readAll(files.path(name))).toBeGreaterThan(5);
    const random = randomNumbers(name.length * 7919);
    const before = process.memoryUsage().rss;
    const path = join(folder, name);
    let refused = 0;
    for (let i = 0; i < count; i++) {
      await writeFile(path, damage(original, random));
      const start = performance.now();
      try {
        readAll(path);
      } catch (error) {
        expect(asReadingError(error)).toBeInstanceOf(ReadingError);
        refused += 1;
      }
      expect(performance.now() - start, `mutation ${i}`).toBeLessThan(LONGEST);
    }
    expect(refused).toBeGreaterThan(count / 10);
    expect(process.memoryUsage().rss - before).toBeLessThan(700 << 20);
  });
});

describe("a file that was cut off", () => {
  it.each(["small_old.nc", "small_new.nc", "small_shared.nc", "small_3.nc", "small_5.nc"])(
    "%s is refused as damaged",
    async (name) => {
      const original = await readFile(files.path(name));
      const path = join(folder, `cut-${name}`);
      for (const share of [0.5, 0.9, 0.99]) {
        await writeFile(path, original.subarray(0, Math.floor(original.length * share)));
        expect(() => indexFile(path)).toThrow(expect.objectContaining({ kind: "damaged-file" }));
      }
    },
  );
});
