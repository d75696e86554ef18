/** The command `solr mark-latest`. */
import { pino } from "pino";
import { makeVisible } from "../../index/loading/lookups.js";
import { completeMarks } from "../../index/loading/marks/complete-marks.js";
import { SolrHttp } from "../../index/transport/http.js";
import { openSolr } from "../../server/assembly/open-solr.js";
import type { Config } from "../../server/settings/config.js";
import { report } from "../terminal/print-line.js";
import { progress } from "../terminal/progress.js";
import { throwFailure } from "./load-files.js";

/** Marks the newest versions where other programs wrote no mark or a wrong one. */
export async function markLatest(config: Config): Promise<void> {
  const logger = pino({ level: "silent" });
  const opened = await openSolr(config, { report, logger, share: true });
  try {
    const http = new SolrHttp(opened.endpoint, config.solr.timeoutMs);
    http.topology = opened.topology;
    const bar = progress("Marking", undefined);
    const count = (documents: number): string => `${documents.toLocaleString("en")} documents`;
    await makeVisible(http).catch(throwFailure);
    const marked = new Set<string>();
    const onMarked = (file: string): void => {
      marked.add(file);
      bar.update(marked.size, count(marked.size));
    };
    await completeMarks(http, { onMarked, isThorough: true }).catch(throwFailure);
    bar.end(`${count(marked.size)} marked`);
  } finally {
    await opened.close();
  }
}
