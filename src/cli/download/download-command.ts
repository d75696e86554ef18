/** Declares the command `download`. */
import { type Command, Option } from "commander";
import { TOKENS, withCredentials } from "../accounts/credentials.js";
import { withRestrictions } from "../search/options.js";
import { several } from "../terminal/key-value.js";
import type { DownloadOptions } from "./download.js";

const HELP = `
The filters are those of the command search. A download that was interrupted goes on when the command is run again, and
files that are there are not fetched again. Each file gets its name once it is complete and its checksum is right; if the
index knows no checksum, its length. A file that exists and differs stays as it is, unless --replace is given.

${TOKENS}
Public data need none.

The exit status is 0 if all files are there, 1 if some are not or nothing is found, and 2 after an error.

Examples:
  climate-nextgen download --host data.example.org cmip6 experiment_id=ssp245 variable_id=tas --to ~/cmip6
  climate-nextgen download --host data.example.org cmip6 source_id='MPI-*' --to . --layout flat --dry-run`;

export function addDownloadCommand(program: Command): void {
  const command = program
    .command("download")
    .description("download the files of a search, and go on where an earlier run ended")
    .argument("[flavour]", "flavour of the facet names, such as cmip6 (default: native)")
    .argument("[filter...]", "facet=value or facet!=value")
    .requiredOption("--to <folder>", "where the files are saved (required)")
    .option("--host <host>", "host, host:port or http(s)://host[:port][/path]")
    .option("--at-once <number>", "files that are fetched at the same time", "4")
    .addOption(
      new Option("--layout <layout>", "folders by the names of datasets, or none")
        .choices(["drs", "flat"])
        .default("drs"),
    )
    .option("--replace", "replace files that exist and differ")
    .option("--dry-run", "print the missing files and their bytes, and fetch nothing");
  withRestrictions(command)
    .option("--group-by <names>", "only complete groups: facets that make a group")
    .option("--need <pairs>", "what a group must have, as for the command search", several)
    .option("--require-all-on <names>", "facets of which a group must have all combinations");
  withCredentials(command)
    .showHelpAfterError("(climate-nextgen download --help says more)")
    .addHelpText("after", HELP)
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
    .action(async (flavour: string | undefined, filters: string[], options: DownloadOptions) => {
      const { download } = await import("./download.js");
      process.exitCode = await download(
        flavour === undefined ? [] : [flavour, ...filters],
        options,
      );
    });
}
