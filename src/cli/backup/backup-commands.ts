/** Declares the commands `backup` and `restore`; each loads its code when it runs. */
import type { Command } from "commander";
import { config } from "../service/config.js";

export function addBackupCommands(program: Command, release: string): void {
  program
    .command("backup")
    .description("back up index, accounts and state; the service may run")
    .argument("<folder>", "an empty or new folder, which Solr must be able to write to")
    .action(async (folder: string) => {
      const { backUp } = await import("./backup.js");
      await backUp(await config(), folder, release);
    });
  program
    .command("restore")
    .description("restore a backup; the service must be stopped")
    .argument("<folder>", "a folder written by `backup`")
    .option("--replace", "replace an existing index and existing accounts")
    .action(async (folder: string, { replace }: { replace?: boolean }) => {
      const { restore } = await import("./restore.js");
      await restore(await config(), folder, replace === true);
    });
}
