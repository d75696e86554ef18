/**
 * Random tokens: a prefix, the key of their entry in the store, a secret and check digits.
 *
 * Check digits keep a mistyped or truncated token from being taken for another token of the same entry.
 */
import { randomBytes } from "node:crypto";
import { sha256 } from "../../platform/sha256.js";

/** Key and secret, in base64url. */
const BODY = /^[\w-]{65}$/;
const KEY_LENGTH = 22;
const CHECK_DIGITS = 8;

export class RandomTokens {
  readonly #prefix: string;

  constructor(prefix: "cnr" | "cns") {
    this.#prefix = `${prefix}_`;
  }

  /** @param key 22 characters of base64url */
  make(key: string): string {
    return this.#checked(`${key}${randomBytes(32).toString("base64url")}`);
  }

  /** The key of a token; undefined for any other text. */
  keyOf(token: string): string | undefined {
    const body = token.slice(this.#prefix.length, -CHECK_DIGITS);
    return BODY.test(body) && token === this.#checked(body) ? body.slice(0, KEY_LENGTH) : undefined;
  }

  #checked(body: string): string {
    return `${this.#prefix}${body}${sha256(body).slice(0, CHECK_DIGITS)}`;
  }
}
