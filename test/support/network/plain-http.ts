/** HTTP as bytes on a socket, for what no client would send. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** Opens a connection. */
export function dial(address: string): Promise<Socket> {
  const { hostname, port } = new URL(address);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => resolve(socket));
    socket.once("error", reject);
  });
}

/** Sends bytes and listens until the connection ends. */
export async function tell(address: string, message: string | Buffer): Promise<Buffer> {
  const socket = await dial(address);
  socket.write(message);
  return hear(socket);
}

/**
 * Asks for more than the system's buffers hold, and leaves with the first bytes. At least one answer was begun and not sent.
 *
 * @param path of a megabyte at least
 * @param id beginning of each `X-Request-Id`
 */
export async function leaveEarly(address: string, path: string, id: string): Promise<void> {
  const socket = await dial(address);
  const ids = Array.from({ length: 15 }, (_, i) => `${id}-${i}`);
  socket.on("error", () => {}).once("data", () => socket.destroy());
  socket.write(
    ids
      .map((one) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: ${one}\r\n\r\n`)
      .join(""),
  );
  await once(socket, "close");
}

/** Listens until the connection ends, with a rest after each piece, in milliseconds. */
export function hear(socket: Socket, rest = 0): Promise<Buffer> {
  const pieces: Buffer[] = [];
  return new Promise((resolve) => {
    socket
      .on("data", (piece: Buffer) => {
        pieces.push(piece);
        if (rest === 0) return;
        socket.pause();
        setTimeout(() => socket.resume(), rest);
      })
      .on("error", () => {})
      .on("close", () => resolve(Buffer.concat(pieces)));
  });
}

/** Status and body of an answer in HTTP/1.x that is not chunked. */
export function parse(bytes: Buffer) {
  const [head = "", ...body] = bytes.toString("latin1").split("\r\n\r\n");
  const [line = "", ...fields] = head.split("\r\n");
  const headers = new Headers(
    fields.map((field): [string, string] => {
      const colon = field.indexOf(":");
      return [field.slice(0, colon), field.slice(colon + 1).trim()];
    }),
  );
  return { status: Number(line.split(" ")[1]), headers, body: body.join("\r\n\r\n") };
}
