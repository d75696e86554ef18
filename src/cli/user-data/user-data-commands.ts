/** Declares the commands `user-data add` and `user-data delete`; each loads its code when it runs. */
import type { Command } from "commander";
import { TOKENS, withRefreshToken } from "../accounts/credentials.js";
import { keyValue } from "../terminal/key-value.js";
import type { AddOptions, DeleteOptions } from "./user-data.js";

const commands = () => import("./user-data.js");

/** Adds the options that all these commands share. */
const ofService = (command: Command): Command =>
  withRefreshToken(command)
    .option("--host <host>", "host, host:port or http(s)://host[:port][/path]")
    .option("-u, --username <name>", "login name; the terminal asks for it if it is needed")
    .addHelpText("after", `\n${TOKENS}`);

const ADD_HELP = `
The header and the coordinates of each file are read by the CF conventions:
  variable        the data variables; of a CMIP file its variable_id
  time            from the first to the last time, with their bounds
  time_frequency  the attribute frequency, or else the usual step: mon, day, 6hr, ...; fx without time
  bbox            of the latitudes and longitudes, if any
  project, model, experiment, ensemble, ...
                  from the attributes and the path, if they follow CMIP5, CMIP6, CMIP7 or CORDEX;
                  also tracking_id, license and others, with size and time of the file
For variable, time and time_frequency, --facet supplies what a header lacks, as in --facet
time_frequency=mon. All other facets override the header. Contradictions between them, the header and
the path are reported. Files with missing facets are reported and left out; the others are registered,
and the exit status is 1.

In folders, zarr stores and files named .nc .nc3 .nc4 .cdf .netcdf .h5 .hdf5 .hdf .he5 are read, except
hidden ones. The files stay where they are.

Examples:
  climate-nextgen user-data add --dry-run ~/output
  climate-nextgen user-data add ~/output --facet project=my-project --facet model=my-model
  climate-nextgen user-data add tas_2001.nc --facet time_frequency=day --host data.example.org -u ada`;

export function addUserDataCommands(program: Command): void {
  const userData = program
    .command("user-data")
    .description("make your own data findable on a service, and remove it again");
  ofService(userData.command("add"))
    .description("register data by its headers, or entries from a file")
    .argument("[path...]", "NetCDF and HDF5 files, zarr stores, and folders of them")
    .option(
      "--from <file...>",
      "entries as JSON array or JSON Lines, also gzipped; - for standard input",
    )
    .option(
      "--facet <key=value>",
      "a facet of all entries; an entry of --from may override it",
      keyValue,
    )
    .option("--checksum", "read files completely, and register their SHA-256")
    .option("--dry-run", "print the entries as JSON Lines, and register nothing")
    .addHelpText("after", ADD_HELP)
    .action(async (paths: string[], options: AddOptions) =>
      (await commands()).addEntries(paths, options),
    );
  ofService(userData.command("delete"))
    .description("delete your entries that match all of -s; the files stay where they are")
    .option(
      "-s, --search <key=value>",
      "native facet, file, uri or version; wildcards are * and ?",
      keyValue,
    )
    .option("--all", "all of your entries")
    .action(async (options: DeleteOptions) => (await commands()).deleteEntries(options));
}
