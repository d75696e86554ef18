/** Texts and files that do not change while the service runs. */
import { existsSync, readFileSync } from "node:fs";
import { getMimeType } from "hono/utils/mime";
import { sha256 } from "../../../platform/sha256.js";
import { accepts, withKeptGzip } from "../../http/compress.js";
import { matches } from "../../http/entity-tag.js";
import type { Answering } from "../mount.js";

type Headers = Readonly<Record<string, string>>;

/** Answers with a text or bytes, or with 304 if the client has it. */
export function fixedText(
  type: string,
  body: string | Uint8Array,
  headers: Headers = {},
): Answering {
  const etag = `"${sha256(body).slice(0, 22)}"`;
  const all = { "Content-Type": type, ETag: etag, "Cache-Control": "no-cache", ...headers };
  const answer = withKeptGzip({ status: 200, headers: all, body });
  const unchanged = { status: 304, headers: all };
  return ({ req }) => (matches(req.header("If-None-Match"), etag) ? unchanged : answer);
}

/** The codings of files that are compressed beside the original, by the ending of their names; the smallest first. */
const CODINGS = { br: ".br", gzip: ".gz" };

/** Answers with a file, which is read now, in the smallest form that the client accepts. */
export function fixedFile(path: string, headers: Headers = {}): Answering {
  const type = getMimeType(path) ?? "application/octet-stream";
  const plain = fixedText(type, readFileSync(path), headers);
  const coded = Object.entries(CODINGS).flatMap(([coding, ending]) => {
    if (!existsSync(path + ending)) return [];
    const own = { ...headers, "Content-Encoding": coding };
    return [{ coding, answer: fixedText(type, readFileSync(path + ending), own) }];
  });
  return (c) => {
    const accepted = c.req.header("Accept-Encoding");
    return (coded.find(({ coding }) => accepts(accepted, coding))?.answer ?? plain)(c);
  };
}
