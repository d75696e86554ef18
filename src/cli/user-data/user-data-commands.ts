/** The commands about user data, as the command line shows them; each loads what it needs. */
import type { Command } from "commander";
import { withRefreshToken } from "../accounts/refresh-token.js";
import { keyValue } from "../terminal/key-value.js";
import type { AddOptions, DeleteOptions } from "./user-data.js";

const commands = () => import("./user-data.js");

/** Options that all of them have: where, and as whom. */
const ofService = (command: Command): Command =>
  withRefreshToken(command)
    .option("--host <host>", "host, host:port or http(s)://host[:port][/path]")
    .option("-u, --username <name>", "login name; asked for where it is needed");

const ADD_HELP = `
Of each file the header and the coordinates are read, by the CF conventions:
  variable        the data variables; of a CMIP file its variable_id
  time            from the first time to the last, with their bounds
  time_frequency  the attribute frequency, or else the usual step: mon, day, 6hr, ...; fx without time
  bbox            of the latitudes and longitudes, where there are such
  project, model, experiment, ensemble, ...
                  the attributes of CMIP5, CMIP6, CMIP7 and CORDEX, and the path, where it is one of
                  theirs; tracking_id, license and the like, with size and time of the file
What a file does not tell, --facet says instead, as in --facet time_frequency=mon. Other facets than
the first three hold whatever a file says, and what they contradict is told, as is what path and header
do. Files of which something cannot be told are named and left out, the others are registered; then the
exit status is 1.

In folders, files named .nc .nc3 .nc4 .cdf .netcdf .h5 .hdf5 .hdf .he5 are read, and zarr stores; hidden
ones are not. The files stay where they are.

Examples:
  climate-nextgen user-data add --dry-run ~/output
  climate-nextgen user-data add ~/output --facet project=my-project --facet model=my-model
  climate-nextgen user-data add tas_2001.nc --facet time_frequency=day --host data.example.org -u ada`;

/** Adds them to a program. */
export function addUserDataCommands(program: Command): void {
  const userData = program
    .command("user-data")
    .description("make data of your own findable on a service, and take it out again");
  ofService(userData.command("add"))
    .description("register data by its headers, or entries that a file lists")
    .argument("[path...]", "NetCDF and HDF5 files, zarr stores, and folders with such")
    .option(
      "--from <file...>",
      "entries as JSON array or JSON Lines, also gzipped, - for standard input",
    )
    .option(
      "--facet <key=value>",
      "a facet of all entries; what an entry of --from says itself wins",
      keyValue,
    )
    .option("--checksum", "read files whole for their SHA-256, and register it with them")
    .option("--dry-run", "print what would be registered as JSON Lines, and register nothing")
    .addHelpText("after", ADD_HELP)
    .action(async (paths: string[], options: AddOptions) =>
      (await commands()).addEntries(paths, options),
    );
  ofService(userData.command("delete"))
    .description("delete those of your entries for which all of -s hold; files stay where they are")
    .option(
      "-s, --search <key=value>",
      "native facet, file, uri or version; with * and ?",
      keyValue,
    )
    .option("--all", "all of your entries")
    .action(async (options: DeleteOptions) => (await commands()).deleteEntries(options));
}
