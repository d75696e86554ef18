/** Files that were cut off; test/attack/files/damage.slow.test.ts has all other damage. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { indexFile } from "../../../src/files/zarr/worker/operations.js";
import { makeFiles, type TestFiles } from "../zarr/files.js";

let files: TestFiles;
let folder: string;

beforeAll(async () => {
  files = await makeFiles("small");
  folder = await mkdtemp(join(tmpdir(), "climate-damage-"));
});

afterAll(async () => {
  await files.remove();
  await rm(folder, { recursive: true, force: true });
});

describe("a file that was cut off", () => {
  it.each(["small_old.nc", "small_new.nc", "small_shared.nc", "small_3.nc", "small_5.nc"])(
    "%s is refused as damaged",
    async (name) => {
      const original = await readFile(files.path(name));
      const path = join(folder, `cut-${name}`);
      for (const share of [0.5, 0.9, 0.99]) {
        await writeFile(path, original.subarray(0, Math.floor(original.length * share)));
        expect(() => indexFile(path)).toThrow(expect.objectContaining({ kind: "damaged-file" }));
      }
    },
  );
});
