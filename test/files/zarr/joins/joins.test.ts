/** Many files as one store: each row of the table in docs/joins.md is a set of files. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FileChanged, TooLarge } from "../../../../src/files/netcdf/errors.js";
import { Datasets } from "../../../../src/files/zarr/dataset/datasets.js";
import { JoinRefused } from "../../../../src/files/zarr/errors.js";
import type { JoinedDataset } from "../../../../src/files/zarr/join/joined-dataset.js";
import { indexFile, run } from "../../../../src/files/zarr/worker/operations.js";
import { freshFolder } from "../../../support/run/folders.js";
import { type JoinCase, joinCase, makeJoins } from "./joins.js";
import { ROWS } from "./rows.js";

const folder = freshFolder();
let cases: ReadonlyMap<string, JoinCase>;
const datasets = new Datasets();

beforeAll(async () => {
  cases = new Map((await makeJoins(folder)).map((one) => [one.name, one]));
});

/** Runs when a decoder begins. The decoder is made once, and calls only the function that it was made with. */
let decoding = () => {};

afterAll(() => datasets.close());

function setOf(name: string): JoinCase {
  const one = cases.get(name);
  if (one === undefined) throw new Error(`make_joins.py makes no set ${name}.`);
  return one;
}

/** The chunks of `tas` that are not the stored bytes of a file. */
async function changedChunks(store: JoinedDataset): Promise<string[]> {
  const { variable, chunks } = store.plan.arrays.get("tas")?.plan ?? {};
  const grid = variable?.shape.map((length, d) => Math.ceil(length / (chunks?.[d] ?? 1))) ?? [];
  const changed: string[] = [];
  for (let n = 0; n < grid.reduce((product, length) => product * length, 1); n++) {
    let rest = n;
    const place = [...grid].reverse().map((length) => {
      const index = rest % length;
      rest = Math.floor(rest / length);
      return index;
    });
    const key = `tas/${place.reverse().join(".")}`;
    if ((await store.content(key)).kind !== "range") changed.push(key);
  }
  return changed;
}

/** The differences of a set from its expected values. */
async function problems(one: JoinCase): Promise<string[]> {
  const store = await joinCase(datasets, one).catch((error: unknown) => error);
  if (store instanceof Error) {
    const isExpected =
      !one.joins && store instanceof JoinRefused && new RegExp(one.says).test(store.message);
    return isExpected ? [] : [`refused: ${store.message}`];
  }
  if (!one.joins) return ["joined"];
  const { report } = (store as JoinedDataset).plan;
  const { mode } = report.arrays.find(({ name }) => name === "tas") ?? {};
  const isPassed = (await changedChunks(store as JoinedDataset)).length === 0;
  return [
    one.passed !== undefined && one.passed !== isPassed && `passed: ${isPassed}`,
    one.passed !== undefined && one.passed !== (mode === "passed") && `tas is told ${mode}`,
    (one.overlaps ?? false) !== report.overlaps.length > 0 && "overlaps",
    (one.gaps ?? false) !== report.gaps.length > 0 && "gaps",
    one.notes && !JSON.stringify(report).includes(one.notes) && `no note of ${one.notes}`,
  ].filter((problem) => typeof problem === "string" && problem !== "") as string[];
}

describe.each(Object.entries(ROWS))("a join of files: %s", (_row, sentences) => {
  it.each(Object.entries(sentences).map(([name, sentence]) => [sentence, name] as const))(
    "%s",
    async (_sentence, name) => {
      expect(await problems(setOf(name))).toEqual([]);
    },
  );
});

describe("a chunk that is made of several files", () => {
  it("is refused before anything is read if it is larger than those that are decoded", async () => {
    const [large] = await makeJoins(freshFolder(), "very_large_chunks");
    if (large === undefined) throw new Error("No set is made.");
    const store = await joinCase(datasets, large);
    const orders = () => datasets.reading.orders.get("box")?.count;
    const before = orders();
    await expect(store.content("large/0.0.0")).rejects.toThrow(TooLarge);
    await expect(store.content("large/1.0.0")).rejects.toThrow(TooLarge);
    expect(orders()).toBe(before);
  });

  it("is not made of a file that is written while it is decoded", async () => {
    const { folder: where, files } = setOf("szip");
    const path = join(where, files[1] ?? "");
    const { arrays, identity } = indexFile(path);
    const plan = arrays.get("tas");
    if (plan === undefined) throw new Error("There is no tas.");
    const box = { start: [0, 0, 0], shape: plan.variable.shape };
    const task = { kind: "box", path, identity, plan, box, to: undefined } as const;
    decoding = () => {};
    const read = () => run(task, {}, () => decoding());
    expect((await read()) as Uint8Array).toHaveLength(4 * 6 * 8 * 4);
    const content = readFileSync(path);
    decoding = () => writeFileSync(path, content);
    await expect(read()).rejects.toThrow(FileChanged);
  });
});

describe("the table of cases", () => {
  it("names each set of files that is made", () => {
    const named = Object.values(ROWS).flatMap((sentences) => Object.keys(sentences));
    expect(named.sort()).toEqual([...cases.keys()].sort());
  });
});

describe("a store of files whose global attributes differ", () => {
  it("keeps equal global attributes, lists tracking ids in the order of the files, and leaves out others", async () => {
    const text = await (await joinCase(datasets, setOf("attributes_of_files"))).document(".zattrs");
    expect(JSON.parse(text ?? "")).toEqual({
      Conventions: "CF-1.8",
      source: "a model",
      tracking_id: ["hdl:part0.nc", "hdl:part1.nc", "hdl:part2.nc"],
    });
  });
});
