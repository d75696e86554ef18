/** Sets of files that are joined, made by make_joins.py. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Datasets } from "../../../../src/files/zarr/dataset/datasets.js";
import type { JoinedDataset } from "../../../../src/files/zarr/join/joined-dataset.js";
import type { JoinOptions, Recipe } from "../../../../src/files/zarr/join/recipe.js";
import { packagePath } from "../../../../src/platform/package-root.js";
import { runPython } from "../../../support/programs/python.js";

/** What is expected of a set. */
export interface JoinCase {
  readonly name: string;
  readonly folder: string;
  readonly files: readonly string[];
  readonly joins: boolean;
  /** A regular expression of the refusal. */
  readonly says: string;
  /** Whether all chunks of `tas` are stored bytes of the files; undefined: either. */
  readonly passed?: boolean;
  readonly missing?: boolean;
  readonly strict?: boolean;
  /** Left out: files of one dataset. Groups are the names of the files up to the first underscore. */
  readonly kind?: JoinOptions["kind"];
  readonly overlaps?: boolean;
  readonly gaps?: boolean;
  /** A part of a note. */
  readonly notes?: string;
}

/** @param names of cases; none for all. `random`, a seed and a number for random sets */
export async function makeJoins(folder: string, ...names: string[]): Promise<JoinCase[]> {
  await runPython([
    packagePath("test", "files", "zarr", "joins", "make_joins.py"),
    folder,
    ...names,
  ]);
  return listJoins(folder);
}

/** The files in a folder, by name. */
export const netcdfIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".nc"))
    .sort()
    .map((name) => join(folder, name));

/** The sets below a folder. */
function listJoins(folder: string): JoinCase[] {
  return readdirSync(folder)
    .sort()
    .map((name) => ({
      ...(JSON.parse(readFileSync(join(folder, name, "case.json"), "utf8")) as JoinCase),
      name,
      folder: join(folder, name),
    }));
}

const PLAIN: JoinOptions = { kind: "dataset", fillsMissing: false, isStrict: false };

/** The recipe of files in their present state. @param groups the group of each file; left out: one */
export async function recipeOf(
  datasets: Datasets,
  paths: readonly string[],
  options: Partial<JoinOptions> = {},
  groups: readonly string[] = [],
): Promise<Recipe> {
  const files = await Promise.all(
    paths.map(async (file, i) => {
      const { identity } = await datasets.inspect(file);
      return { file, group: groups[i] ?? "", identity };
    }),
  );
  return { ...PLAIN, ...options, files };
}

/** Opens a recipe without any checks of access. */
export const joinedIn = (datasets: Datasets, recipe: Recipe): Promise<JoinedDataset> =>
  datasets.joined(recipe, ({ file }) => datasets.inspect(file));

/** Opens the set of a case. */
export async function joinCase(datasets: Datasets, one: JoinCase): Promise<JoinedDataset> {
  const paths = one.files.map((file) => join(one.folder, file));
  const kind = one.kind ?? "dataset";
  const groups = kind === "dataset" ? [] : one.files.map((file) => file.split("_")[0] ?? "");
  const options = { kind, fillsMissing: one.missing ?? false, isStrict: one.strict ?? false };
  const recipe = await recipeOf(datasets, paths, options, groups);
  return joinedIn(datasets, recipe);
}
