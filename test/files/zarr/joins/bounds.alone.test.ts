/** The largest joined stores: how long they take to open, what they say meanwhile, and what they take of the memory. */

import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TooLarge } from "../../../../src/files/netcdf/errors.js";
import { MemoryBudget } from "../../../../src/files/zarr/body/memory-budget.js";
import { RenderedCache } from "../../../../src/files/zarr/body/rendered-cache.js";
import { Datasets } from "../../../../src/files/zarr/dataset/datasets.js";
import type { FileDataset } from "../../../../src/files/zarr/dataset/file-dataset.js";
import { JoinPreparing } from "../../../../src/files/zarr/errors.js";
import type { FileFacts } from "../../../../src/files/zarr/join/file-facts.js";
import type { JoinedDataset } from "../../../../src/files/zarr/join/joined-dataset.js";
import { type JoinReading, Joins } from "../../../../src/files/zarr/join/joins.js";
import { sampledRange, singleIndex } from "../../../../src/files/zarr/slice/selection.js";
import { run } from "../../../../src/files/zarr/worker/operations.js";
import { packagePath } from "../../../../src/platform/package-root.js";
import { runPython } from "../../../support/programs/python.js";
import { expectBelow } from "../../../support/run/bounds.js";
import { freshFolder } from "../../../support/run/folders.js";
import { joinedIn, netcdfIn, recipeOf } from "./joins.js";

const FILES = 10_000;
/** Each file has one chunk for each step and level: with the coordinates, nearly the 5,000,000 that a store may have. */
const STEPS = 49;
const LEVELS = 10;

const datasets = new Datasets();
const folder = freshFolder();
let paths: string[];

const make = (name: string, ...words: readonly (number | string)[]): Promise<string> =>
  runPython([
    packagePath("test", "files", "zarr", "joins", "make_joins.py"),
    ...[join(folder, name), "many", ...words.map(String)],
  ]);

beforeAll(async () => {
  await make("many", FILES, STEPS, LEVELS);
  paths = netcdfIn(join(folder, "many"));
});

afterAll(() => datasets.close());

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** Bytes in use, after a collection. */
function used(): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Opens a store, and asks again while it is being prepared. @returns what was said meanwhile, and the longest answer */
async function patiently(open: () => Promise<JoinedDataset>) {
  const said: string[] = [];
  let longest = 0;
  for (;;) {
    const begin = performance.now();
    const found = await open().catch((error: unknown) => {
      if (!(error instanceof JoinPreparing)) throw error;
      said.push(error.message);
    });
    longest = Math.max(longest, performance.now() - begin);
    if (found !== undefined) return { store: found, said, longest };
  }
}

describe("a join of 10,000 files with 4.9 million chunks", () => {
  it("opens within two minutes, answers within 22 seconds meanwhile, and takes less than 24 bytes a chunk", async () => {
    const recipe = await recipeOf(datasets, paths);
    const before = used();
    const begin = performance.now();
    const { store, longest } = await patiently(() => joinedIn(datasets, recipe));
    expectBelow(performance.now() - begin, 120_000);
    expectBelow(longest, 22_000);
    const chunks = store.plan.report.arrays.reduce((sum, one) => sum + one.chunks, 0);
    expect(chunks).toBeGreaterThan(4_900_000);
    expectBelow((used() - before) / chunks, 24, "bytes a chunk of the plan");
    // Chunk tables are kept as long as there is room for them.
    for (let file = 0; file < FILES; file += 4) {
      expect((await store.content(`tas/${file * STEPS}.3.0`)).kind).toBe("range");
    }
    expectBelow((used() - before) / chunks, 24, "bytes a chunk of the plan and of chunk tables");
    const last = await store.content(`tas/${FILES * STEPS - 1}.${LEVELS - 1}.0`);
    expect(last).toMatchObject({ kind: "range", range: { path: paths.at(-1) } });
  });

  it("says how many files are read, each time that the time for an answer is over", async () => {
    const recipe = await recipeOf(datasets, paths.slice(0, 3000));
    const reading: JoinReading = {
      facts: async ({ path, identity }) => {
        await setImmediate();
        return (await run({ kind: "join-facts", path, identity }, {}, () => {})) as FileFacts;
      },
      dataset: async (file) => (await datasets.at(file)) as FileDataset,
      rendered: new RenderedCache(1, new MemoryBudget()),
      together: 2,
    };
    const joins = new Joins(reading, 200);
    const { store, said } = await patiently(() =>
      joins.open(recipe, ({ file }) => datasets.inspect(file)),
    );
    expect(store.plan.report.files).toHaveLength(3000);
    const read = said.map((text) =>
      Number(
        /^The join of 3000 files is being prepared: (\d+) of them are read\.$/.exec(text)?.[1],
      ),
    );
    expect(read.length).toBeGreaterThan(2);
    expect(read).toEqual([...read].sort((a, b) => a - b));
    expect(read.at(-1)).toBeGreaterThan(0);
  });

  it("has slices of at most 10,000 chunks of all files together", async () => {
    const store = await joinedIn(datasets, await recipeOf(datasets, paths.slice(0, 300)));
    const all = [sampledRange(0, 300 * STEPS), ...[0, 0, 0].map(singleIndex)];
    const orders = (): number => datasets.reading.orders.get("slice")?.count ?? 0;
    const before = orders();
    await expect(store.slice("tas", all)).rejects.toThrow(TooLarge);
    expect(orders()).toBe(before);
    const few = [sampledRange(0, 100 * STEPS), ...[0, 0, 0].map(singleIndex)];
    expect((await store.slice("tas", few)).data.length).toBeGreaterThan(100 * STEPS);
  });

  it("is refused if it has more chunks than a store may have", async () => {
    await make("more", 600, STEPS, 200, "unwritten");
    const recipe = await recipeOf(datasets, netcdfIn(join(folder, "more")));
    await expect(joinedIn(datasets, recipe)).rejects.toThrow(TooLarge);
  });
});
