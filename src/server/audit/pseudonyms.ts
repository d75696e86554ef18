/** Pseudonyms: keyed hashes of names, stable as long as the key is. */
import { createHmac } from "node:crypto";
import { LRUCache } from "lru-cache";

/** 96 bits of base64url, enough to make collisions negligible. */
const LENGTH = 16;

/** Hashes kept in memory: one client causes many events. */
const MAX_CACHED = 5000;

export class Pseudonyms {
  readonly #cache = new LRUCache<string, string>({
    max: MAX_CACHED,
    memoMethod: (text) => this.of(text),
  });
  readonly #key: Uint8Array;
  /** Whether signed-in users and addresses get pseudonyms as well. */
  readonly #isForAll: boolean;

  constructor(key: Uint8Array, isForAll: boolean) {
    this.#key = key;
    this.#isForAll = isForAll;
  }

  /** The pseudonym of a known user or an address; the text itself unless pseudonyms are for all. */
  known(text: string): string {
    return this.#isForAll ? this.#cache.memo(text) : text;
  }

  /** The pseudonym of text typed as a user name, which may be a password in the wrong field. */
  of(text: string): string {
    const hash = createHmac("sha256", this.#key).update(text).digest("base64url");
    return `p.${hash.slice(0, LENGTH)}`;
  }
}
