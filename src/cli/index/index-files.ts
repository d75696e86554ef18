/** The command `index`. */
import { resolve } from "node:path";
import { pino } from "pino";
import { SolrHttp } from "../../index/transport/http.js";
import { openSolr } from "../../server/assembly/open-solr.js";
import type { Config } from "../../server/settings/config.js";
import { report } from "../terminal/print-line.js";
import { loadFiles, totalSize } from "./load-files.js";

/**
 * Loads files into the index of the Solr of SOLR_URL or of DATA_DIR. A Solr of DATA_DIR that does not run is
 * started for the load.
 *
 * @returns the exit status: 1 if a document was refused
 */
export async function indexFiles(
  config: Config,
  files: readonly string[],
  root: string | undefined,
): Promise<number> {
  // Before Solr starts, so that a mistyped name is reported at once.
  await totalSize(files);
  const logger = pino({ level: "silent" });
  const opened = await openSolr(config, { report, logger, share: true });
  try {
    const http = new SolrHttp(opened.endpoint, config.solr.timeoutMs);
    http.topology = opened.topology;
    const folder = root === undefined ? undefined : resolve(root);
    const { refused } = await loadFiles(http, files, folder);
    return refused > 0 ? 1 : 0;
  } finally {
    await opened.close();
  }
}
