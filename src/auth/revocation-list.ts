/**
 * Access tokens that were given up before they expired (RFC 7009).
 *
 * They are kept in the store, and every instance keeps a copy that it adds to every few seconds: to verify a
 * token then asks nobody, also while the store is away. Nothing is taken out of the copy before the token has
 * expired by itself: a list may have been made before the store showed what was revoked here.
 */
import type { StateStore } from "./state-store.js";

const KIND = "revoked-access-token";
const RENEW_MS = 5000;

export class RevocationList {
  /** Identifiers of tokens, and when those expire, in milliseconds since 1970. */
  readonly #ids = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  readonly #store: StateStore;
  readonly #clock: () => number;

  constructor(store: StateStore, clock: () => number = Date.now) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Begins to follow what other instances revoke. */
  async follow(): Promise<void> {
    await this.#renew();
    this.#timer = setInterval(() => void this.#renew(), RENEW_MS).unref();
  }

  close(): void {
    clearInterval(this.#timer);
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

  async #renew(): Promise<void> {
    const entries = await this.#store.list(KIND).catch(() => undefined);
    const now = this.#clock();
    for (const [jti, expires] of this.#ids) if (expires <= now) this.#ids.delete(jti);
    // The store is away: what is known goes on.
    for (const { value, expires } of entries ?? []) {
      if (expires > now) this.#ids.set((value as { jti: string }).jti, expires);
    }
  }
}
