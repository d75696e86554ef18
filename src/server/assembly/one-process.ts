/** The service in one process, which may be one of several. */
import type { Logger } from "pino";
import type { Figures } from "../monitoring/metrics/metrics.js";
import type { Config } from "../settings/config.js";
import { drain, openAnswering, type ProcessShare, type Shared } from "./compose-service.js";
import { listen, reachable } from "./port.js";

export interface Service {
  /** Opens the port. @returns an address for a browser on this machine */
  listen(): Promise<string>;
  /** The metrics of all its processes, for Prometheus. */
  scrape(): Promise<string>;
  /** Ends the service after transfers had DRAIN_MS to finish. */
  stop(): Promise<void>;
}

export async function inOneProcess(
  config: Config,
  shared: Shared,
  logger: Logger,
  share?: ProcessShare,
): Promise<Service & { figures(): Promise<Figures> }> {
  const answering = await openAnswering(config, shared, logger, share);
  const { server } = answering;
  return {
    listen: async () => {
      const address = reachable(await listen(server, config));
      answering.listensOn(address);
      return address;
    },
    scrape: () => answering.metrics.text(),
    figures: () => answering.metrics.figures(),
    stop: async () => {
      await drain(server, new Promise((resolve) => server.close(resolve)));
      await answering.close();
    },
  };
}
