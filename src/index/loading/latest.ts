/** Looks up indexed versions of datasets, to determine the newest ones. */
import { batchesOf } from "../../platform/time-slices.js";
import { SolrCollection } from "../transport/client.js";
import type { SolrHttp } from "../transport/http.js";
import { drsKey, type Rank, rank } from "./version.js";

/** A document of the index: its path and its version's rank. */
export interface IndexedVersion {
  readonly file: string;
  readonly rank: Rank;
}

/** By dataset key (`drsKey`). */
export type VersionsByKey = ReadonlyMap<string, readonly IndexedVersion[]>;

/** Timeout of one request of a load, in milliseconds. */
export const UPDATE_TIMEOUT = 600_000;
/**
 * Bytes of values in one request. Form encoding may triple them, and Solr's configset accepts 32 MB; nodes of SolrCloud also
 * request the found documents from each other in such forms, by all their keys.
 */
const MAX_VALUES = 4 << 20;
/** Documents in one response. */
const MAX_ROWS = 50_000;
/** Complete documents in one response. */
const MAX_DOCUMENTS = 1000;

/** User data is not a version of public data. */
const PUBLIC = "-user:*";
const ALL = "*:*";
/** Separates the values of a terms query; paths do not contain it. */
const JOINT = "\u0001";

type Collection = "files" | "latest";
type Found = Readonly<Record<string, unknown>> & { readonly file: string };

/** The public documents under the given keys. */
export async function indexedVersions(
  http: SolrHttp,
  collection: Collection,
  keys: readonly string[],
): Promise<VersionsByKey> {
  const found = new Map<string, IndexedVersion[]>();
  for (const some of portions(keys)) {
    for (const { file, version } of await matching(
      http,
      collection,
      "drs_key",
      some,
      "file,version",
    )) {
      const key = drsKey(file);
      const versions = found.get(key) ?? [];
      versions.push({ file, rank: rank(version, file) });
      found.set(key, versions);
    }
  }
  return found;
}

/** When documents were added to `files`, by path; unknown ones are missing. */
export async function whenAdded(
  http: SolrHttp,
  files: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for await (const { file, added } of documentsOf(http, files, ["file", "added"])) {
    if (typeof added === "string") found.set(file, added);
  }
  return found;
}

/** Complete public documents, as stored in `files`. */
export async function* wholeDocuments(
  http: SolrHttp,
  files: readonly string[],
): AsyncGenerator<Found> {
  for (const batch of batchesOf(files, MAX_DOCUMENTS)) {
    for (const some of portions(batch)) {
      yield* await matching(http, "files", "file", some, "*");
    }
  }
}

/** Fields of documents in `files`, including user data. */
export async function* documentsOf(
  http: SolrHttp,
  files: readonly string[],
  fields: readonly string[],
): AsyncGenerator<Found> {
  for (const some of portions(files)) {
    yield* await matching(http, "files", "file", some, fields.join(","), ALL);
  }
}

export async function isEmpty(http: SolrHttp, collection: Collection): Promise<boolean> {
  const parameters = new URLSearchParams({ q: "*:*", rows: "0" });
  return (await select(http, collection, parameters)).numFound === 0;
}

async function matching(
  http: SolrHttp,
  collection: Collection,
  field: string,
  values: readonly string[],
  fields: string,
  filter = PUBLIC,
): Promise<readonly Found[]> {
  const all: Found[] = [];
  for (let found = 1; all.length < found; ) {
    const parameters = new URLSearchParams({
      q: `{!terms f=${field} separator="${JOINT}" v=$values}`,
      fq: filter,
      fl: fields,
      start: String(all.length),
      rows: String(MAX_ROWS),
      values: values.join(JOINT),
      expandMacros: "false",
    });
    const { numFound, docs } = await select(http, collection, parameters);
    found = docs.length === 0 ? 0 : numFound;
    for (const one of docs) all.push(one);
  }
  return all;
}

async function select(http: SolrHttp, collection: Collection, parameters: URLSearchParams) {
  const options = { timeoutMs: UPDATE_TIMEOUT };
  const { text } = await new SolrCollection(http, collection).select(parameters, options);
  const { response } = JSON.parse(text) as {
    response: { readonly numFound: number; readonly docs: readonly Found[] };
  };
  return response;
}

/** Splits values into portions that fit into one request. */
function* portions(values: readonly string[]): Generator<readonly string[]> {
  let some: string[] = [];
  let size = 0;
  for (const value of values) {
    const bytes = Buffer.byteLength(value);
    if (some.length > 0 && size + bytes > MAX_VALUES) {
      yield some;
      some = [];
      size = 0;
    }
    some.push(value);
    size += bytes;
  }
  if (some.length > 0) yield some;
}

/** Commits, so that searches see what was added. */
export const makeVisible = (http: SolrHttp, collection: Collection): Promise<void> =>
  new SolrCollection(http, collection).commit(true, { timeoutMs: UPDATE_TIMEOUT });
