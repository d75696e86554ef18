/** Declares the command `join`. */
import type { Command } from "commander";
import type { PlanOptions } from "./print-plan.js";

const HELP = `
Reads the headers and coordinates of the files, as the service does for joined stores (docs/joins.md). No index is needed, and
nothing is written. A list of files on standard input has one path per line.

Exit status: 0 the files can be joined, 1 they cannot, and standard error says why.

Examples:
  climate-nextgen join --plan tas_Amon_*.nc
  climate-nextgen join --plan --missing fill --json *.nc
  find . -name 'tas_*.nc' | climate-nextgen join --plan -`;

export function addJoinCommand(program: Command): void {
  program
    .command("join")
    .description("show how files are joined to one zarr store, or why they are not")
    .argument("<file...>", "files; - for a list of paths on standard input")
    .requiredOption("--plan", "print the plan; the stores themselves are made by the service")
    .option("--missing <what>", "`fill`: variables that some files lack have missing values there")
    .option("--strict", "refuse gaps and overlaps in time")
    .option("--json", "the plan as JSON, as the service gives it")
    .addHelpText("after", HELP)
    .action(async (files: string[], options: PlanOptions) => {
      const { printPlan } = await import("./print-plan.js");
      process.exitCode = await printPlan(files, options);
    });
}
