/** The command `solr setup`. */
import { SolrAdmin } from "../../index/collections/admin.js";
import { setUpCollections } from "../../index/collections/set-up-collections.js";
import { SetupError } from "../../index/collections/setup-error.js";
import type { Config } from "../../server/settings/config.js";

/** Creates the collections that the Solr of SOLR_URL lacks. */
export async function setUpSolr(
  config: Config,
  options: { readonly shards: number; readonly replicas: number },
): Promise<void> {
  const { outside } = config.solr;
  if (outside === undefined) {
    throw new SetupError(
      "The embedded Solr needs no setup: `climate-nextgen serve` creates its cores. Set SOLR_URL to set up another.",
    );
  }
  const report = (line: string): void => {
    process.stdout.write(`${line}\n`);
  };
  await setUpCollections(new SolrAdmin(outside), { ...options, report });
}
