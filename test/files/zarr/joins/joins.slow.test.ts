/** Joined stores hold what their files say, read one by one by netCDF4 and cftime. There is no third outcome but a refusal. */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as zarr from "zarrita";
import { Datasets } from "../../../../src/files/zarr/dataset/datasets.js";
import { JoinRefused } from "../../../../src/files/zarr/errors.js";
import { planReferences } from "../../../../src/files/zarr/references/plan.js";
import { packagePath } from "../../../../src/platform/package-root.js";
import { pythonOf, runPython, runWithInput } from "../../../support/programs/python.js";
import { freshFolder } from "../../../support/run/folders.js";
import { attempts, SEED } from "../../../support/run/trials.js";
import { serveZarr, type ZarrServer } from "../server.js";
import { type Form, writeReferences } from "../write-references.js";
import { digestOf } from "../zarrita-digest.js";
import { type JoinCase, joinCase, joinedIn, makeJoins, netcdfIn, recipeOf } from "./joins.js";

const COMPARE = packagePath("test", "files", "zarr", "joins", "compare_joins.py");
const datasets = new Datasets();
let server: ZarrServer;
const folder = freshFolder();
const sets = new Map<string, JoinCase>();
const RANDOM = attempts(40, 1000);
/** Milliseconds to make or to compare all sets in one version of zarr. */
const LONG = 3_600_000;
let cases: JoinCase[];
let random: JoinCase[];

beforeAll(async () => {
  cases = await makeJoins(join(folder, "cases"));
  random = await makeJoins(join(folder, "random"), "random", String(SEED), String(RANDOM));
  server = await serveZarr(datasets, (path) => {
    const one = sets.get(path);
    if (one === undefined) throw new Error(`There is no set ${path}.`);
    return joinCase(datasets, one);
  });
}, LONG);

afterAll(() => server.close());

/** A set's differences from its files in words, and digests of its stored values as zarr-python reads them. */
interface Compared {
  readonly problems: readonly string[];
  readonly digests: Readonly<Record<string, string>>;
}

/** The sets that are joined; one that is refused or joined against what is expected is added to the problems. */
async function joinedOf(made: readonly JoinCase[], problems: string[]): Promise<JoinCase[]> {
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
  return compared;
}

/** Sets that differ from their files, or are refused or joined against what is expected. */
async function problemsOf(
  made: readonly JoinCase[],
  version: 2 | 3,
  interpreter?: string,
): Promise<string[]> {
  const problems: string[] = [];
  const compared = await joinedOf(made, problems);
  const addresses = compared.map((one) => server.address(one.folder, version));
  const lines = compared.map(
    (one, i) => `${addresses[i]}\t${one.folder}\t${interpreter === undefined ? version : ""}\n`,
  );
  for (const [i, answer] of (await comparisonOf(lines, interpreter)).entries()) {
    const others = await zarritaProblems(addresses[i] ?? "", version, answer.digests);
    const told = [...answer.problems, ...others];
    if (told.length > 0) problems.push(`${compared[i]?.name}: ${told.join("; ")}`);
  }
  return problems;
}

/** @param lines of addresses or references, as compare_joins.py reads them */
async function comparisonOf(lines: readonly string[], interpreter?: string): Promise<Compared[]> {
  const output = await runWithInput([COMPARE], lines.join(""), interpreter);
  const answers = output.trim().split("\n");
  expect(answers).toHaveLength(lines.length);
  return answers.map((line) => JSON.parse(line) as Compared);
}

/** Sets whose references differ from their files. */
async function referenceProblems(
  made: readonly JoinCase[],
  form: Form,
  environment: "data" | "zarr2",
): Promise<string[]> {
  const problems: string[] = [];
  const compared = await joinedOf(made, problems);
  const lines: string[] = [];
  for (const one of compared) {
    const path = join(one.folder, `references-${form}-${environment}`);
    const references = await writeReferences(await joinCase(datasets, one), form, path);
    lines.push(`${references}\t${one.folder}\t${environment === "data" ? 2 : ""}\n`);
  }
  const answers = await comparisonOf(lines, pythonOf(environment));
  for (const [i, { problems: told }] of answers.entries())
    if (told.length > 0) problems.push(`${compared[i]?.name}: ${told.join("; ")}`);
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

describe("a joined store", () => {
  it.each([2, 3] as const)(
    "has the values, dates and attributes of its files in each case of the table, or is refused, as zarr v%i",
    async (version) => {
      expect(await problemsOf(cases, version)).toEqual([]);
      expect(server.failures).toEqual([]);
    },
    LONG,
  );

  it("has the values, dates and attributes of its files in each case of the table, or is refused, for zarr-python 2", async () => {
    expect(await problemsOf(cases, 2, pythonOf("zarr2"))).toEqual([]);
    expect(server.failures).toEqual([]);
  });

  it.each([2, 3] as const)(
    "has the values, dates and attributes of randomly differing files, or is refused, as zarr v%i",
    async (version) => {
      expect(random.filter(({ joins }) => joins).length).toBeGreaterThan(RANDOM / 3);
      expect(await problemsOf(random, version)).toEqual([]);
      expect(server.failures).toEqual([]);
    },
    LONG,
  );
});

describe("references to the files of a joined store", () => {
  it.each([
    ["JSON", "zarr-python 3", "json", "data"],
    ["Parquet", "zarr-python 3", "parquet", "data"],
    ["JSON", "zarr-python 2", "json", "zarr2"],
  ] as const)(
    "give the values, dates and attributes of the files in each case of the table, as %s for %s",
    async (_form, _client, form, environment) => {
      expect(await referenceProblems(cases, form, environment)).toEqual([]);
    },
    LONG,
  );

  it(
    "give the values, dates and attributes of randomly differing files",
    async () => {
      const all = ["random", String(SEED + 1), String(attempts(10, 200))];
      const made = await makeJoins(join(folder, "references-random"), ...all);
      expect(await referenceProblems(made, "json", "data")).toEqual([]);
    },
    LONG,
  );

  it("leave out by name a variable whose chunks are no ranges of the files and are too long for references", async () => {
    const place = join(folder, "large");
    const make = packagePath("test", "files", "zarr", "joins", "make_joins.py");
    // Three files of 5 steps in chunks of 2: 19 MB, which are decoded.
    await runPython([make, place, "bench", "3", "5", "400", "800", "2"]);
    const store = await joinedIn(datasets, await recipeOf(datasets, netcdfIn(place)));
    const plan = await planReferences(store, 1000, undefined, new AbortController().signal);
    expect(plan.arrays.map(({ path }) => path)).toContain("time");
    expect(plan.arrays.map(({ path }) => path)).not.toContain("tas");
    const attributes = JSON.parse(plan.documents.get(".zattrs") ?? "") as { _left_out: string[] };
    expect(attributes._left_out).toEqual([
      "tas: its values have to be decoded, and are too many for references",
    ]);
  });
});
