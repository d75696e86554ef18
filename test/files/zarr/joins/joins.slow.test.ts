/** Joined stores hold what their files say, read one by one by netCDF4 and cftime. There is no third outcome but a refusal. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as zarr from "zarrita";
import { Datasets } from "../../../../src/files/zarr/dataset/datasets.js";
import { JoinRefused } from "../../../../src/files/zarr/errors.js";
import { packagePath } from "../../../../src/platform/package-root.js";
import { pythonOf, runWithInput } from "../../../support/programs/python.js";
import { attempts } from "../../../support/run/attempts.js";
import { SEED } from "../../../support/run/chance.js";
import { serveZarr, type ZarrServer } from "../server.js";
import { digestOf } from "../zarrita-digest.js";
import { type JoinCase, joinCase, makeJoins } from "./joins.js";

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

/** A set's differences from its files in words, and digests of its stored values as zarr-python reads them. */
interface Compared {
  readonly problems: readonly string[];
  readonly digests: Readonly<Record<string, string>>;
}

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
  const addresses = compared.map((one) => server.address(one.folder, version));
  const lines = compared.map(
    (one, i) => `${addresses[i]}\t${one.folder}\t${interpreter === undefined ? version : ""}\n`,
  );
  const output = await runWithInput([COMPARE], lines.join(""), interpreter);
  const answers = output.trim().split("\n");
  expect(answers).toHaveLength(compared.length);
  for (const [i, line] of answers.entries()) {
    const answer = JSON.parse(line) as Compared;
    const others = await zarritaProblems(addresses[i] ?? "", version, answer.digests);
    const told = [...answer.problems, ...others];
    if (told.length > 0) problems.push(`${compared[i]?.name}: ${told.join("; ")}`);
  }
  return problems;
}

/** Arrays that zarrita reads differently from zarr-python. */
async function zarritaProblems(
  address: string,
  version: 2 | 3,
  digests: Compared["digests"],
): Promise<string[]> {
  const open = version === 2 ? zarr.open.v2 : zarr.open.v3;
  const problems: string[] = [];
  for (const [name, digest] of Object.entries(digests)) {
    const at = zarr.root(new zarr.FetchStore(address)).resolve(name);
    const found = await open(at, { kind: "array" }).then(
      (array) => digestOf(array),
      (error: unknown) => error,
    );
    if (found !== digest) problems.push(`zarrita ${name} ${found instanceof Error ? found : ""}`);
  }
  return problems;
}

/** Milliseconds of a comparison of the sets in both versions of zarr. */
const LONG = 3_600_000;

describe("a joined store", () => {
  it.each([2, 3] as const)(
    "has the values, dates and attributes of its files in each case of the table, or is refused, as zarr v%i",
    async (version) => {
      const made = await makeJoins(join(folder, `cases${version}`));
      expect(await problemsOf(made, version)).toEqual([]);
      expect(server.failures).toEqual([]);
    },
  );

  it("has the values, dates and attributes of its files in each case of the table, or is refused, for zarr-python 2", async () => {
    const made = await makeJoins(join(folder, "cases"));
    expect(await problemsOf(made, 2, pythonOf("zarr2"))).toEqual([]);
    expect(server.failures).toEqual([]);
  });

  it.each([2, 3] as const)(
    "has the values, dates and attributes of randomly differing files, or is refused, as zarr v%i",
    async (version) => {
      const count = attempts(80, 1000);
      const all = ["random", String(SEED), String(count)];
      const made = await makeJoins(join(folder, `random${version}`), ...all);
      expect(made.filter(({ joins }) => joins).length).toBeGreaterThan(count / 3);
      expect(await problemsOf(made, version)).toEqual([]);
      expect(server.failures).toEqual([]);
    },
    LONG,
  );
});
