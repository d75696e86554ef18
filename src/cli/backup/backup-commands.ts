/** The commands `backup` and `restore`, as the command line shows them; each loads what it needs. */
import type { Command } from "commander";
import { config } from "../service/config.js";

/** Adds them to a program. @param release of this package */
export function addBackupCommands(program: Command, release: string): void {
  program
    .command("backup")
    .description("back up index, accounts and state, also while the service runs")
    .argument("<folder>", "an empty one, or one that is made; Solr must see it, too")
    .action(async (folder: string) => {
      const { backUp } = await import("./backup.js");
      await backUp(await config(), folder, release);
    });
  program
    .command("restore")
    .description("take a backup back, while no service runs")
    .argument("<folder>", "what `backup` has written")
    .option("--replace", "also where there is an index, whose place it takes")
    .action(async (folder: string, { replace }: { replace?: boolean }) => {
      const { restore } = await import("./restore.js");
      await restore(await config(), folder, replace === true);
    });
}
