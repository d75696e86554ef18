/** Bounds the memory of answers in one piece: Node holds all of it until the client has read it. */
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { breakOff } from "./connections.js";

/** Bytes of an answer that is not counted. */
const SMALL = 256 * 1024;
/** Bytes of all others. Lists and streams write themselves at the pace of their clients, and hold much less. */
const MAX_UNREAD = 256 * 1024 * 1024;

/** Bytes by answer of this process, the oldest first. An answer that waits behind others of its connection is here, too. */
const open = new Map<ServerResponse, number>();
let openBytes = 0;

/**
 * Ends an answer with its body. If clients leave too much unread, the connections of those that have had their answers for longest
 * are broken off.
 */
export function endWith(outgoing: ServerResponse, body: string | Uint8Array): void {
  const bytes = Buffer.byteLength(body);
  const { socket } = outgoing.req;
  // A client that has left reads nothing, and Node keeps nothing for it.
  if (bytes > SMALL && !outgoing.closed && !socket.destroyed) {
    open.set(outgoing, bytes);
    openBytes += bytes;
    outgoing.once("close", () => remove(outgoing));
    for (const { req } of open.keys()) {
      if (openBytes <= MAX_UNREAD || req.socket === socket) break;
      removeAll(req.socket);
      breakOff(req.socket);
    }
  }
  outgoing.end(body);
}

function removeAll(socket: Socket): void {
  for (const outgoing of open.keys()) if (outgoing.req.socket === socket) remove(outgoing);
}

function remove(outgoing: ServerResponse): void {
  openBytes -= open.get(outgoing) ?? 0;
  open.delete(outgoing);
}
