/** Compares found files with the index: which must be read, and which entries lie below folders. */

import {
  anyOf,
  exactly,
  exists,
  noneOf,
  startsWith,
  uncached,
} from "../../domain/search/lucene.js";
import { documentsOf, indexedVersions, wholeDocuments } from "../../index/loading/latest.js";
import { compareRanks, drsKey, rank } from "../../index/loading/version.js";
import type { Solr } from "../../index/solr.js";
import type { SolrHttp } from "../../index/transport/http.js";
import type { FoundFile } from "./found-file.js";

/** The action for a found file. */
export type Plan =
  | { readonly kind: "new" | "changed"; readonly file: FoundFile }
  | { readonly kind: "unchanged"; readonly file: FoundFile }
  /** Registered by a user: a crawl must not make it public. */
  | { readonly kind: "user"; readonly file: FoundFile }
  /** In the index, but an interrupted load left the newest version undecided: load its document again. */
  | { readonly kind: "unsettled"; readonly file: FoundFile; readonly text: string };

const FIELDS = ["file", "version", "user", "owner", "size", "modified", "inode"] as const;

type Entry = Readonly<Record<(typeof FIELDS)[number], unknown>>;

/** Plans for files, compared with the current index. @throws SolrUnavailable, SolrTimeout */
export async function plan(http: SolrHttp, files: readonly FoundFile[]): Promise<Plan[]> {
  const paths = files.map(({ path }) => path);
  const entries = new Map<string, Entry>();
  for await (const entry of documentsOf(http, paths, FIELDS))
    entries.set(String(entry.file), entry as Entry);
  const same = files.filter((file) => isSame(file, entries.get(file.path)));
  const unsettled = await unsettledOf(http, same, entries);
  return files.map((file): Plan => {
    const entry = entries.get(file.path);
    if (entry === undefined) return { kind: "new", file };
    if (entry.user !== undefined || entry.owner !== undefined) return { kind: "user", file };
    if (!isSame(file, entry)) return { kind: "changed", file };
    const text = unsettled.get(file.path);
    return text === undefined ? { kind: "unchanged", file } : { kind: "unsettled", file, text };
  });
}

/** The files that users have registered in the meantime. */
export async function registeredByUsers(
  http: SolrHttp,
  files: readonly string[],
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for await (const { file, user, owner } of documentsOf(http, files, ["file", "user", "owner"])) {
    if (user !== undefined || owner !== undefined) found.add(file);
  }
  return found;
}

function isSame({ size, modified, inode }: FoundFile, entry: Entry | undefined): boolean {
  if (entry === undefined || entry.user !== undefined || entry.owner !== undefined) return false;
  const isTime = Date.parse(String(entry.modified)) === modified;
  return Number(entry.size) === size && isTime && String(entry.inode) === inode;
}

/** Files for which `latest` does not hold exactly the newest version, with their documents as text. */
async function unsettledOf(
  http: SolrHttp,
  files: readonly FoundFile[],
  entries: ReadonlyMap<string, Entry>,
): Promise<ReadonlyMap<string, string>> {
  if (files.length === 0) return new Map();
  const keys = [...new Set(files.map(({ path }) => drsKey(path)))];
  const latest = await indexedVersions(http, "latest", keys);
  const open = files.filter(({ path }) => {
    const [newest, ...others] = latest.get(drsKey(path)) ?? [];
    const own = rank(entries.get(path)?.version, path);
    return newest === undefined || others.length > 0 || compareRanks(newest.rank, own) < 0;
  });
  const texts = new Map<string, string>();
  const paths = open.map(({ path }) => path);
  for await (const document of wholeDocuments(http, paths)) {
    texts.set(document.file, JSON.stringify(document));
  }
  return texts;
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
  const search = { collection: "files", filters } as const;
  for await (const batch of await solr.export(search, { fields: ["file"], start: 0 })) {
    yield batch.map(({ file }) => String(file));
  }
}
