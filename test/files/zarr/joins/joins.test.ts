/** Many files as one store: each row of the table in docs/joins.md is a set of files. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Datasets } from "../../../../src/files/zarr/dataset/datasets.js";
import { type JoinCase, joinCase, makeJoins } from "./joins.js";

let folder: string;
let cases: ReadonlyMap<string, JoinCase>;
const datasets = new Datasets();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "climate-joins-"));
  cases = new Map((await makeJoins(folder)).map((one) => [one.name, one]));
});

afterAll(async () => {
  await datasets.close();
  await rm(folder, { recursive: true, force: true });
});

describe("a set of files", () => {
  it("is joined or refused by name, each as the table says", async () => {
    const found: Record<string, string> = {};
    for (const one of cases.values()) {
      const result = await joinCase(datasets, one).then(
        ({ plan: { report } }) => {
          const { mode } = report.arrays.find(({ name }) => name === "tas") ?? {};
          const problems = [
            !one.joins && "joined",
            one.passed !== undefined && one.passed !== (mode === "passed") && `tas is ${mode}`,
            (one.overlaps ?? false) !== report.overlaps.length > 0 && "overlaps",
            (one.gaps ?? false) !== report.gaps.length > 0 && "gaps",
            one.notes && !JSON.stringify(report).includes(one.notes) && `no note of ${one.notes}`,
          ];
          return problems.filter(Boolean).join(", ");
        },
        (error: Error) =>
          one.joins || !new RegExp(one.says).test(error.message) ? `refused: ${error.message}` : "",
      );
      if (result !== "") found[one.name] = result;
    }
    expect(found).toEqual({});
  });
});
