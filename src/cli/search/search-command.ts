/** The command `search`, as the command line shows it. */
import { type Command, Option } from "commander";
import { several } from "../terminal/key-value.js";
import { CELLS, FORMATS, SELECTS, type SearchOptions } from "./options.js";

const HELP = `
A filter is facet=value or facet!=value, in the names of the flavour. Values have the wildcards * and ?; commas or a
facet that is given twice mean any of them, as in variable_id=tas,pr, and a backslash before *, ? or a comma takes it
literally. All filters must hold. Paths and URIs (file=, uri=) have their commas as they are.

Without another option the paths are printed, one a line, as they come. The exit status is 0 when something is found,
1 when nothing is (a line on standard error says what is in the way), and 2 when something went wrong: then a list
that was printed may be short, and a file of --output is not there.

A token is needed for flavours of your own only. One that "climate-nextgen auth" has kept is used, or the refresh token in
the environment as CLIMATE_NEXTGEN_REFRESH_TOKEN.

Examples:
  climate-nextgen search cmip6 experiment_id=historical variable_id=tas,pr | head
  climate-nextgen search cmip6 mip_era=cmip6 source_id='MPI-*' --facets experiment_id,variable_id
  climate-nextgen search cmip6 variable_id=tas --time "1990 to 1994" --bbox -10,30,35,70 --summary
  climate-nextgen search cmip6 table_id=Amon --coverage source_id,experiment_id --cells years
  climate-nextgen search cmip6 --complete --group-by source_id,member_id --need variable_id:tas \\
                         --need "variable_id:areacella;table_id:fx;on=source_id"
  climate-nextgen search cmip6 source_id='MPI-*' --format parquet --output found.parquet`;

/** Adds it to a program. */
export function addSearchCommand(program: Command): void {
  program
    .command("search")
    .description("find data on a service: list it, count it, or say what there is of it")
    .argument("[flavour]", "whose names facets have, such as cmip6; native where it is left out")
    .argument("[filter...]", "facet=value or facet!=value")
    .option("--host <host>", "host, host:port or http(s)://host[:port][/path]")
    .option("--time <period>", '"1990 to 1994-06", "2000 to", 2000-03; fx for constant data')
    .addOption(new Option("--time-select <how>", "how data and period meet").choices(SELECTS))
    .option("--bbox <box>", "min_lon,max_lon,min_lat,max_lat")
    .addOption(new Option("--bbox-select <how>", "how data and box meet").choices(SELECTS))
    .option("--multi-version", "every version, not only the newest")
    .option("--uri", "URIs instead of paths")
    .option("--limit <number>", "so many at the most")
    .optionsGroup("What is printed instead of the list:")
    .option("--count", "how many files there are")
    .option("--facets [names]", "values of facets with their numbers of files")
    .option("--summary", "how much it is, of when, in which formats and where")
    .option("--why", "what each filter takes away, and what excludes everything")
    .option("--complete", "groups that have all that is needed, and what others lack")
    .option("--coverage <rows,columns>", "a table of two facets")
    .addOption(new Option("--cells <what>", "what the table counts").choices(CELLS))
    .addOption(new Option("--format <format>", "a table or a catalogue").choices([...FORMATS]))
    .option("--fields <names>", "facets and details of each file: columns, or tabs into a pipe")
    .option("--json", "the answer as JSON; of a list a line a file")
    .option("--output <file>", "write it there; the name is taken when all of it has come")
    .optionsGroup("Only what is complete:")
    .option("--group-by <names>", "facets that make a group, such as source_id,member_id")
    .option(
      "--need <pairs>",
      "what a group must have: facet:value;...;on=facet;from=A;to=B",
      several,
    )
    .option("--require-all-on <names>", "groups that have all combinations of the filters' values")
    .option("--near <number>", "with --complete: how many groups that lack something")
    .optionsGroup("Who you are:")
    .option("-u, --username <name>", "login name; asked for where it is needed")
    .option("--refresh-token-file <file>", "a refresh token, - for standard input")
    .showHelpAfterError("(climate-nextgen search --help says more)")
    .addHelpText("after", HELP)
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
    .action(async (flavour: string | undefined, filters: string[], options: SearchOptions) => {
      const { search } = await import("./search.js");
      process.exitCode = await search(flavour === undefined ? [] : [flavour, ...filters], options);
    });
}
