import { entityTag, matches } from "../entity-tag.js";

/**
 * The answer with a shape, or 304 for whoever has it. It is written once: for the tag and for the answer.
 *
 * @param more headers of the whole answer
 */
export function taggedReply<T>(
  {
    headers: { "If-None-Match": known },
  }: { readonly headers: { readonly "If-None-Match"?: string | undefined } },
  shape: T,
  more: Readonly<Record<string, string>> = {},
) {
  const text = JSON.stringify(shape);
  const etag = entityTag(text);
  const caching = { ETag: etag, "Cache-Control": "no-cache" };
  if (matches(known, etag)) return { status: 304, headers: caching } as const;
  const headers = { ...caching, ...more };
  return { status: 200, type: "application/json", body: { text, shape }, headers } as const;
}
