/** The commands about Solr's own affairs, as the command line shows them; each loads what it needs. */
import { type Command, InvalidArgumentError } from "commander";
import { config } from "../service/config.js";

/** Adds them to a program. */
export function addSolrCommands(program: Command): void {
  const solr = program
    .command("solr")
    .description("set up Solr, and lift the index to a new release");
  solr
    .command("setup")
    .description("make the collections of an empty Solr or SolrCloud (SOLR_URL)")
    .option("--shards <number>", "shards of a collection, in SolrCloud", count, 1)
    .option("--replicas <number>", "replicas of each shard, in SolrCloud", count, 1)
    .action(async (options: { shards: number; replicas: number }) => {
      const { setUpSolr } = await import("./solr-setup.js");
      await setUpSolr(await config(), options);
    });
  solr
    .command("upgrade")
    .description("lift the index of an earlier release to this one, while it is searched")
    .option("--remove-old", "delete the former index that an upgrade has kept")
    .action(async ({ removeOld }: { removeOld?: boolean }) => {
      const { removeOldIndex, upgradeIndex } = await import("./solr-upgrade.js");
      await (removeOld ? removeOldIndex : upgradeIndex)(await config());
    });
}

function count(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new InvalidArgumentError("It is a number from 1 on.");
  return Number(text);
}
