/** The Solr that a command works with: that of SOLR_URL or of DATA_DIR. */
import { pino } from "pino";
import { SetupError } from "../../index/collections/setup-error.js";
import { Solr } from "../../index/solr.js";
import { DomainError } from "../../platform/errors.js";
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
  work: (solr: Solr) => Promise<T>,
  onStep: (line: string) => void = report,
): Promise<T> {
  const logger = pino({ level: "silent" });
  const opened = await openSolr(config, { report: onStep, logger, share: true });
  try {
    return await work(new Solr(opened.endpoint, config.solr.timeoutMs, opened.topology));
  } finally {
    await opened.close();
  }
}

/**
 * Reports a failure of Solr to the person who runs the command.
 *
 * @param sentence makes the message from Solr's reason
 * @throws SetupError instead of the errors of Solr
 */
export function orSetupError<T>(
  work: Promise<T>,
  sentence: (reason: string) => string,
): Promise<T> {
  return work.catch((error: unknown): never => {
    if (!(error instanceof DomainError)) throw error;
    throw new SetupError(sentence(error.message), { cause: error });
  });
}
