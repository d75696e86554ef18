/** A proxy before Solr that cuts all connections after a number of bytes. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { use } from "../run/use.js";
import { testEndpoint } from "../service/service.js";

export interface Severed {
  readonly url: URL;
  /** Bytes that have passed so far, both ways. */
  readonly passed: () => number;
  /** Cuts after this many further bytes. */
  cutAfter(bytes: number): void;
  /** Stops all bytes but keeps the connections, as a Solr that hangs. */
  hold(): void;
  /** Lets everything pass again. */
  mend(): void;
  close(): void;
}

/** One for all tests of a file. */
export const useSevered = (): Severed =>
  use(severed, (wire) => {
    wire.mend();
    wire.close();
  });

export async function severed(): Promise<Severed> {
  const [target] = testEndpoint().urls;
  const open = new Set<Socket>();
  let passed = 0;
  let limit = Number.POSITIVE_INFINITY;
  let isHeld = false;
  const cut = (): void => {
    for (const socket of open) socket.destroy();
  };
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    const pass = (from: Socket, to: Socket): void => {
      open.add(from);
      from
        .on("error", () => {})
        .on("close", () => {
          open.delete(from);
          to.destroy();
        });
      from.on("data", (piece: Buffer) => {
        const rest = limit - passed;
        passed += piece.length;
        // Bytes before the cut arrive.
        if (rest > 0) to.write(rest < piece.length ? piece.subarray(0, rest) : piece);
        if (passed >= limit) setImmediate(cut);
      });
      if (isHeld) from.pause();
    };
    pass(near, far);
    pass(far, near);
    if (passed >= limit) cut();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/solr`),
    passed: () => passed,
    cutAfter: (bytes) => {
      limit = passed + bytes;
    },
    hold: () => {
      isHeld = true;
      for (const socket of open) socket.pause();
    },
    mend: () => {
      isHeld = false;
      for (const socket of open) socket.resume();
      limit = Number.POSITIVE_INFINITY;
    },
    close: () => {
      server.close();
      cut();
    },
  };
}
