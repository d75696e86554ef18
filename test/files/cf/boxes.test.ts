/** The box of a grid whose points have no position in places (boxes.py). */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { describe as describeFile } from "../../../src/files/cf/describe.js";
import { coordinateValues } from "../../../src/files/zarr/coordinate-values.js";
import { Datasets } from "../../../src/files/zarr/dataset/datasets.js";
import { packagePath } from "../../../src/platform/package-root.js";
import { runPython } from "../../support/programs/python.js";
import { freshFolder } from "../../support/run/folders.js";

const datasets = new Datasets();
const folder = freshFolder();

beforeAll(() => runPython([packagePath("test", "files", "cf", "boxes.py"), folder]));

afterAll(() => datasets.close());

async function boxOf(name: string): Promise<string | undefined> {
  const dataset = await datasets.open(join(folder, name));
  const description = await describeFile(
    await dataset.header(),
    coordinateValues(datasets, dataset),
  );
  return description.bbox;
}

it("ignores both coordinates of a point whose latitude or longitude is a fill value or out of range", async () => {
  const names = (await readdir(folder)).filter((name) => /^(both|latitude|longitude)_/.test(name));
  expect(names.length).toBe(21);
  for (const name of names) expect(await boxOf(name), name).toBe("100,149,30,59");
});

it("counts the same points if latitudes and longitudes are chunked differently", async () => {
  expect(await boxOf("chunks.nc")).toBe("100,149,30,59");
});

it("counts no point with a declared fill value", async () => {
  expect(await boxOf("declared.nc")).toBe("100,149,32,59");
});

it("counts longitudes up to 720 degrees", async () => {
  expect(await boxOf("turned.nc")).toBe("100,149,30,59");
});
