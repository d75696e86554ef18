/** A file of a joined store that goes, breaks or changes while it is read: an error, and never values that nobody stored. */
import { copyFile, cp, rename, truncate, unlink } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ReadingError } from "../../../../src/files/netcdf/errors.js";
import { Datasets } from "../../../../src/files/zarr/dataset/datasets.js";
import type { JoinedDataset } from "../../../../src/files/zarr/join/joined-dataset.js";
import type { Recipe } from "../../../../src/files/zarr/join/recipe.js";
import { packagePath } from "../../../../src/platform/package-root.js";
import { runWithInput } from "../../../support/programs/python.js";
import { freshFolder } from "../../../support/run/folders.js";
import { attempts } from "../../../support/run/trials.js";
import { serveZarr, type ZarrServer } from "../server.js";
import { joinedIn, makeJoins, netcdfIn, recipeOf } from "./joins.js";

const FAULTS = ["removed", "cut", "replaced"] as const;
const READ = packagePath("test", "files", "zarr", "joins", "read_while_broken.py");
const BROKEN = "part1.nc";

const datasets = new Datasets();
/** By the folders of their files: a recipe belongs to the files as they were when it was made. */
const recipes = new Map<string, Recipe>();
let server: ZarrServer;
const folder = freshFolder();

beforeAll(async () => {
  await makeJoins(join(folder, "sound"), "aligned");
  server = await serveZarr(datasets, (path) => opened(path));
});

afterAll(() => server.close());

/** A folder with copies of the files. */
async function copied(name: string): Promise<string> {
  const place = join(folder, name);
  await cp(join(folder, "sound", "aligned"), place, { recursive: true });
  recipes.set(place, await recipeOf(datasets, netcdfIn(place)));
  return place;
}

function opened(place: string): Promise<JoinedDataset> {
  const recipe = recipes.get(place);
  if (recipe === undefined) throw new Error(`There is no join of ${place}.`);
  return joinedIn(datasets, recipe);
}

describe("a joined store that xarray reads", () => {
  it.each(FAULTS)(
    "raises once a file is %s in the middle of reading, and no value is missing that was stored",
    async (fault) => {
      const lines: string[] = [];
      for (let time = 0; time < attempts(50, 500); time++) {
        const place = await copied(`read-${fault}-${time}`);
        lines.push(
          [server.address(place, time % 2 ? 2 : 3), place, BROKEN, fault, time].join("\t"),
        );
      }
      const output = await runWithInput([READ], `${lines.join("\n")}\n`);
      const answers = output.trim().split("\n");
      expect(answers).toHaveLength(lines.length);
      expect(answers.filter((answer) => answer !== "[]")).toEqual([]);
    },
    600_000,
  );
});

/** The bytes of a chunk; its kind, or the error. */
async function chunk(
  store: JoinedDataset,
  key: string,
): Promise<Uint8Array | ReadingError | string> {
  try {
    const content = await store.content(key);
    if (content.kind === "range") return await datasets.read(content.range);
    return content.kind === "bytes" ? content.data : content.kind;
  } catch (error) {
    return error instanceof ReadingError ? error : "failure";
  }
}

describe("the chunks of a joined store", () => {
  it.each(FAULTS)(
    "are the stored ones or errors at the moment in which a file is %s",
    async (fault) => {
      for (let time = 0; time < attempts(20, 200); time++) {
        const place = await copied(`${fault}-${time}`);
        const store = await opened(place);
        const keys = Array.from({ length: 12 }, (_, step) => `tas/${step}.0.0`);
        const all = () => Promise.all(keys.map((key) => chunk(store, key)));
        const before = await all();
        const damaged = join(place, BROKEN);
        const reading = all();
        if (fault === "removed") await unlink(damaged);
        else if (fault === "cut") await truncate(damaged, 3000 + 7 * time);
        else {
          await copyFile(join(place, "part0.nc"), `${damaged}.new`);
          await rename(`${damaged}.new`, damaged);
        }
        for (const found of [await reading, await all()]) {
          for (const [step, bytes] of found.entries()) {
            if (bytes instanceof Uint8Array) expect(bytes).toEqual(before[step]);
            else expect(bytes, `step ${step}`).toBeInstanceOf(ReadingError);
          }
        }
        const after = await all();
        expect(after.slice(4, 8).every((one) => one instanceof ReadingError)).toBe(true);
        expect(after.slice(0, 4)).toEqual(before.slice(0, 4));
      }
    },
  );
});
