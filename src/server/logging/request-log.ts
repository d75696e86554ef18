/** One line of the log for each request. */
import type { Logger } from "pino";
import { loggedPath } from "../contract/logged-path.js";
import { type ExchangeObserver, namesOf } from "../request-context.js";

/** Without the query, and of the path what is harmless: the rest may be nobody's business. */
export function requestLog(logger: Logger): ExchangeObserver {
  return {
    ended: (exchange) => {
      const { method, path, operation, status, bytes, milliseconds, isBroken } = exchange;
      logger.info(
        {
          ...{ ...namesOf(exchange), method, path: loggedPath(path) },
          ...(operation !== undefined && { operation }),
          ...{ status, bytes, milliseconds, ...(isBroken && { isBroken }) },
        },
        "request",
      );
    },
  };
}
