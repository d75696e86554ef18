/** Texts that do not change while the service runs. */
import type { Context } from "hono";
import { sha256 } from "../../../platform/sha256.js";
import { matches } from "../../http/entity-tag.js";

/** Answers with the text, or with 304 if the client has it. */
export function fixedText(type: string, body: string, headers: Record<string, string> = {}) {
  const etag = `"${sha256(body).slice(0, 22)}"`;
  const all = { "Content-Type": type, ETag: etag, "Cache-Control": "no-cache", ...headers };
  return (c: Context): Response => {
    if (matches(c.req.header("If-None-Match"), etag)) return c.body(null, 304, all);
    return c.body(body, 200, { ...all, "Content-Length": String(Buffer.byteLength(body)) });
  };
}
