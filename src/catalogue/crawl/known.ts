/** Compares found files with the index: which must be read, and which entries lie below folders. */

import {
  anyOf,
  exactly,
  exists,
  noneOf,
  startsWith,
  uncached,
} from "../../domain/search/lucene.js";
import { documentsOf, isOfUser } from "../../index/loading/lookups.js";
import type { Solr } from "../../index/solr.js";
import type { SolrHttp } from "../../index/transport/http.js";
import type { FoundFile } from "./tree/found-file.js";
import type { Todo } from "./tree/young-files.js";

/** The action for a found file. */
type Plan =
  | Todo
  | { readonly kind: "unchanged"; readonly file: FoundFile }
  /** Registered by a user: a crawl must not make it public. */
  | { readonly kind: "user"; readonly file: FoundFile };

const FIELDS = [
  "file",
  "user",
  "owner",
  "size",
  "modified",
  "inode",
  "checksum",
  "retracted",
] as const;

type StoredFields = Readonly<Record<(typeof FIELDS)[number], unknown>>;

/** Which unchanged files are read. */
export interface Rereading {
  /** Whether all are. */
  readonly again?: boolean;
  /** Whether a file is if the index has no checksum of it. */
  readonly needsSum?: (file: FoundFile) => boolean;
}

export async function plan(
  http: SolrHttp,
  files: readonly FoundFile[],
  { again = false, needsSum = () => false }: Rereading,
): Promise<Plan[]> {
  const paths = files.map(({ path }) => path);
  const entries = new Map<string, StoredFields>();
  for await (const entry of documentsOf(http, paths, FIELDS))
    entries.set(String(entry.file), entry as StoredFields);
  return files.map((file): Plan => {
    const entry = entries.get(file.path);
    if (entry === undefined) return { kind: "new", file };
    if (isOfUser(entry)) return { kind: "user", file };
    if (!isSame(file, entry)) return { kind: "changed", file };
    const { checksum, retracted } = entry;
    const lacksSum = checksum === undefined && needsSum(file);
    if (!again && !lacksSum) return { kind: "unchanged", file };
    const kept = {
      ...(checksum !== undefined && { checksum }),
      ...(retracted !== undefined && { retracted }),
    };
    return { kind: lacksSum ? "unsummed" : "again", file, kept };
  });
}

function isSame({ size, modified, inode }: FoundFile, entry: StoredFields): boolean {
  const isTime = Date.parse(String(entry.modified)) === modified;
  return Number(entry.size) === size && isTime && String(entry.inode) === inode;
}

/** Public entries of the index at or below the paths. */
export async function* publicEntries(
  solr: Solr,
  paths: readonly string[],
): AsyncGenerator<readonly string[], void, undefined> {
  const below = paths.flatMap((path) => [
    ...(path === "/" ? [] : [exactly("file", path)]),
    startsWith("file", path.endsWith("/") ? path : `${path}/`),
  ]);
  if (below.length === 0) return;
  const filters = [uncached(anyOf(below)), noneOf([exists("user")])];
  for await (const batch of await solr.export({ filters }, { fields: ["file"], start: 0 })) {
    yield batch.map(({ file }) => String(file));
  }
}
