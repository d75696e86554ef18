/**
 * Access tokens that were revoked before they expired (RFC 7009).
 *
 * The store holds them, and every instance keeps a copy that it extends every second or two. So verifying a token needs no
 * request, even while the store is down. An entry stays in the copy until its token expires: a list read from the
 * store may be older than a revocation made here.
 */
import type { EntryFollower, StateCopy } from "../../index/state/state-copy.js";
import type { ListedEntry, StateStore } from "../../index/state/state-store.js";

const KIND = "revoked-access-token";

export class RevocationList implements EntryFollower {
  /** Token identifier -> expiry, in milliseconds since 1970. */
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

  /** @param expires seconds since 1970 */
  async add(jti: string, expires: number): Promise<void> {
    // Before the store confirms: the token is revoked here even if the write fails.
    this.#ids.set(jti, expires * 1000);
    const entry = { kind: KIND, value: { jti }, expires: expires * 1000 };
    await this.#store.overwrite(`revoked:${jti}`, entry);
  }

  update(entries: readonly ListedEntry[]): void {
    const now = this.#clock();
    for (const [jti, expires] of this.#ids) if (expires <= now) this.#ids.delete(jti);
    for (const { value, expires } of entries) {
      if (expires > now) this.#ids.set((value as { jti: string }).jti, expires);
    }
  }
}
