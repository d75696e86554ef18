/** The port on which the service listens. */
import { once } from "node:events";
import { type AddressInfo, createServer, type Server } from "node:net";
import type { Config } from "../config.js";
import { SetupError } from "../solr/setup-error.js";

function inUse(config: Config, error: NodeJS.ErrnoException): Error {
  const reasons: Record<string, string> = {
    EADDRINUSE: `Port ${config.port} on ${config.host} is in use; stop what uses it or set PORT.`,
    EACCES: `Port ${config.port} on ${config.host} may not be used by this account; set PORT.`,
    EADDRNOTAVAIL: `${config.host} is not an address of this machine; set HOST.`,
    ENOTFOUND: `${config.host} is not an address of this machine; set HOST.`,
  };
  const reason = reasons[error.code ?? ""];
  return reason === undefined ? error : new SetupError(reason, { cause: error });
}

/** @throws SetupError: one sentence that says why there is no such port */
export async function listen(server: Server, config: Config): Promise<AddressInfo> {
  server.listen(config.port, config.host);
  await once(server, "listening").catch((error) => {
    throw inUse(config, error);
  });
  return server.address() as AddressInfo;
}

/** Finds out early that the port is taken, rather than after half a minute of set-up. */
export async function tryPort(config: Config): Promise<void> {
  const probe = createServer();
  await listen(probe, config);
  await new Promise((resolve) => probe.close(resolve));
}

/** An address that a person on this machine can open. */
export function reachable({ address, port, family }: AddressInfo): string {
  if (address === "0.0.0.0" || address === "::") return `http://localhost:${port}`;
  return `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
}
