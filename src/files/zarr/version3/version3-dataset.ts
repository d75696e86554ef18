/** Presents any data set that has documents of zarr v2 as a zarr v3 store. Its chunks have the same keys and bytes. */
import {
  type Content,
  type Dataset,
  isDocumentKey,
  NO_SUCH_DOCUMENT,
  type Value,
} from "../dataset/dataset.js";
import { joinKey, nameOf, parentOf } from "../metadata/keys.js";
import { contentTag } from "../open/entity-tags.js";
import type { ReadingClient } from "../worker/client.js";

/** Documents of v2 from which one document of v3 is made. */
export interface Version2Parts {
  readonly kind: "group" | "array";
  /** `.zmetadata` of a group, `.zarray` of an array. */
  readonly document: Value;
  /** `.zattrs` of an array. */
  readonly attributes: Value | undefined;
}

/** Converts documents, off the main thread if they are long. @returns undefined if v3 cannot express the array */
type Convert = (
  parts: Version2Parts,
  client: ReadingClient | undefined,
) => Promise<string | undefined>;

/** A view of a data set: all but its documents and their keys are those of zarr v2. */
export function version3Dataset(inner: Dataset, convert: Convert): Dataset {
  const content = async (key: string, client?: ReadingClient): Promise<Content> => {
    if (!isDocumentKey(key)) return inner.content(key, client);
    if (nameOf(key) !== "zarr.json") return NO_SUCH_DOCUMENT;
    const parts = await version2Parts(inner, parentOf(key), client);
    const text = parts && (await convert(parts, client));
    if (parts === undefined || text === undefined) return NO_SUCH_DOCUMENT;
    const tag = inner.tag?.(key) ?? contentTag(`${parts.document.tag} ${parts.attributes?.tag}`);
    return { kind: "document", text, tag };
  };
  return {
    path: inner.path,
    format: inner.format,
    document: async (key) => {
      const found = await content(key);
      return found.kind === "document" ? found.text : undefined;
    },
    content,
    array: (path, client) => inner.array(path, client),
    sliceTag: (path, selection) => inner.sliceTag?.(path, selection),
    slice: (path, selection, client, signal) => inner.slice(path, selection, client, signal),
    tag: (key) => inner.tag?.(key),
    header: (client) => inner.header(client),
    summary: (client) => inner.summary(client),
  };
}

async function version2Parts(
  inner: Dataset,
  path: string,
  client: ReadingClient | undefined,
): Promise<Version2Parts | undefined> {
  const find = async (name: string): Promise<Value | undefined> => {
    const found = await inner.content(joinKey(path, name), client);
    return found.kind === "absent" || found.kind === "unknown-key" ? undefined : found;
  };
  const array = await find(".zarray");
  if (array !== undefined) {
    return { kind: "array", document: array, attributes: await find(".zattrs") };
  }
  const group = await find(".zmetadata");
  return group && { kind: "group", document: group, attributes: undefined };
}
