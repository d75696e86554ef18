/** Free ports of the loopback. */
import { createServer } from "node:net";

/** Ports that were given out: two that are asked for one after the other must differ. */
const given = new Set<number>();

export async function freePort(): Promise<number> {
  for (;;) {
    const port = await portIfFree(0);
    if (port > 0 && !given.has(port)) {
      given.add(port);
      return port;
    }
  }
}

/** The port, or any free one for 0, if it can be listened at; else 0. */
export function portIfFree(port: number): Promise<number> {
  const probe = createServer();
  return new Promise((done) => {
    probe.once("error", () => done(0));
    probe.listen(port, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => done(typeof address === "object" && address ? address.port : 0));
    });
  });
}
