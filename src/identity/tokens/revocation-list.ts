/**
 * Access tokens that were given up before they expired (RFC 7009).
 *
 * They are kept in the store, and every instance keeps a copy that it adds to every second or two: to verify a
 * token then asks nobody, also while the store is away. Nothing is taken out of the copy before the token has
 * expired by itself: a list may have been made before the store showed what was revoked here.
 */
import type { Follows, StateCopy } from "../../index/state/state-copy.js";
import type { ListedEntry, StateStore } from "../../index/state/state-store.js";

const KIND = "revoked-access-token";

export class RevocationList implements Follows {
  /** Identifiers of tokens, and when those expire, in milliseconds since 1970. */
  readonly #ids = new Map<string, number>();
  readonly #store: StateStore;
  readonly #clock: () => number;

  constructor(copy: StateCopy, clock: () => number = Date.now) {
    this.#store = copy.store;
    this.#clock = clock;
    copy.add(KIND, this);
  }

  has(jti: string): boolean {
    return this.#ids.has(jti);
  }

  /** @param expires seconds since 1970. @throws SolrUnavailable, SolrTimeout */
  async add(jti: string, expires: number): Promise<void> {
    // At once, and also where it is not known whether the store has it: who revokes a token has done with it.
    this.#ids.set(jti, expires * 1000);
    const entry = { kind: KIND, value: { jti }, expires: expires * 1000 };
    await this.#store.overwrite(`revoked:${jti}`, entry);
  }

  take(entries: readonly ListedEntry[]): void {
    const now = this.#clock();
    for (const [jti, expires] of this.#ids) if (expires <= now) this.#ids.delete(jti);
    for (const { value, expires } of entries) {
      if (expires > now) this.#ids.set((value as { jti: string }).jti, expires);
    }
  }
}
