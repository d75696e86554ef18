/**
 * Random tokens: a prefix, the key of their entry in the store, a secret and check digits.
 *
 * Check digits keep a mistyped or truncated token from being taken for another token of the same entry.
 */
import { randomBytes } from "node:crypto";
import { sha256 } from "../../platform/sha256.js";

const CHECK_DIGITS = 8;
const SHAPE = /^(?<prefix>cn[rs])_(?<key>[\w-]{22})(?<secret>[\w-]{43})(?<check>[\w-]{8})$/;
const checkOf = (body: string): string => sha256(body).slice(0, CHECK_DIGITS);

export class RandomTokens {
  readonly #prefix: string;

  constructor(prefix: "cnr" | "cns") {
    this.#prefix = prefix;
  }

  /** @param key 22 characters of base64url */
  make(key: string): string {
    const body = `${key}${randomBytes(32).toString("base64url")}`;
    return `${this.#prefix}_${body}${checkOf(body)}`;
  }

  /** The key of a token; undefined for any other text. */
  keyOf(token: string): string | undefined {
    const { prefix, key = "", secret = "", check } = SHAPE.exec(token)?.groups ?? {};
    return prefix === this.#prefix && checkOf(key + secret) === check ? key : undefined;
  }
}
