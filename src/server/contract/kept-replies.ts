/**
 * Replies to strangers, kept by the text of their address. A reply goes out again, without being computed, as long as it
 * is current: each request waits for a proof of that, which requests at the same time share.
 */
import { LRUCache } from "lru-cache";
import type { Validity } from "../../index/query/query-cache.js";
import type { Answer } from "../http/answer.js";
import type { Searched } from "../http/request-context.js";

interface KeptReply {
  readonly answer: Answer;
  /** Of its body, in characters. */
  readonly length: number;
  /** The search, for observers such as the metrics. */
  readonly searched: Searched | undefined;
  readonly validity: Validity;
}

/** Limits in characters: of all replies with their addresses, of one reply and of one address. */
const MAX_CHARACTERS = 16 * 1024 * 1024;
const MAX_REPLY = 512 * 1024;
const MAX_ADDRESS = 4096;

export class KeptReplies {
  readonly #replies = new LRUCache<string, KeptReply>({ maxSize: MAX_CHARACTERS });

  /** @param address path and query, as sent */
  keep(address: string, reply: KeptReply): void {
    if (address.length > MAX_ADDRESS || reply.length > MAX_REPLY) return;
    this.#replies.set(address, reply, { size: address.length + reply.length });
  }

  /** The reply to an address if it is current. */
  async current(address: string): Promise<KeptReply | undefined> {
    const reply = this.#replies.get(address);
    if (reply === undefined) return undefined;
    if (await reply.validity.isCurrent()) return reply;
    // Another request may have replaced it meanwhile.
    if (this.#replies.peek(address) === reply) this.#replies.delete(address);
    return undefined;
  }
}
