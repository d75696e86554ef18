/** A text that stays the same as long as the service runs. */
import { createHash } from "node:crypto";
import type { Context } from "hono";
import { matches } from "../../http/entity-tag.js";

/** Answers with it, or with 304 to who has it already. */
export function fixedText(type: string, body: string, headers: Record<string, string> = {}) {
  const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
  const all = { "Content-Type": type, ETag: etag, "Cache-Control": "no-cache", ...headers };
  return (c: Context): Response => {
    if (matches(c.req.header("If-None-Match"), etag)) return c.body(null, 304, all);
    return c.body(body, 200, { ...all, "Content-Length": String(Buffer.byteLength(body)) });
  };
}
