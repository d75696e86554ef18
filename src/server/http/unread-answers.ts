/** Bounds the memory of answers in one piece: Node holds all of it until the client has read it. */
import type { ServerResponse } from "node:http";
import { breakOff } from "./connections.js";

/** Bytes of an answer that is not counted. */
const SMALL = 256 * 1024;
/** Bytes of all others. Lists and streams write themselves at the pace of their clients, and hold much less. */
const MAX_UNREAD = 256 * 1024 * 1024;

export class UnreadAnswers {
  /** Bytes by answer, the oldest first. */
  readonly #open = new Map<ServerResponse, number>();
  #bytes = 0;

  /** Ends an answer with its body. If clients leave too much unread, those that have had their answers for longest are cut off. */
  end(outgoing: ServerResponse, body: string | Uint8Array): void {
    const bytes = Buffer.byteLength(body);
    if (bytes > SMALL) {
      this.#open.set(outgoing, bytes);
      this.#bytes += bytes;
      outgoing.once("close", () => this.#remove(outgoing));
      for (const oldest of this.#open.keys()) {
        if (this.#bytes <= MAX_UNREAD || oldest === outgoing) break;
        this.#remove(oldest);
        breakOff(oldest.socket);
      }
    }
    outgoing.end(body);
  }

  #remove(outgoing: ServerResponse): void {
    this.#bytes -= this.#open.get(outgoing) ?? 0;
    this.#open.delete(outgoing);
  }
}
