/** The command `doctor`, as the command line shows it. */
import { type Command, InvalidArgumentError } from "commander";
import { UserError } from "../../platform/errors.js";
import { OutputClosed } from "../../platform/output.js";
import type { Config } from "../../server/config.js";
import { keyValue } from "../terminal/key-value.js";
import type { DoctorOptions } from "./doctor.js";

type Values = Readonly<Record<string, readonly string[]>>;

/** @throws InvalidArgumentError */
const several = (text: string, before: Values = {}): Values => {
  try {
    const [[key, value] = ["", ""]] = Object.entries(keyValue(text));
    return { ...before, [key]: [...(before[key] ?? []), value] };
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
};

/** Seconds. @throws InvalidArgumentError */
function seconds(text: string): number {
  const value = Number(text);
  if (!(value > 0 && value <= 3600)) throw new InvalidArgumentError("It is a number up to 3600.");
  return value;
}

/** The status of what could not be done: 1 says that something is wrong with the data. */
const FAILED = 2;

const HELP = `
Told without opening a file: what is missing, unreadable, or changed since it was indexed; gaps and overlaps in time within
a data set; the same tracking_id or checksum twice; a version folder that the index contradicts. With --headers also files
that contradict their format, have no records, state another version, or count time in another calendar than the rest.
Files of an archive (fs_type other than posix) are never opened.

With --service the service is looked at instead, and no data: Solr, index, disks, folders of data (also where a mount hangs),
clocks, identity provider, keys, certificates. It changes nothing, and asks the service that runs. docs/operations.md.

Exit status: 0 nothing is wrong, 1 something is, 2 it could not be done, or not to its end.

Examples:
  climate-nextgen doctor --service
  climate-nextgen doctor
  climate-nextgen doctor --headers /pool/data/CMIP6/data/CMIP
  climate-nextgen doctor --flavour cmip6 -s source_id=MPI-ESM1-2-LR -s frequency=mon --json`;

interface ServiceOptions {
  readonly service?: boolean;
  readonly host?: string;
}

/** Adds it to a program. */
export function addDoctorCommand(program: Command, config: () => Promise<Config>): void {
  const command = program
    .command("doctor")
    .description("tell what is wrong with the data that the index names, or with the service")
    .argument("[path...]", "files and folders; all that the index names where none is given")
    .option(
      "-s, --search <key=value>",
      "a facet, file, uri, version, time or bbox, as in a search",
      several,
    )
    .option(
      "--flavour <name>",
      "whose names the facets have; `user` looks at users' data",
      "native",
    )
    .option("--headers", "read the headers of the files as well")
    .option("--json", "findings as JSON Lines, the last line a summary")
    .option("--patience <seconds>", "how long a file system may take to answer", seconds, 30)
    .option("--service", "look at the service instead of the data")
    .option("--host <address>", "with --service: where it is, unless the settings say that")
    .addHelpText("after", HELP)
    .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : FAILED));
  command.action(async (paths: string[], options: DoctorOptions & ServiceOptions) => {
    try {
      if (options.service) {
        if (paths.length > 0) throw new UserError("--service looks at no files: leave them out.");
        const { serviceDoctor } = await import("./service-doctor.js");
        process.exitCode = await serviceDoctor(await config(), options);
        // Whatever was late may keep this process.
        setImmediate(() => process.exit());
        return;
      }
      if (options.host !== undefined) throw new UserError("--host is for --service.");
      const { doctor } = await import("./doctor.js");
      process.exitCode = await doctor(await config(), paths, options);
    } catch (error) {
      if (error instanceof OutputClosed) throw error;
      process.stderr.write(
        `${error instanceof UserError ? error.message : (error as Error).stack}\n`,
      );
      process.exitCode = FAILED;
    }
  });
}
