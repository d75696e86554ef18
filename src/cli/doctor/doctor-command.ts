/** Declares the command `doctor`. */
import { type Command, InvalidArgumentError } from "commander";
import { UserError } from "../../platform/errors.js";
import { OutputClosed } from "../../platform/output.js";
import { config } from "../service/config.js";
import { keyValue } from "../terminal/key-value.js";
import type { DoctorOptions } from "./doctor.js";

type Values = Readonly<Record<string, readonly string[]>>;

const several = (text: string, before: Values = {}): Values => {
  try {
    const [[key, value] = ["", ""]] = Object.entries(keyValue(text));
    return { ...before, [key]: [...(before[key] ?? []), value] };
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
};

function seconds(text: string): number {
  const value = Number(text);
  if (!(value > 0 && value <= 3600))
    throw new InvalidArgumentError("Write a number of seconds up to 3600.");
  return value;
}

/** Exit status if the check failed; 1 means that something is wrong with the data. */
const FAILED = 2;

const HELP = `
Without opening files it finds: missing, unreadable or changed files; gaps and overlaps in time within a data set; duplicate
tracking_ids and checksums; version folders that contradict the index. With --headers it also finds files that contradict
their format, have no records, state another version, or use another calendar than the rest of their data set.
Files in an archive (fs_type other than posix) are never opened.

With --service it asks the running service instead how it is: Solr, index, disks, data folders (also on mounts that hang),
identity provider, keys, settings. It changes nothing. See docs/operations.md.

Exit status: 0 nothing is wrong, 1 something is wrong, 2 the check failed or is incomplete.

Examples:
  climate-nextgen doctor --service
  climate-nextgen doctor
  climate-nextgen doctor --headers /pool/data/CMIP6/data/CMIP
  climate-nextgen doctor --flavour cmip6 -s source_id=MPI-ESM1-2-LR -s frequency=mon --json`;

interface ServiceOptions {
  readonly service?: boolean;
  readonly host?: string;
}

export function addDoctorCommand(program: Command): void {
  const command = program
    .command("doctor")
    .description("find problems of the indexed data, or of the service")
    .argument("[path...]", "files and folders (default: everything in the index)")
    .option(
      "-s, --search <key=value>",
      "a facet, file, uri, version, time or bbox, as in a search",
      several,
    )
    .option("--flavour <name>", "flavour of the facet names; `user` checks users' data", "native")
    .option("--headers", "read the headers of the files as well")
    .option("--json", "findings as JSON Lines, the last line a summary")
    .option("--patience <seconds>", "timeout of the file system", seconds, 30)
    .option("--service", "check the service instead of the data")
    .option(
      "--host <address>",
      "with --service: address of the service (default: from the settings)",
    )
    .addHelpText("after", HELP)
    .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : FAILED));
  command.action(async (paths: string[], options: DoctorOptions & ServiceOptions) => {
    try {
      if (options.service) {
        if (paths.length > 0)
          throw new UserError("--service checks no files: leave out the paths.");
        const { serviceDoctor } = await import("./service-doctor.js");
        process.exitCode = await serviceDoctor(await config(), options);
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
