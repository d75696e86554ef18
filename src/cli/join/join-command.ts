/** Declares the command `join`. */
import { type Command, Option } from "commander";
import { TOKENS, withCredentials } from "../accounts/credentials.js";
import type { PlanOptions } from "./service-plans.js";

const HELP = `
The command reads the headers and coordinates of files on this machine, as the service does for joined stores (docs/joins.md). It
needs no index and writes nothing. A list of files on standard input has one path per line.

With --search the arguments are those of climate-nextgen search: a flavour and filters. The service plans a store for each
dataset that they find, and its address is printed. This needs a token.
${TOKENS}

Exit status: 0 the files can be joined, 1 they cannot, and standard error says why.

Examples:
  climate-nextgen join --plan tas_Amon_*.nc
  climate-nextgen join --plan --missing fill --json *.nc
  find . -name 'tas_*.nc' | climate-nextgen join --plan -
  climate-nextgen join --plan --search cmip6 source_id=MPI-ESM1-2-LR variable_id=tas
  climate-nextgen join --plan --search --by member cmip6 source_id=MPI-ESM1-2-LR variable_id=tas`;

export function addJoinCommand(program: Command): void {
  const command = program
    .command("join")
    .description("show how files are joined to one zarr store, or why they are not")
    .argument("<file...>", "files; - for a list of paths on standard input; with --search filters")
    .requiredOption("--plan", "print the plan; the stores themselves are made by the service")
    .option("--missing <what>", "`fill`: variables that some files lack have missing values there")
    .option("--strict", "refuse gaps and overlaps in time")
    .option(
      "--json",
      "the plan as JSON, as the service gives it; with --search one line per dataset",
    )
    .optionsGroup("For data of a service:")
    .option("--search", "plan what a search finds, by the service")
    .addOption(
      new Option("--by <what>", "what is joined to one store (default: dataset)").choices([
        ...["dataset", "member", "model", "variables"],
      ]),
    )
    .option("--host <host>", "host, host:port or http(s)://host[:port][/path]");
  withCredentials(command)
    .addHelpText("after", HELP)
    .action(async (words: string[], options: PlanOptions) => {
      const { printPlan } = await import("./print-plan.js");
      process.exitCode = await printPlan(words, options);
    });
}
