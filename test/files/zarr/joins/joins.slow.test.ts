/** Joined stores hold what their files say, read one by one by netCDF4 and cftime. There is no third outcome but a refusal. */
import { existsSync } from "node:fs";
import { copyFile, cp, mkdtemp, rename, rm, truncate, unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ReadingError } from "../../../../src/files/netcdf/errors.js";
import { Datasets } from "../../../../src/files/zarr/dataset/datasets.js";
import { JoinRefused } from "../../../../src/files/zarr/errors.js";
import type { JoinedDataset } from "../../../../src/files/zarr/join/joined-dataset.js";
import { packagePath } from "../../../../src/platform/package-root.js";
import { pythonOf, runWithInput } from "../../../support/programs/python.js";
import { attempts } from "../../../support/run/attempts.js";
import { SEED } from "../../../support/run/chance.js";
import { serveZarr, type ZarrServer } from "../server.js";
import { type JoinCase, joinCase, listJoins, makeJoins } from "./joins.js";

const COMPARE = packagePath("test", "files", "zarr", "joins", "compare_joins.py");
const datasets = new Datasets();
let server: ZarrServer;
let folder: string;
const sets = new Map<string, JoinCase>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "climate-joins-"));
  server = await serveZarr(datasets, (path) => {
    const one = sets.get(path);
    if (one === undefined) throw new Error(`There is no set ${path}.`);
    return joinCase(datasets, one);
  });
});

afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

/** Sets that differ from their files, or are refused or joined against what is expected. */
async function problemsOf(
  made: readonly JoinCase[],
  version: 2 | 3,
  interpreter?: string,
): Promise<string[]> {
  const problems: string[] = [];
  const compared: JoinCase[] = [];
  for (const one of made) {
    sets.set(one.folder, one);
    const opened = await joinCase(datasets, one).catch((error: unknown) => error);
    const isRefused = opened instanceof JoinRefused;
    if (opened instanceof Error && !isRefused) problems.push(`${one.name}: ${opened.message}`);
    else if (isRefused === one.joins) {
      problems.push(`${one.name}: ${isRefused ? opened.message : "is joined"}`);
    } else if (!isRefused) compared.push(one);
  }
  const lines = compared.map(
    (one) =>
      `${server.address(one.folder, version)}\t${one.folder}\t${interpreter === undefined ? version : ""}`,
  );
  const output = await runWithInput([COMPARE], `${lines.join("\n")}\n`, interpreter);
  const answers = output.trim().split("\n");
  expect(answers).toHaveLength(compared.length);
  for (const [i, line] of answers.entries()) {
    const told = JSON.parse(line) as string[];
    if (told.length > 0) problems.push(`${compared[i]?.name}: ${told.join("; ")}`);
  }
  return problems;
}

/** Milliseconds of a comparison of the sets in both versions of zarr. */
const LONG = 900_000;

describe("a joined store", () => {
  it("has the values, dates and attributes of its files in each case of the table, or is refused", async () => {
    const made = await makeJoins(join(folder, "cases"));
    expect(await problemsOf(made, 2)).toEqual([]);
    expect(await problemsOf(made, 3)).toEqual([]);
    expect(await problemsOf(made, 2, pythonOf("zarr2"))).toEqual([]);
    expect(server.failures).toEqual([]);
  });

  it(
    "has the values, dates and attributes of randomly differing files, or is refused",
    async () => {
      const count = String(attempts(80, 5000));
      const made = await makeJoins(join(folder, "random"), "random", String(SEED), count);
      expect(made.filter(({ joins }) => joins).length).toBeGreaterThan(Number(count) / 3);
      expect(await problemsOf(made, 2)).toEqual([]);
      expect(await problemsOf(made, 3)).toEqual([]);
      expect(server.failures).toEqual([]);
    },
    LONG,
  );
});

describe("a file that is removed, cut or replaced while it is read", () => {
  const chunk = async (
    store: JoinedDataset,
    key: string,
  ): Promise<Uint8Array | ReadingError | string> => {
    try {
      const content = await store.content(key);
      if (content.kind === "range") return await datasets.read(content.range);
      return content.kind === "bytes" ? content.data : content.kind;
    } catch (error) {
      return error instanceof ReadingError ? error : "failure";
    }
  };

  it.each(["removed", "cut", "replaced"])(
    "gives an error on its chunks, and never values that were not stored: %s",
    async (fault) => {
      for (let time = 0; time < attempts(20, 200); time++) {
        const place = join(folder, `${fault}-${time}`);
        const [one] = await makeFault(place);
        if (one === undefined) throw new Error("There is no set.");
        const store = await joinCase(datasets, one);
        const keys = Array.from({ length: 12 }, (_, step) => `tas/${step}.0.0`);
        const before = await Promise.all(keys.map((key) => chunk(store, key)));
        const damaged = join(one.folder, "part1.nc");
        const reading = Promise.all(keys.map((key) => chunk(store, key)));
        if (fault === "removed") await unlink(damaged);
        else if (fault === "cut") await truncate(damaged, 3000 + 7 * time);
        else {
          await copyFile(join(one.folder, "part0.nc"), `${damaged}.new`);
          await rename(`${damaged}.new`, damaged);
        }
        for (const found of [
          await reading,
          await Promise.all(keys.map((key) => chunk(store, key))),
        ]) {
          for (const [step, bytes] of found.entries()) {
            if (bytes instanceof Uint8Array) expect(bytes).toEqual(before[step]);
            else expect(bytes, `step ${step}`).toBeInstanceOf(ReadingError);
          }
        }
        const after = await Promise.all(keys.map((key) => chunk(store, key)));
        expect(after.slice(4, 8).every((one) => one instanceof ReadingError)).toBe(true);
        expect(after.slice(0, 4)).toEqual(before.slice(0, 4));
      }
    },
  );

  /** A copy of a set that is made once. */
  async function makeFault(place: string): Promise<JoinCase[]> {
    const made = join(folder, "sound");
    if (!existsSync(made)) await makeJoins(made, "aligned");
    await cp(made, place, { recursive: true });
    return listJoins(place);
  }
});
