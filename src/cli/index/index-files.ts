/** The commands that write to an index of this release: `index`, `solr setup` and `solr mark-latest`. */
import { resolve } from "node:path";
import { SolrAdmin } from "../../index/collections/admin.js";
import { setUpCollections } from "../../index/collections/set-up-collections.js";
import { SetupError } from "../../index/collections/setup-error.js";
import { makeVisible } from "../../index/loading/lookups.js";
import { completeMarks } from "../../index/loading/marks/complete-marks.js";
import type { Config } from "../../server/settings/config.js";
import { withSolr } from "../service/with-solr.js";
import { progress } from "../terminal/progress.js";
import { loadFiles, loading, totalSize } from "./load-files.js";

/** Loads files into the index. @returns the exit status: 1 if a document was refused */
export async function indexFiles(
  config: Config,
  files: readonly string[],
  root: string | undefined,
): Promise<number> {
  // Before Solr starts, so that a mistyped name is reported at once.
  await totalSize(files);
  const folder = root === undefined ? undefined : resolve(root);
  const { refused } = await withSolr(config, ({ http }) => loadFiles(http, files, folder));
  return refused > 0 ? 1 : 0;
}

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

/** Marks the newest versions where other programs wrote no mark or a wrong one. */
export async function markLatest(config: Config): Promise<void> {
  await withSolr(config, async ({ http }) => {
    const bar = progress("Marking", undefined);
    await loading(makeVisible(http));
    const marked = new Set<string>();
    const shown = (): string => `${marked.size.toLocaleString("en")} documents`;
    const onMarked = (file: string): void => {
      marked.add(file);
      bar.update(marked.size, shown());
    };
    await loading(completeMarks(http, { onMarked, isThorough: true }));
    bar.end(`${shown()} marked`);
  });
}
