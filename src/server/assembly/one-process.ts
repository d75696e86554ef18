/** The service in one process: the port and the answers. */
import type { Logger } from "pino";
import type { Config } from "../config.js";
import { drain, openAnswering, type Shared } from "./compose-service.js";
import { listen, reachable } from "./port.js";

/** A service that is set up. */
export interface Service {
  /** Opens the port. @returns an address that a person on this machine can open; @throws SetupError */
  listen(): Promise<string>;
  /** What is measured of all of its processes, for Prometheus. */
  scrape(): Promise<string>;
  /** Lets transfers finish for a while, and ends all. */
  stop(): Promise<void>;
}

export async function inOneProcess(
  config: Config,
  shared: Shared,
  logger: Logger,
): Promise<Service> {
  const answering = await openAnswering(config, shared, logger);
  const { server } = answering;
  return {
    listen: async () => {
      const address = reachable(await listen(server, config));
      answering.listensOn(address);
      return address;
    },
    scrape: () => answering.metrics.text(),
    stop: async () => {
      await drain(server, new Promise((resolve) => server.close(resolve)));
      await answering.close();
    },
  };
}
