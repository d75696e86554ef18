/** One line of the log for each request. */
import type { Logger } from "pino";
import { loggedPath } from "../contract/logged-path.js";
import type { ExchangeObserver } from "../exchange.js";

/** Without the query, and of the path what is harmless: the rest may be nobody's business. */
export function requestLog(logger: Logger): ExchangeObserver {
  return {
    ended: ({ id, trace, method, path, operation, status, bytes, milliseconds, isBroken }) => {
      logger.info(
        {
          ...{ id, ...(trace !== undefined && { trace }), method, path: loggedPath(path) },
          ...(operation !== undefined && { operation }),
          ...{ status, bytes, milliseconds, ...(isBroken && { isBroken }) },
        },
        "request",
      );
    },
  };
}
