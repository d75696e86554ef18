/** Names that only who has the key can tell from others: keyed hashes, the same for the same as long as the key is. */
import { createHmac } from "node:crypto";
import { LRUCache } from "lru-cache";

/** 96 bits: no two people meet in one. */
const CHARACTERS = 16;

/** Hashes that are kept: whoever reads does so many times. */
const MAX_KEPT = 5000;

export class Pseudonyms {
  readonly #kept = new LRUCache<string, string>({
    max: MAX_KEPT,
    memoMethod: (text) => this.of(text),
  });
  readonly #key: Uint8Array;
  /** Whether whoever has signed in and every address has one, too. */
  readonly #isForAll: boolean;

  constructor(key: Uint8Array, isForAll: boolean) {
    this.#key = key;
    this.#isForAll = isForAll;
  }

  /** Of somebody who is known, or of an address. */
  known(text: string): string {
    return this.#isForAll ? this.#kept.memo(text) : text;
  }

  /** Of what somebody has written as a name, which may be a password in the wrong field. */
  of(text: string): string {
    const hash = createHmac("sha256", this.#key).update(text).digest("base64url");
    return `p.${hash.slice(0, CHARACTERS)}`;
  }
}
