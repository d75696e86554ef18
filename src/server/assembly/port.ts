/** Opens the service's port. */
import { once } from "node:events";
import { type AddressInfo, createServer, type Server } from "node:net";
import { SetupError } from "../../index/collections/setup-error.js";

interface ListenAddress {
  readonly host: string;
  readonly port: number;
  /** Names of its settings. */
  readonly settings?: { readonly host: string; readonly port: string };
}

function inUse(
  { host, port, settings = { host: "HOST", port: "PORT" } }: ListenAddress,
  error: NodeJS.ErrnoException,
): Error {
  const reasons: Record<string, string> = {
    EADDRINUSE: `Port ${port} on ${host} is in use; stop what uses it or set ${settings.port}.`,
    EACCES: `Port ${port} on ${host} may not be used by this account; set ${settings.port}.`,
    EADDRNOTAVAIL: `${host} is not an address of this machine; set ${settings.host}.`,
    ENOTFOUND: `${host} is not an address of this machine; set ${settings.host}.`,
  };
  const reason = reasons[error.code ?? ""];
  return reason === undefined ? error : new SetupError(reason, { cause: error });
}

export async function listen(server: Server, address: ListenAddress): Promise<AddressInfo> {
  server.listen(address.port, address.host);
  await once(server, "listening").catch((error) => {
    throw inUse(address, error);
  });
  return server.address() as AddressInfo;
}

/** Fails early if the port is taken, and not after half a minute of set-up. */
export async function tryPort(address: ListenAddress): Promise<void> {
  const probe = createServer();
  await listen(probe, address);
  await new Promise((resolve) => probe.close(resolve));
}

/** The address for a browser on this machine. */
export function reachable({ address, port, family }: AddressInfo): string {
  if (address === "0.0.0.0" || address === "::") return `http://localhost:${port}`;
  return `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
}
