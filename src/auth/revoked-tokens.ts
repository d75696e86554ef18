/**
 * Access tokens that were given up before they expired (RFC 7009).
 *
 * They are kept in the store, and every instance keeps a copy that it renews every few seconds: to verify a
 * token then asks nobody, also while the store is away.
 */
import type { TokenStore } from "./state-store.js";

const KIND = "revoked-access-token";
const RENEW_MS = 5000;

export class RevokedTokens {
  #ids = new Set<string>();
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly store: TokenStore) {}

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
    const entry = { kind: KIND, value: { jti }, expires: expires * 1000 };
    await this.store.overwrite(`revoked:${jti}`, entry);
    this.#ids.add(jti);
  }

  async #renew(): Promise<void> {
    const before = new Set(this.#ids);
    const entries = await this.store.list(KIND).catch(() => undefined);
    // The store is away: what is known goes on.
    if (entries === undefined) return;
    const listed = new Set(entries.map(({ value }) => (value as { jti: string }).jti));
    // One that was added while the list was on its way may be missing in it.
    for (const jti of this.#ids) if (!before.has(jti)) listed.add(jti);
    this.#ids = listed;
  }
}
