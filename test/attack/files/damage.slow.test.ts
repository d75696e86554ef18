/** Files that were damaged at random places: nothing of them is read as something else, and nothing is lost in silence. */

import { readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { asReadingError } from "../../../src/files/netcdf/errors.js";
import {
  type Hdf5Decoder,
  loadHdf5Decoder,
} from "../../../src/files/netcdf/render/hdf5-decoder.js";
import { Source } from "../../../src/files/netcdf/source/source.js";
import { renderChunk } from "../../../src/files/zarr/body/render.js";
import { indexFile } from "../../../src/files/zarr/worker/operations.js";
import { makeFiles, type TestFiles } from "../../files/zarr/files.js";
import { judge, type Sound, type Verdict } from "../../support/data/mutant-verdict.js";
import { mutate, outside, rawRanges, readEverything } from "../../support/data/mutants.js";
import { attempts, patience } from "../../support/run/attempts.js";
import { expectBelow } from "../../support/run/bounds.js";
import { chance, SEED } from "../../support/run/chance.js";
import { tried } from "../../support/run/tried.js";

/** Files, and how many mutants there are of each of 20,000. */
const FILES = [
  // Every structure has a checksum.
  { name: "small_new.nc", isChecked: true, share: 0.15 },
  { name: "small_shared.nc", isChecked: true, share: 0.1 },
  { name: "small_arrays.nc", isChecked: true, share: 0.1 },
  // Object headers have one, indexes of chunks have not.
  { name: "small_netcdf4.nc", isChecked: false, share: 0.15 },
  // There are none.
  { name: "small_old.nc", isChecked: false, share: 0.15 },
  { name: "small_tree.nc", isChecked: false, share: 0.1 },
  { name: "small_3.nc", isChecked: false, share: 0.1 },
  { name: "small_64.nc", isChecked: false, share: 0.1 },
  { name: "small_5.nc", isChecked: false, share: 0.05 },
] as const;

const MUTANTS = attempts(600, 20_000);
/** Milliseconds that reading one may take. */
const LONGEST = 5000;
/** By which the process that has read all of them may have grown. */
const MAX_MEMORY = 512 << 20;
/** Of all mutants of a file without checksums, those whose other type or fill value nothing in it contradicts. */
const MAX_UNTOLD = 0.01;
/** The same damage in every short run: how much of it cannot be told from data is a matter of many. */
const FIRST = attempts(11, SEED);

let files: TestFiles;
let folder: string;
let decoder: Hdf5Decoder;

beforeAll(async () => {
  files = await makeFiles("small", "damaged", "sparse", "edited");
  folder = await mkdtemp(join(tmpdir(), "climate-mutants-"));
  decoder = await loadHdf5Decoder();
});

afterAll(async () => {
  await files.remove();
  await rm(folder, { recursive: true, force: true });
});

function soundFile(name: string, isChecked: boolean): Sound {
  const path = files.path(name);
  const bytes = new Uint8Array(readFileSync(path));
  return { bytes, served: readEverything(path, decoder), raw: rawRanges(path, bytes), isChecked };
}

describe("a file with damage at random places", () => {
  it.each(FILES)(
    "$name is read as it was, or refused",
    {
      timeout: patience(60_000, 1_200_000),
    },
    ({ name, isChecked, share }) => {
      const sound = soundFile(name, isChecked);
      const metadata = outside(sound.bytes.length, [...sound.raw.values()].flat());
      const path = join(folder, name);
      const memory = process.memoryUsage().rss;
      const count: Record<Verdict, number> = {
        same: 0,
        refused: 0,
        values: 0,
        content: 0,
        untold: 0,
        wrong: 0,
      };
      const wrong: string[] = [];
      const total = Math.ceil(MUTANTS * share);
      let slowest = 0;
      for (let i = 0; i < total; i++) {
        const mutant = mutate(sound.bytes, metadata, chance(FIRST * 1_000_003 + i));
        writeFileSync(path, mutant.bytes);
        const start = performance.now();
        try {
          const { verdict, notes } = judge(sound, mutant, readEverything(path, decoder));
          count[verdict] += 1;
          if (verdict === "wrong") wrong.push(`SEED=${FIRST}, ${i}, ${mutant.how}: ${notes[0]}`);
          if (verdict === "untold" && process.env.UNTOLD)
            wrong.push(`untold ${mutant.how}: ${notes[0]}`);
        } catch (error) {
          // What no check foresaw ends as a damaged file, too.
          asReadingError(error);
          count.refused += 1;
        }
        slowest = Math.max(slowest, performance.now() - start);
        expectBelow(slowest, LONGEST, `SEED=${FIRST}, ${i}`);
      }
      const grown = process.memoryUsage().rss - memory;
      console.info(
        `${name}: ${total} mutants: ${JSON.stringify(count)}, ${Math.round(grown / 2 ** 20)} MiB, the slowest ${Math.round(slowest)} ms`,
      );
      tried(total, total - wrong.length);
      expect(wrong).toEqual([]);
      expect(count.untold).toBeLessThanOrEqual(isChecked ? 0 : Math.ceil(total * MAX_UNTOLD));
      expect(count.refused).toBeGreaterThan(total / 4);
      expect(grown).toBeLessThan(MAX_MEMORY);
    },
  );
});

it.each(["edited_earliest.nc", "edited_v108.nc", "edited_latest.nc"])(
  "%s is sound: what its users deleted, renamed and shrank is no damage",
  (name) => {
    const { documents, chunks } = readEverything(files.path(name), decoder);
    expect([...chunks].filter(([, data]) => data instanceof Error)).toEqual([]);
    const arrays = [...documents.keys()].filter((key) => key.endsWith(".zarray"));
    // Two scales, 25 variables of thirty, those of any order, and 133 new ones.
    expect(arrays.length).toBe(2 + 25 + 1 + 133);
  },
);

describe("a small file that says to be large", () => {
  it.each(["sparse_earliest.nc", "sparse_latest.nc"])(
    "%s is read in little time and memory, with the values that it has",
    (name) => {
      const memory = process.memoryUsage().rss;
      const start = performance.now();
      const { arrays, identity } = indexFile(files.path(name));
      const written: Record<string, readonly number[]> = {
        contiguous: [0],
        chunked: [2 ** 19],
        grid: [2 ** 19, 7],
      };
      for (const [path, plan] of arrays) {
        const source = Source.open(files.path(name), identity);
        const table = source.chunkTable(plan.variable);
        // Those of one element each are joined when they are served.
        const place = written[path] ?? [Math.floor(19_999_999 / (plan.chunks[0] ?? 1))];
        const plain = { ...plan, codecs: [], isStoredChunk: false };
        const values = renderChunk(source, plain, place, { table, decoder });
        const [length = 0] = plan.variable.shape;
        const end = length - (place[0] ?? 0) * (plan.chunks[0] ?? 1);
        // What lies beyond the array's edge is of no account.
        const sum = values.subarray(0, end).reduce((total, value) => total + value, 0);
        expect(sum, path).toBe(path === "contiguous" ? 0 : 1);
        source.close();
      }
      expectBelow(performance.now() - start, LONGEST);
      expectBelow(process.memoryUsage().rss - memory, MAX_MEMORY / 2);
    },
  );
});
