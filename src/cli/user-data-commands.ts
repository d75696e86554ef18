/** The commands about user data, as the command line shows them. */
import type { Command } from "commander";
import {
  type AddOptions,
  addEntries,
  type DeleteOptions,
  deleteEntries,
  keyValue,
} from "./user-data.js";

/** Options that all of them have: where, and as whom. */
const ofService = (command: Command): Command =>
  command
    .option("--host <host>", "host, host:port or http(s)://host[:port][/path]")
    .option("-u, --username <name>", "login name; default: the name on this system")
    .option("-r, --refresh-token <token>", "use this instead of name and password");

/** Adds them to a program. */
export function addUserDataCommands(program: Command): void {
  const userData = program
    .command("user-data")
    .description("make data of your own findable on a service, and take it out again");
  ofService(userData.command("add"))
    .description("register entries with file, variable, time, time_frequency and more")
    .requiredOption(
      "--from <file...>",
      "JSON array or JSON Lines, also gzipped, - for standard input",
    )
    .option(
      "--facet <key=value>",
      "a facet of all entries; an entry's own value wins",
      keyValue,
      {},
    )
    .option("--dry-run", "print what would be registered, and register nothing")
    .action((options: AddOptions) => addEntries(options));
  ofService(userData.command("delete"))
    .description("delete those of your entries for which all of -s hold; files stay where they are")
    .option(
      "-s, --search <key=value>",
      "native facet, file, uri or version; with * and ?",
      keyValue,
      {},
    )
    .option("--all", "all of your entries")
    .action((options: DeleteOptions) => deleteEntries(options));
}
