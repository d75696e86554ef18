/** Files that were damaged at random places: all that is read of them is what HDF5 and netCDF-C read of them, too. */

import { readFileSync, writeFileSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { asReadingError } from "../../../src/files/netcdf/errors.js";
import {
  type Hdf5Decoder,
  loadHdf5Decoder,
} from "../../../src/files/netcdf/render/hdf5-decoder.js";
import { Source } from "../../../src/files/netcdf/source/source.js";
import { renderChunk } from "../../../src/files/zarr/body/render.js";
import { indexFile } from "../../../src/files/zarr/worker/operations.js";
import { packagePath } from "../../../src/platform/package-root.js";
import { makeFiles } from "../../files/zarr/files.js";
import { differences, libraryValues, readOurs } from "../../support/data/against-library.js";
import { mutate, outside, rawRanges, readEverything } from "../../support/data/mutants.js";
import { runPython } from "../../support/programs/python.js";
import { expectBelow } from "../../support/run/bounds.js";
import { freshFolder } from "../../support/run/folders.js";
import { attempts, chance, patience, SEED, tried } from "../../support/run/trials.js";
import { use } from "../../support/run/use.js";

const FILES = [
  // Every structure has a checksum.
  "small_new.nc",
  "small_shared.nc",
  "small_arrays.nc",
  // Object headers have one, indexes of chunks have not.
  "small_netcdf4.nc",
  // There are none.
  "small_old.nc",
  "small_tree.nc",
  "small_3.nc",
  "small_64.nc",
  "small_5.nc",
  // Those of foreign_files.py, which are odd in places that the format leaves free.
  "attribute_names.nc",
  "attribute_references.h5",
  "new_references.h5",
  "old_group_neighbour.h5",
  "phony.h5",
  "reserved.h5",
  "scales.h5",
  "shared_message_1.h5",
  "two_scales.h5",
  "classic_names_end.nc",
  "classic_twice.nc",
] as const;

const MUTANTS = attempts(150, 20_000);
/** Mutants whose values are compared at a time. */
const AT_A_TIME = 500;
/** Milliseconds that reading one may take. */
const LONGEST = 5000;
/** By which the process that has read all of them may have grown. */
const MAX_MEMORY = 512 << 20;

const files = use(() => makeFiles("small", "damaged", "sparse", "edited"));
const folder = freshFolder();
let decoder: Hdf5Decoder;

beforeAll(async () => {
  await runPython([packagePath("test", "files", "netcdf", "foreign_files.py"), files.path("")]);
  decoder = await loadHdf5Decoder();
});

describe("a file with random damage", () => {
  it.each(FILES)(
    "%s is read as by HDF5 and netCDF-C, or refused",
    { timeout: patience(240_000, 7_200_000) },
    async (name) => {
      const bytes = new Uint8Array(readFileSync(files.path(name)));
      const metadata = outside(
        bytes.length,
        [...rawRanges(files.path(name), bytes).values()].flat(),
      );
      const sound = readOurs(files.path(name), decoder);
      const memory = process.memoryUsage().rss;
      const count = { read: 0, refused: 0, "not read by the libraries": 0 };
      const wrong: string[] = [];
      for (let first = 0; first < MUTANTS; first += AT_A_TIME) {
        const below = join(folder, `${name}-${first}`);
        await mkdir(below);
        const made = Array.from({ length: Math.min(AT_A_TIME, MUTANTS - first) }, (_, i) => {
          const mutant = mutate(bytes, metadata, chance(SEED * 1_000_003 + first + i));
          const path = join(below, `${first + i}.nc`);
          writeFileSync(path, mutant.bytes);
          return {
            path,
            name: `${first + i}.nc`,
            how: `SEED=${SEED}, ${first + i}, ${mutant.how}`,
          };
        });
        const library = await libraryValues(below);
        for (const { path, name, how } of made) {
          const start = performance.now();
          try {
            const ours = readOurs(path, decoder);
            const theirs = library[name] ?? undefined;
            count[theirs === undefined ? "not read by the libraries" : "read"] += 1;
            if (theirs !== undefined) {
              wrong.push(...differences(ours, theirs, sound).map((text) => `${how}: ${text}`));
            }
          } catch (error) {
            // An error that no check foresaw is reported as a damaged file as well.
            asReadingError(error);
            count.refused += 1;
          }
          expectBelow(performance.now() - start, LONGEST, how);
        }
        await rm(below, { recursive: true });
      }
      const grown = process.memoryUsage().rss - memory;
      console.info(`${name}: ${MUTANTS} mutants: ${JSON.stringify(count)}, ${grown >> 20} MiB`);
      tried(MUTANTS, MUTANTS - wrong.length);
      expect(wrong).toEqual([]);
      expect(count.read).toBeGreaterThan(MUTANTS / 20);
      expect(count.refused).toBeGreaterThan(MUTANTS / 100);
      expect(grown).toBeLessThan(MAX_MEMORY);
    },
  );
});

it.each(["edited_earliest.nc", "edited_v108.nc", "edited_latest.nc"])(
  "%s is sound: deleted, renamed and shrunk parts are not damage",
  (name) => {
    const { documents, chunks } = readEverything(files.path(name), decoder);
    expect([...chunks].filter(([, data]) => data instanceof Error)).toEqual([]);
    const arrays = [...documents.keys()].filter((key) => key.endsWith(".zarray"));
    // Two scales, 20 variables of thirty (five became longer than the scales), those of any order, and 133 new ones.
    expect(arrays.length).toBe(2 + 20 + 1 + 133);
  },
);

describe("a small file that claims to be large", () => {
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
