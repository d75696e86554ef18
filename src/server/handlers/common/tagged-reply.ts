import type { Validity } from "../../../index/query/query-cache.js";
import { jsonPieces } from "../../formats/json.js";
import { entityTag, matches } from "../../http/entity-tag.js";

/** A JSON answer with an entity tag, or 304 if the client has it. With a validity, a 200 may be kept for the next request. */
export async function taggedReply<T extends object>(
  request: Tagged,
  shape: T,
  more: Readonly<Record<string, string>> = {},
  validity?: Validity,
) {
  const pieces = await jsonPieces(shape);
  const text = pieces.join("");
  return tagged(request, pieces, "application/json", { text, shape }, more, validity);
}

/** The same for text other than JSON. */
export const taggedText = <Type extends string>(
  request: Tagged,
  type: Type,
  text: string,
  more: Readonly<Record<string, string>> = {},
) => tagged(request, [text], type, text, more);

interface Tagged {
  readonly headers: { readonly "If-None-Match"?: string | undefined };
}

async function tagged<Type extends string, Body>(
  { headers: { "If-None-Match": known } }: Tagged,
  pieces: readonly string[],
  type: Type,
  body: Body,
  more: Readonly<Record<string, string>>,
  validity?: Validity,
) {
  const etag = await entityTag(pieces);
  // A 304 repeats Vary, so that caches keep the forms apart (RFC 9110, 15.4.5).
  const vary = more.Vary === undefined ? {} : { Vary: more.Vary };
  const caching = { ETag: etag, "Cache-Control": "no-cache", ...vary };
  if (matches(known, etag)) return { status: 304, headers: caching } as const;
  return { status: 200, type, body, headers: { ...caching, ...more }, validity } as const;
}
