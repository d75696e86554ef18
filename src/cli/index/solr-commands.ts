/** Declares the commands below `solr`; each loads its code when it runs. */
import { type Command, InvalidArgumentError } from "commander";
import { config } from "../service/config.js";

export function addSolrCommands(program: Command): void {
  const solr = program
    .command("solr")
    .description("set up Solr, and upgrade the index to a new release");
  solr
    .command("setup")
    .description("create the missing collections of a Solr or SolrCloud (SOLR_URL)")
    .option("--shards <number>", "shards of the index, in SolrCloud", count, 1)
    .option("--replicas <number>", "replicas of each shard, in SolrCloud", count, 1)
    .action(async (options: { shards: number; replicas: number }) => {
      const { setUpSolr } = await import("./solr-setup.js");
      await setUpSolr(await config(), options);
    });
  solr
    .command("mark-latest")
    .description("mark the newest versions of what other programs wrote to Solr")
    .action(async () => {
      const { markLatest } = await import("./mark-latest.js");
      await markLatest(await config());
    });
  solr
    .command("upgrade")
    .description("upgrade the index of an earlier release, while no service runs")
    .action(async () => {
      const { upgradeIndex } = await import("./solr-upgrade.js");
      await upgradeIndex(await config());
    });
}

function count(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new InvalidArgumentError("Write a number from 1.");
  return Number(text);
}
