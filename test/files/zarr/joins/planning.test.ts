/** Planning a join runs in the process that answers all requests: it keeps none of them waiting, however long the axis is. */

import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { TooLarge } from "../../../../src/files/netcdf/errors.js";
import type { Variable } from "../../../../src/files/netcdf/model.js";
import { MemoryBudget } from "../../../../src/files/zarr/body/memory-budget.js";
import { RenderedCache } from "../../../../src/files/zarr/body/rendered-cache.js";
import type { VariableForm } from "../../../../src/files/zarr/join/file-facts.js";
import { type JoinReading, Joins } from "../../../../src/files/zarr/join/joins.js";
import { planFixed } from "../../../../src/files/zarr/join/plan/fixed-variables.js";
import { planJoin } from "../../../../src/files/zarr/join/plan/plan-join.js";
import type { KnownFile } from "../../../../src/files/zarr/join/plan/planned.js";
import { inOrder } from "../../../../src/files/zarr/join/plan/segments.js";
import type { JoinFile } from "../../../../src/files/zarr/join/recipe.js";
import { expectBelow } from "../../../support/run/bounds.js";

const form = (name: string, dtype: string, more: Partial<VariableForm>): VariableForm => ({
  name,
  dimensions: [name],
  shape: [0],
  attributes: [],
  type: { kind: "plain", dtype, size: Number(dtype.slice(2)) },
  chunk: undefined,
  codecs: [],
  hasPlainEdges: false,
  isChecked: false,
  isPiece: true,
  fill: undefined,
  ...more,
});

function known(index: number, length: number, facts: Partial<KnownFile["facts"]>): KnownFile {
  const name = `tas_${index}.nc`;
  const identity = { size: 1, modified: "0", inode: "0", device: "0" };
  return {
    ...{ index, name, place: { file: `/d/${name}`, group: "", identity } },
    facts: {
      axis: { name: "time", length },
      ...{ refusal: undefined, attributes: [], leftOut: [] },
      ...{ forms: [], held: new Map(), digests: new Map() },
      ...facts,
    },
  };
}

/** The longest time for which nothing else ran while something was done. */
async function longestPause(work: () => Promise<unknown>): Promise<number> {
  let isDone = false;
  const done = work().finally(() => {
    isDone = true;
  });
  let longest = 0;
  while (!isDone) {
    const begin = performance.now();
    await setImmediate();
    longest = Math.max(longest, performance.now() - begin);
  }
  await done;
  return longest;
}

const STEPS = 20_000;

/** A file with hourly times as whole numbers, in units of its own. */
function hourly(index: number): KnownFile {
  const units = `hours since 1900-01-01 00:00:${String(index).padStart(2, "0")}`;
  const attributes = [{ name: "units", value: { kind: "text", value: units } }] as const;
  const times = BigInt64Array.from({ length: STEPS }, (_, i) => BigInt(index * STEPS + i));
  return known(index, STEPS, {
    forms: [form("time", "<i8", { attributes })],
    held: new Map([["time", new Uint8Array(times.buffer)]]),
  });
}

const recipeOf = (files: readonly KnownFile[]) => ({
  ...({ kind: "dataset", fillsMissing: false, isStrict: false } as const),
  files: files.map(({ place }) => place),
});

describe("a join of half a million times in many units", () => {
  it("is planned in slices, between which other requests are answered", async () => {
    const files = Array.from({ length: 25 }, (_, i) => hourly(i));
    const steps: number[] = [];
    const pause = await longestPause(async () => {
      const { report } = await planJoin(recipeOf(files), files, () => Promise.reject(new Error()));
      steps.push(report.axis.steps);
    });
    expect(steps).toEqual([25 * STEPS]);
    expectBelow(pause, 1500);
  });
});

describe("a file of two million times, and others of one that it has", () => {
  it("are put in order in the time of one search in each", () => {
    const long = { name: "long", times: Float64Array.from({ length: 2_000_000 }, (_, i) => i * 9) };
    const short = Array.from({ length: 9999 }, (_, i) => ({
      name: `short ${i}`,
      times: Float64Array.of(0),
    }));
    const begin = performance.now();
    const { segments, overlaps } = inOrder([long, ...short]);
    expectBelow(performance.now() - begin, 5000);
    expect(segments.map(({ file, from, to }) => [file.name, from, to])).toEqual([
      ["long", 0, 2_000_000],
    ]);
    expect(overlaps).toHaveLength(9999);
  });
});

describe("a variable without times that all files share", () => {
  const shape = [20_000, 20_000];
  const orog = form("orog", "<f4", { dimensions: ["y", "x"], shape });
  const variable: Variable = {
    ...{ name: "orog", dimensions: orog.dimensions, shape, storedShape: shape },
    ...{ attributes: [], type: orog.type, stored: { kind: "as-is", size: 4 } },
    ...{ storage: { kind: "absent" }, fill: undefined, padding: undefined },
  };
  const tooLarge = () => Promise.reject(new TooLarge("more than is decoded at once"));
  const withDigest = (index: number, digest: string) =>
    known(index, 1, { forms: [orog], digests: new Map([["orog", digest]]) });
  const planned = (...digests: readonly string[]) =>
    planFixed(
      "orog",
      digests.map((digest, i) => withDigest(i, digest)),
      new Set(),
      async () => ({
        variable,
        bytes: tooLarge,
      }),
    );

  it("is joined by its digests, also if it is larger than what is decoded at once", async () => {
    expect((await planned("same", "same")).array.origin).toEqual({ kind: "fixed", file: 0 });
  });

  it("is refused if the digests differ", async () => {
    await expect(planned("same", "other")).rejects.toThrow(
      "The values of orog differ in tas_0.nc and tas_1.nc.",
    );
  });
});

describe("joins of files with very many times", () => {
  /** Bytes of the times of one file. */
  const BYTES = 16 << 20;

  /** Joins of files with very many times, and the number of files that they have read. */
  function wide() {
    const read = { files: 0 };
    const reading: JoinReading = {
      facts: async () => {
        read.files += 1;
        await setImmediate();
        return known(0, 1, { held: new Map([["time", new Uint8Array(BYTES)]]) }).facts;
      },
      dataset: () => Promise.reject(new Error("no file is needed")),
      rendered: new RenderedCache(1, new MemoryBudget()),
      together: 4,
    };
    return { joins: new Joins(reading), read };
  }

  const open = (joins: Joins, name: string, files: number) =>
    joins.open(
      recipeOf(Array.from({ length: files }, (_, i) => known(i, 1, { axis: { name, length: i } }))),
      async ({ file, identity }: JoinFile) => ({
        ...{ path: `${name}${file}`, real: file, identity, isFolder: false },
        ...{ uid: 0, changed: 0n },
      }),
    );

  it("are refused as soon as they take more memory than a plan may", async () => {
    const { joins, read } = wide();
    await expect(open(joins, "a", 1000)).rejects.toThrow(TooLarge);
    expect(read.files).toBeLessThan(30);
  });
});
