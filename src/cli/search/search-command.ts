/** Declares the command `search`. */
import { type Command, Option } from "commander";
import { TOKENS, withCredentials } from "../accounts/credentials.js";
import { several } from "../terminal/key-value.js";
import { CELLS, FORMATS, type SearchOptions, withRestrictions } from "./options.js";

const HELP = `
A filter is facet=value or facet!=value, with the facet names of the flavour. Values may contain the wildcards * and ?.
Several values of a facet mean any of them: separate them by commas, as in variable_id=tas,pr, or repeat the facet. A
backslash before *, ? or a comma takes it literally. All filters must match. In file= and uri= commas are literal.

By default the paths are printed, one per line. The exit status is 0 if something is found, 1 if nothing is (a line on
standard error says which filter to change), and 2 after an error: a printed list may then be incomplete, and the file of
--output is not written.

A token is needed only for your own flavours, and for names of users.
${TOKENS}

Examples:
  climate-nextgen search cmip6 experiment_id=historical variable_id=tas,pr | head
  climate-nextgen search cmip6 mip_era=cmip6 source_id='MPI-*' --facets experiment_id,variable_id
  climate-nextgen search cmip6 variable_id=tas --time "1990 to 1994" --bbox -10,30,35,70 --summary
  climate-nextgen search cmip6 table_id=Amon --coverage source_id,experiment_id --cells years
  climate-nextgen search cmip6 --complete --group-by source_id,member_id --need variable_id:tas \\
                         --need "variable_id:areacella;table_id:fx;on=source_id"
  climate-nextgen search cmip6 source_id='MPI-*' --format parquet --output found.parquet`;

export function addSearchCommand(program: Command): void {
  const command = program
    .command("search")
    .description("find data on a service: list, count or summarise it")
    .argument("[flavour]", "flavour of the facet names, such as cmip6 (default: native)")
    .argument("[filter...]", "facet=value or facet!=value")
    .option("--host <host>", "host, host:port or http(s)://host[:port][/path]");
  withRestrictions(command)
    .option("--uri", "print URIs instead of paths")
    .option("--limit <number>", "print this many at most")
    .optionsGroup("Output instead of the list:")
    .option("--count", "number of files")
    .option(
      "--facets [names]",
      "values of facets with their numbers of files (default: all facets)",
    )
    .option("--summary", "size, period, formats and storage of the data")
    .option("--why", "how many files each filter excludes")
    .option("--complete", "groups that are complete, and what other groups lack")
    .option("--coverage <rows,columns>", "a table of two facets")
    .addOption(new Option("--cells <what>", "what the table counts").choices(CELLS))
    .addOption(new Option("--format <format>", "a table or a catalogue").choices([...FORMATS]))
    .option("--fields <names>", "facets and details of each file; separated by tabs in a pipe")
    .option("--json", "JSON; for a list one line per file")
    .option("--output <file>", "write to a file, which gets its name once it is complete")
    .optionsGroup("Only complete groups:")
    .option("--group-by <names>", "facets that make a group, such as source_id,member_id")
    .option(
      "--need <pairs>",
      "what a group must have: facet:value;...;on=facet;from=A;to=B",
      several,
    )
    .option(
      "--require-all-on <names>",
      "facets of which a group must have all combinations of the filters' values",
    )
    .option("--near <number>", "with --complete: number of incomplete groups to print")
    .optionsGroup("Credentials:");
  withCredentials(command)
    .showHelpAfterError("(climate-nextgen search --help says more)")
    .addHelpText("after", HELP)
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
    .action(async (flavour: string | undefined, filters: string[], options: SearchOptions) => {
      const { search } = await import("./search.js");
      process.exitCode = await search(flavour === undefined ? [] : [flavour, ...filters], options);
    });
}
