/** One address for several instances of the service: connections go to them in turn, past those that are down. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { pipeline } from "node:stream";

export interface Forwarder {
  readonly address: string;
  /** Where connections go from now on. */
  to(ports: readonly number[]): void;
  close(): Promise<void>;
}

/** Listens on 127.0.0.1. @param port 0 for any free one */
export async function startForwarder(port = 0): Promise<Forwarder> {
  let targets: readonly number[] = [];
  let turn = 0;
  const open = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (client) => {
    open.add(client);
    client.once("close", () => open.delete(client)).on("error", () => {});
    turn += 1;
    const order = targets.map((_, i) => targets[(turn + i) % targets.length] ?? 0);
    void reach(order).then((instance) => {
      if (instance === undefined) {
        client.destroy();
        return;
      }
      // A connection that breaks on one side breaks on the other: nobody takes half an answer for a whole one.
      pipeline(client, instance, (error) => error && instance.resetAndDestroy());
      pipeline(instance, client, (error) => error && client.resetAndDestroy());
    });
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    to: (ports) => {
      targets = ports;
    },
    close: async () => {
      for (const client of open) client.destroy();
      await new Promise((closed) => server.close(closed));
    },
  };
}

/** A connection to the first that takes one. */
async function reach(ports: readonly number[]): Promise<Socket | undefined> {
  for (const port of ports) {
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    const reached = await once(socket, "connect").then(
      () => true,
      () => false,
    );
    if (!reached) continue;
    return socket.on("error", () => {});
  }
  return undefined;
}
