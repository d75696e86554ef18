/** Chunks of every codec, damaged in every way: an error or bytes, in bounded time, and nobody else hears of it. */
import { copyFile, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chunkGrid, findChunk } from "../../../src/files/netcdf/chunk-table.js";
import { Source } from "../../../src/files/netcdf/source/source.js";
import type { FileDataset } from "../../../src/files/zarr/dataset/file-dataset.js";
import { indexFile } from "../../../src/files/zarr/worker/operations.js";
import { packagePath } from "../../../src/platform/package-root.js";
import { makeFiles } from "../../files/zarr/files.js";
import { expectBelow } from "../../support/run/bounds.js";
import { freshFolder } from "../../support/run/folders.js";
import { attempts, chance, patience, SEED } from "../../support/run/trials.js";
import { use } from "../../support/run/use.js";

/** Arrays of filters.nc, one for each codec that is undone by a library or here. */
const CODECS = [
  "gzip",
  "gzip_checked",
  "checked",
  "szip",
  "scale_offset",
  "scale_offset_f4",
  "n_bit",
  "lzf",
  "lz4",
  "bitshuffle",
  "blosc",
  "blosc_zstd",
  "blosc2",
  "zfp",
  "zstd",
  "bzip2",
];
/** Milliseconds a chunk may take: two seconds for its decoder, the start of a process, and a machine that is busy. */
const LONGEST = 5000;

const folder = freshFolder();
const files = use(() => makeFiles("filters"));
let datasets: import("../../../src/files/zarr/dataset/datasets.js").Datasets;

beforeAll(async () => {
  // Built, because a process that a chunk has ended is started several times faster.
  const built = packagePath("dist", "src", "files", "zarr", "dataset", "datasets.js");
  const { Datasets } = (await import(
    built
  )) as typeof import("../../../src/files/zarr/dataset/datasets.js");
  datasets = new Datasets({ dataRoots: [folder] });
  await copyFile(files.path("filters.nc"), join(folder, "whole.nc"));
}, 600_000);
afterAll(() => datasets.close());

interface Place {
  readonly key: string;
  readonly offset: number;
  readonly size: number;
}

/** Where the chunks of an array lie in filters.nc. */
function placesOf(name: string): Place[] {
  const path = files.path("filters.nc");
  const plan = indexFile(path).arrays.get(name);
  if (plan === undefined) throw new Error(`no ${name}`);
  const source = Source.open(path);
  try {
    const table = source.chunkTable(plan.variable);
    const [rows = 1, columns = 1] = chunkGrid(plan.variable.shape, plan.chunks);
    return Array.from({ length: rows * columns }, (_, number) => {
      const found = findChunk(table, number);
      if (found === undefined) throw new Error(`no chunk ${number}`);
      const key = `${name}/${Math.floor(number / columns)}.${number % columns}`;
      return { key, offset: found.offset, size: found.size };
    });
  } finally {
    source.close();
  }
}

/** What is written over a stored chunk. */
function damaged(stored: Buffer, random: () => number): Buffer {
  const bytes = Buffer.from(stored);
  const at = (): number => Math.floor(random() * bytes.length);
  const kind = Math.floor(random() * 6);
  if (kind === 0) bytes.fill(0, at());
  else if (kind === 1) bytes.fill(0xff, at());
  // The head says how much there is.
  else if (kind === 2)
    for (let i = 0; i < 4; i++) bytes[Math.floor(random() * 32)] = Math.floor(random() * 256);
  else if (kind === 3) bytes.copyWithin(at(), at());
  else if (kind === 4) for (let i = 0; i < bytes.length; i++) bytes[i] = Math.floor(random() * 256);
  else for (let i = 0; i < 8; i++) bytes[at()] = Math.floor(random() * 256);
  return bytes;
}

async function decoded(path: string, key: string): Promise<number> {
  const dataset = (await datasets.open(path)) as FileDataset;
  const found = await dataset.decodedChunk(key);
  return found instanceof Uint8Array ? found.byteLength : Number.NaN;
}

describe("a damaged chunk", () => {
  it.each(CODECS)(
    "is an error or bytes of the right number: %s",
    async (name) => {
      const random = chance(SEED);
      const all = placesOf(name);
      const whole = await decoded(join(folder, "whole.nc"), all[0]?.key ?? "");
      expect(whole).toBeGreaterThan(0);
      for (let round = 0; round < attempts(1, 40); round++) {
        const path = join(folder, `${name}_${round}.nc`);
        await copyFile(files.path("filters.nc"), path);
        const chosen = all.filter(() => random() < 0.7).slice(0, attempts(3, 18));
        const handle = await open(path, "r+");
        for (const { offset, size } of chosen) {
          const stored = Buffer.alloc(size);
          await handle.read(stored, 0, size, offset);
          await handle.write(damaged(stored, random), 0, size, offset);
        }
        await handle.close();
        for (const { key } of chosen) {
          const begin = performance.now();
          const outcome = await decoded(path, key).catch((error: { kind?: unknown }) => error.kind);
          const told = `SEED=${SEED}, round ${round}, ${key}: ${String(outcome)}`;
          expectBelow(performance.now() - begin, LONGEST, told);
          expect(["number", "string"], told).toContain(typeof outcome);
          if (typeof outcome === "number") expect(outcome, told).toBe(whole);
          else
            expect(
              ["damaged-file", "reading-timeout", "too-large", "not-readable-format"],
              told,
            ).toContain(outcome);
        }
        await rm(path);
      }
    },
    patience(40_000),
  );
});
