import { hash } from "node:crypto";

/** The SHA-256 digest of a text in UTF-8, or of bytes, in base64url. */
export const sha256 = (content: string | Uint8Array): string =>
  hash("sha256", content, "base64url");
