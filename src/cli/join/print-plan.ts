/** The command `join --plan`: plans a join of files on this machine, or shows those of a service. */
import { resolve } from "node:path";
import { text } from "node:stream/consumers";
import { ReadingError } from "../../files/netcdf/errors.js";
import { Datasets } from "../../files/zarr/dataset/datasets.js";
import { JoinPreparing, JoinRefused } from "../../files/zarr/errors.js";
import type { JoinedDataset } from "../../files/zarr/join/joined-dataset.js";
import { type JoinReport, MODES } from "../../files/zarr/join/plan/planned.js";
import { MAX_FILES, type Recipe } from "../../files/zarr/join/recipe.js";
import { UserError } from "../../platform/errors.js";
import { count } from "../terminal/plurals.js";
import { printLine, report } from "../terminal/print-line.js";
import { printable } from "../terminal/printable.js";
import { type PlanOptions, servicePlans } from "./service-plans.js";

/** @param words files, or the words of a search @returns the exit status */
export async function printPlan(words: readonly string[], options: PlanOptions): Promise<number> {
  const { missing, search, by, host } = options;
  if (missing !== undefined && missing !== "fill") {
    throw new UserError("--missing takes `fill` only.");
  }
  if (search) return printSearch(words, options);
  if ((by ?? host) !== undefined) throw new UserError("--by and --host are for --search.");
  return printFiles(words, options);
}

/** Prints the plan of each dataset that a search finds. */
async function printSearch(words: readonly string[], options: PlanOptions): Promise<number> {
  let isRefused = false;
  for await (const { joined, ...store } of servicePlans(words, options)) {
    if (joined?.state === "refused") isRefused = true;
    if (options.json) {
      await printLine(JSON.stringify({ ...store, ...(joined && { plan: joined }) }));
      continue;
    }
    for (const line of [store.name, store.url, ...store.notes]) await printLine(printable(line));
    if (joined === undefined) await printLine("a single file, which is not joined");
    else if (joined.state === "refused") report(printable(`${store.name}: ${joined.reason}`));
    else for (const line of lines(joined as JoinReport)) await printLine(printable(line));
    await printLine("");
  }
  return isRefused ? 1 : 0;
}

async function printFiles(files: readonly string[], options: PlanOptions): Promise<number> {
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
  yield `${count(files.length, "file")}, ${count(axis.steps, "step")} along ${axis.name} in ${axis.units} (${axis.calendar})`;
  for (const { file, group, first, last, steps } of files)
    yield `  ${group === "" ? "" : `${group}  `}${first} to ${last}  ${count(steps, "step")}  ${file}`;
  yield "variables";
  for (const { name, mode, chunks, passed, reasons } of arrays) {
    const those =
      mode === "mixed" ? `${passed} of ${count(chunks, "chunk")}` : count(chunks, "chunk");
    const how = `${MODES[mode]}${mode === "mixed" ? `: ${those} as stored` : ` (${those})`}`;
    yield `  ${name}: ${how}${reasons.length > 0 ? `. ${reasons.join(" ")}` : ""}`;
  }
  for (const [title, sentences] of Object.entries({ gaps, overlaps, notes })) {
    if (sentences.length === 0) continue;
    yield title;
    for (const sentence of sentences) yield `  ${sentence}`;
  }
}
