/** The Solr that a command works with: that of SOLR_URL or of DATA_DIR. */
import { pino } from "pino";
import { SolrHttp } from "../../index/transport/http.js";
import { openSolr } from "../../server/assembly/open-solr.js";
import type { Config } from "../../server/settings/config.js";
import { report } from "../terminal/print-line.js";

/**
 * Works with Solr. A Solr of DATA_DIR that does not run is started for it, and stopped afterwards.
 *
 * @param onStep receives one line for each step of a start
 */
export async function withSolr<T>(
  config: Config,
  work: (http: SolrHttp) => Promise<T>,
  onStep: (line: string) => void = report,
): Promise<T> {
  const logger = pino({ level: "silent" });
  const opened = await openSolr(config, { report: onStep, logger, share: true });
  try {
    const http = new SolrHttp(opened.endpoint, config.solr.timeoutMs);
    http.topology = opened.topology;
    return await work(http);
  } finally {
    await opened.close();
  }
}
