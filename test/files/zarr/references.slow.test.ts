/** xarray reads through references what it reads from the file itself. */
import { writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Datasets } from "../../../src/files/zarr/dataset/datasets.js";
import { packagePath } from "../../../src/platform/package-root.js";
import { runPython } from "../../support/programs/python.js";
import { freshFolder } from "../../support/run/folders.js";
import { attempts } from "../../support/run/trials.js";
import { use } from "../../support/run/use.js";
import { engineOf, filesForClients, makeFiles, netcdfFilesBelow } from "./files.js";
import { FORMS, type Form, writeReferences } from "./write-references.js";

/** Every difference that is allowed, and why. */
const ALLOWED: readonly { readonly difference: RegExp; readonly why: string }[] = [
  {
    difference: /^\S+: @_left_out None \[/,
    why: "what is left out is named",
  },
  {
    difference: /^elsewhere\.nc: (external|virtual) only in file$/,
    why: "values that lie in other files are left out: they may be outside the roots",
  },
  {
    difference: /^(filters\.nc: \w+|index_\w+\.nc: sparse|many_chunks\.nc: \w+) only in file$/,
    why: "no client decodes the stored chunks, or fills the holes, and they are too many to be in the references",
  },
];

const files = use(() => makeFiles());
const folder = freshFolder();
let datasets: Datasets;

beforeAll(async () => {
  datasets = new Datasets();
}, 600_000);

afterAll(() => datasets.close());

async function differences(paths: readonly string[], form: Form) {
  const pairs = [];
  for (const [number, file] of paths.entries()) {
    const engine = engineOf(file);
    const path = join(folder, String(number));
    const references = await writeReferences(await datasets.open(file), form, path);
    pairs.push({ file, references, engine });
  }
  const list = join(folder, "pairs.json");
  await writeFile(list, JSON.stringify(pairs));
  const script = packagePath("test", "files", "zarr", "compare.py");
  return JSON.parse(await runPython([script, list])) as {
    readonly variables: number;
    readonly differences: readonly string[];
  };
}

describe.each(FORMS)("references as %s", (form) => {
  it("give the values of files of all kinds", { timeout: 500_000 }, async () => {
    const found = await differences(filesForClients(files), form);
    const isAllowed = (text: string) => ALLOWED.some(({ difference }) => difference.test(text));
    expect(found.differences.filter((text) => !isAllowed(text))).toEqual([]);
    expect(found.variables).toBeGreaterThan(attempts(30, 1200));
  });

  it("give the values of the sample catalogue", { timeout: 300_000 }, async () => {
    const paths = netcdfFilesBelow(packagePath("data", "files"));
    const found = await differences(attempts(paths.slice(0, 8), paths), form);
    expect(found.differences).toEqual([]);
    expect(found.variables).toBeGreaterThan(attempts(20, 100));
    expect(paths.map((path) => basename(path)).length).toBeGreaterThan(8);
  });
});
