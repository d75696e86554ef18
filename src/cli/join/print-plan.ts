/** The command `join --plan`: plans a join of files on this machine. */
import { resolve } from "node:path";
import { text } from "node:stream/consumers";
import { ReadingError } from "../../files/netcdf/errors.js";
import { Datasets } from "../../files/zarr/dataset/datasets.js";
import { JoinPreparing, JoinRefused } from "../../files/zarr/errors.js";
import type { JoinedDataset } from "../../files/zarr/join/joined-dataset.js";
import type { JoinReport } from "../../files/zarr/join/plan/planned.js";
import { MAX_FILES, type Recipe } from "../../files/zarr/join/recipe.js";
import { UserError } from "../../platform/errors.js";
import { printLine, report } from "../terminal/print-line.js";
import { printable } from "../terminal/printable.js";

export interface PlanOptions {
  readonly missing?: string;
  readonly strict?: boolean;
  readonly json?: boolean;
}

/** @returns the exit status */
export async function printPlan(files: readonly string[], options: PlanOptions): Promise<number> {
  if (options.missing !== undefined && options.missing !== "fill") {
    throw new UserError("--missing takes `fill` only.");
  }
  const paths = await pathsOf(files);
  const datasets = new Datasets();
  try {
    const { plan } = await opened(datasets, await recipeOf(datasets, paths, options));
    if (options.json) await printLine(JSON.stringify({ state: "joined", ...plan.report }));
    else for (const line of lines(plan.report)) await printLine(printable(line));
    return 0;
  } catch (error) {
    if (!(error instanceof ReadingError)) throw error;
    if (options.json && error instanceof JoinRefused) {
      await printLine(JSON.stringify({ state: "refused", reason: error.message }));
    }
    report(printable(error.message));
    return 1;
  } finally {
    await datasets.close();
  }
}

async function pathsOf(files: readonly string[]): Promise<string[]> {
  const listed = await Promise.all(
    files.map(async (file) => (file === "-" ? (await text(process.stdin)).split("\n") : [file])),
  );
  const paths = [
    ...new Set(
      listed
        .flat()
        .filter((path) => path !== "")
        .map((path) => resolve(path)),
    ),
  ];
  if (paths.length === 0) throw new UserError("The list has no files.");
  if (paths.length > MAX_FILES) {
    throw new UserError(`The list has ${paths.length} files, and at most ${MAX_FILES} are joined.`);
  }
  return paths;
}

/** @throws UserError if a file cannot be found or opened */
async function recipeOf(
  datasets: Datasets,
  paths: readonly string[],
  { missing, strict = false }: PlanOptions,
): Promise<Recipe> {
  const files = [];
  for (const file of paths) {
    const { identity } = await datasets.inspect(file).catch((error: unknown) => {
      throw error instanceof ReadingError ? new UserError(`${file}: ${error.message}`) : error;
    });
    files.push({ file, group: "", identity });
  }
  return { kind: "dataset", fillsMissing: missing === "fill", isStrict: strict, files };
}

/** Waits for as long as planning takes, and says how far it is. */
async function opened(datasets: Datasets, recipe: Recipe): Promise<JoinedDataset> {
  for (;;) {
    try {
      return await datasets.joined(recipe, ({ file }) => datasets.inspect(file));
    } catch (error) {
      if (!(error instanceof JoinPreparing)) throw error;
      report(error.message);
    }
  }
}

function* lines({ axis, files, arrays, gaps, overlaps, notes }: JoinReport): Generator<string> {
  yield `${files.length} files, ${axis.steps} steps along ${axis.name} in ${axis.units} (${axis.calendar})`;
  for (const { file, first, last, steps } of files)
    yield `  ${first} to ${last}  ${steps}  ${file}`;
  yield "variables";
  for (const { name, mode, chunks, passed, reasons } of arrays) {
    yield `  ${name}: ${mode}, ${passed} of ${chunks} chunks as stored${reasons.length > 0 ? `. ${reasons.join(" ")}` : ""}`;
  }
  for (const [title, sentences] of Object.entries({ gaps, overlaps, notes })) {
    if (sentences.length === 0) continue;
    yield title;
    for (const sentence of sentences) yield `  ${sentence}`;
  }
}
