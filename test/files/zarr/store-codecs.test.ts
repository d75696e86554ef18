/** Values of zarr stores whose codecs have other parameters than usual: right, or refused with the reason. */
import { readFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { Datasets } from "../../../src/files/zarr/dataset/datasets.js";
import { readNpy } from "../../../src/files/zarr/slice/npy.js";
import { sampledRange } from "../../../src/files/zarr/slice/selection.js";
import { use } from "../../support/run/use.js";
import { makeFiles } from "./files.js";

const files = use(() => makeFiles("codecs"));
const datasets = new Datasets();

afterAll(() => datasets.close());

/** All values of a store's only array. */
async function valuesOf(name: string): Promise<(number | null)[]> {
  const dataset = await datasets.open(files.path(name));
  const shape = (await dataset.array("v"))?.shape ?? (await dataset.array(""))?.shape ?? [];
  const { data } = await dataset.slice(
    "",
    shape.map((length) => sampledRange(0, length)),
  );
  return [...readNpy(data).values].map((value) => (Number.isNaN(value) ? null : value));
}

const REFUSED: Readonly<Record<string, string>> = {
  "packed_swapped.zarr": "packed values of another byte order",
  "delta_of_other_type.zarr": "differences of another type",
  "shards_index_first.zarr": "shards whose index is not at their end",
  "shards_transposed.zarr": "shards with other codecs around them",
};

describe("a store", () => {
  it("has the values that zarr-python reads, or says why they are not read", async () => {
    const written = JSON.parse(readFileSync(files.path("codecs.json"), "utf8")) as Record<
      string,
      unknown[]
    >;
    expect(Object.keys(written).length).toBeGreaterThan(15);
    for (const [name, values] of Object.entries(written)) {
      const found = await valuesOf(name).catch((error: Error) => error.message);
      const reason = REFUSED[name];
      const expected =
        reason === undefined
          ? values.flat()
          : `The values are stored in a way that is not read: ${reason}.`;
      expect(found, name).toEqual(expected);
    }
  });
});
