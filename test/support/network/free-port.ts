/** Free ports of the loopback interface, for programs that cannot take any port. */
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:net";

/** Ports that were given out: two requests in a row must get different ones. */
const given = new Set<number>();

/** The first port that the system gives to connections, and to servers that ask for any (ip(7), ip_local_port_range). */
function firstOfSystem(): number {
  const path = "/proc/sys/net/ipv4/ip_local_port_range";
  return existsSync(path) ? Number.parseInt(readFileSync(path, "utf8"), 10) : 32_768;
}

/**
 * A port that is free until the program listens: the system gives it to nobody else, and other processes that ask here rarely draw
 * the same of some ten thousand.
 */
export async function freePort(): Promise<number> {
  const [first, end] = [10_240, Math.max(20_000, firstOfSystem())];
  for (;;) {
    const port = await portIfFree(first + Math.floor(Math.random() * (end - first)));
    if (port > 0 && !given.has(port)) {
      given.add(port);
      return port;
    }
  }
}

/** The port, if it can be listened at; else 0. */
export function portIfFree(port: number): Promise<number> {
  const probe = createServer();
  return new Promise((done) => {
    probe.once("error", () => done(0));
    probe.listen(port, "127.0.0.1", () => probe.close(() => done(port)));
  });
}
