/** Lists the keys of an index with their versions, and compares two such lists. */

import { readExport } from "../export/export.js";
import { inOrder } from "../export/utf8-order.js";
import { SolrCollection } from "../transport/client.js";
import type { SolrHttp } from "../transport/http.js";
import { parseWithVersions } from "../transport/version-json.js";
import type { IndexPlace } from "./layout.js";

/** Milliseconds until the first row: Solr sorts all keys before it answers. */
export const FIRST_ROW_TIMEOUT = 600_000;

/** A document's key and version. */
export interface Listed {
  readonly file: string;
  /** Its version in the former index; in the new index the version of its source, if it is a copy. */
  readonly version: string | undefined;
  /** The core that holds it. */
  readonly part: string;
}

/** The field to read versions from; `file` if they do not matter. */
export type VersionField = "_version_" | "_copied_version_" | "file";

/**
 * The documents of a place, ordered by key.
 *
 * @param filters in the syntax of the lucene parser
 * @throws SolrUnavailable, SolrTimeout
 */
export async function* listing(
  http: SolrHttp,
  place: IndexPlace,
  field: VersionField,
  filters: readonly string[] = [],
): AsyncGenerator<Listed, void, undefined> {
  yield* merge(place.parts.map((part) => listPart(http, part, field, filters)));
}

async function* listPart(
  http: SolrHttp,
  part: string,
  field: VersionField,
  filters: readonly string[],
): AsyncGenerator<Listed, void, undefined> {
  const parameters = new URLSearchParams({
    q: "*:*",
    sort: "file asc",
    fl: field === "file" ? field : `file,${field}`,
  });
  for (const filter of filters) parameters.append("fq", filter);
  const request = new SolrCollection(http, part).exportRequest(parameters, FIRST_ROW_TIMEOUT);
  for await (const { documents } of readExport(http, request, { parse: parseWithVersions })) {
    for (const document of documents) {
      const version = document[field] as string | undefined;
      yield { file: document.file as string, version, part };
    }
  }
}

/** Merges ordered lists. */
async function* merge(lists: readonly AsyncGenerator<Listed>[]): AsyncGenerator<Listed> {
  const [first] = lists;
  if (lists.length === 1 && first !== undefined) return yield* first;
  try {
    const heads = await Promise.all(lists.map((list) => list.next()));
    for (;;) {
      let least = -1;
      for (const [at, head] of heads.entries()) {
        if (head.done) continue;
        const best = heads[least];
        if (!best || best.done || inOrder(head.value.file, best.value.file) < 0) least = at;
      }
      const head = heads[least];
      if (!head || head.done) return;
      yield head.value;
      heads[least] = await (lists[least] as AsyncGenerator<Listed>).next();
    }
  } finally {
    await Promise.all(lists.map((list) => list.return(undefined)));
  }
}

/** A key that only one list has, or that has different versions; undefined means missing. */
export interface Difference {
  readonly former: Listed | undefined;
  readonly copy: Listed | undefined;
}

/** The differences of two ordered lists. */
export async function* differences(
  former: AsyncGenerator<Listed>,
  copies: AsyncGenerator<Listed>,
): AsyncGenerator<Difference> {
  try {
    let [left, right] = await Promise.all([former.next(), copies.next()]);
    while (!left.done || !right.done) {
      const order = left.done ? 1 : right.done ? -1 : inOrder(left.value.file, right.value.file);
      const one = order <= 0 && !left.done ? left.value : undefined;
      const other = order >= 0 && !right.done ? right.value : undefined;
      if (one === undefined || other === undefined || one.version !== other.version) {
        yield { former: one, copy: other };
      }
      if (one !== undefined) left = await former.next();
      if (other !== undefined) right = await copies.next();
    }
  } finally {
    await Promise.all([former.return(undefined), copies.return(undefined)]);
  }
}

/** The keys of each core. */
export function byPart(listed: readonly Listed[]): ReadonlyMap<string, readonly string[]> {
  const parts = new Map<string, string[]>();
  for (const { file, part } of listed) {
    const files = parts.get(part) ?? [];
    files.push(file);
    parts.set(part, files);
  }
  return parts;
}

/** Passes a list through, and records versions by file. */
export async function* recording(
  list: AsyncGenerator<Listed>,
  kept: Map<string, string>,
): AsyncGenerator<Listed> {
  for await (const one of list) {
    kept.set(one.file, one.version ?? "0");
    yield one;
  }
}

/** Passes a list through, and calls a function for each entry. */
export async function* counting(
  list: AsyncGenerator<Listed>,
  each: () => void,
): AsyncGenerator<Listed> {
  for await (const one of list) {
    each();
    yield one;
  }
}
