/** Declares the commands `index`, `remove`, `solr`, `backup` and `restore`; each loads its code when it runs. */
import { type Command, InvalidArgumentError } from "commander";
import { config } from "../service/config.js";
import { keyValue } from "../terminal/key-value.js";
import type { RemoveOptions } from "./remove-entries.js";

const writing = () => import("./index-files.js");

export function addIndexCommand(program: Command): void {
  program
    .command("index")
    .description("load documents (JSON array or JSON Lines, also gzipped) into the index")
    .argument("<file...>", "files to load; - for standard input")
    .option("--root <folder>", "resolve relative paths in the documents against this folder")
    .action(async (files: string[], { root }: { root?: string }) => {
      process.exitCode = await (await writing()).indexFiles(await config(), files, root);
    });
}

export function addRemoveCommand(program: Command): void {
  program
    .command("remove")
    .description("take entries out of the index; the files stay")
    .argument("[path...]", "entries at or below these paths")
    .option(
      "-s, --search <key=value>",
      "a native facet, file, uri, version, time or bbox",
      keyValue,
    )
    .option("--dry-run", "print the paths of the entries, and remove none")
    .addHelpText("after", REMOVE_HELP)
    .action(async (paths: string[], options: RemoveOptions) =>
      (await import("./remove-entries.js")).removeEntries(await config(), paths, options),
    );
}

const REMOVE_HELP = `
An entry must match a path, if there are some, and all -s. All its versions are removed. Data that users registered stay.
A later \`crawl\` of a folder adds the entries of its files again.

Examples:
  climate-nextgen remove --dry-run -s dataset=sample
  climate-nextgen remove -s project=my-project -s 'file=https://*'
  climate-nextgen remove /pool/data/old`;

export function addSolrCommands(program: Command): void {
  const solr = program
    .command("solr")
    .description("set up Solr, and upgrade the index to a new release");
  solr
    .command("setup")
    .description("create the missing collections of a Solr or SolrCloud (SOLR_URL)")
    .option("--shards <number>", "shards of the index, in SolrCloud", count, 1)
    .option("--replicas <number>", "replicas of each shard, in SolrCloud", count, 1)
    .action(async (options: { shards: number; replicas: number }) =>
      (await writing()).setUpSolr(await config(), options),
    );
  solr
    .command("mark-latest")
    .description("mark the newest versions of what other programs wrote to Solr")
    .action(async () => (await writing()).markLatest(await config()));
  solr
    .command("upgrade")
    .description("upgrade the index of an earlier release, while no service runs")
    .action(async () => (await import("./solr-upgrade.js")).upgradeIndex(await config()));
}

function count(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new InvalidArgumentError("Write a number from 1.");
  return Number(text);
}

export function addBackupCommands(program: Command, release: string): void {
  program
    .command("backup")
    .description("back up index, accounts and state; the service may run")
    .argument("<folder>", "an empty or new folder, which Solr must be able to write to")
    .action(async (folder: string) =>
      (await import("./backup.js")).backUp(await config(), folder, release),
    );
  program
    .command("restore")
    .description("restore a backup; the service must be stopped")
    .argument("<folder>", "a folder written by `backup`")
    .option("--replace", "replace an existing index and existing accounts")
    .action(async (folder: string, { replace }: { replace?: boolean }) =>
      (await import("./restore.js")).restore(await config(), folder, replace === true),
    );
}
