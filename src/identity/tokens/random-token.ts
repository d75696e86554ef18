/**
 * Random tokens: a prefix, the key of their entry in the store, a secret and check digits.
 *
 * Check digits keep a mistyped or truncated token from being taken for another token of the same entry.
 */
import { randomBytes } from "node:crypto";
import { sha256 } from "../../platform/sha256.js";

const CHECK_DIGITS = 8;
const checkOf = (body: string): string => sha256(body).slice(0, CHECK_DIGITS);

export class RandomTokens {
  readonly #prefix: string;
  readonly #shape: RegExp;

  constructor(prefix: "cnr" | "cns") {
    this.#prefix = prefix;
    this.#shape = new RegExp(`^${prefix}_([\\w-]{22})([\\w-]{43})([\\w-]{${CHECK_DIGITS}})$`);
  }

  /** @param key 22 characters of base64url */
  make(key: string): string {
    const body = `${key}${randomBytes(32).toString("base64url")}`;
    return `${this.#prefix}_${body}${checkOf(body)}`;
  }

  /** The key of a token; undefined for any other text. */
  keyOf(token: string): string | undefined {
    const [, key = "", secret = "", check] = this.#shape.exec(token) ?? [];
    return checkOf(key + secret) === check ? key : undefined;
  }
}
