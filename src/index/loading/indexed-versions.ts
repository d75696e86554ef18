/** Looks up the indexed versions of files, by which the newest are determined. */
import { FILES } from "../collections/configset.js";
import { SolrCollection } from "../transport/client.js";
import { LEADERS_FIRST, type SolrHttp } from "../transport/http.js";
import { readAnswer } from "../transport/json-response.js";
import { drsKey, type Rank, rank } from "./version.js";

/** A document of the index, with what decides whether default searches find it. */
export interface IndexedVersion {
  readonly file: string;
  readonly rank: Rank;
  /** False for user data, which is not a version of other documents. */
  readonly isPublic: boolean;
  /** Undefined if another program wrote it without a mark. */
  readonly isMarked: boolean | undefined;
  /** The documents that it hides from default searches. */
  readonly replaces: readonly string[];
  /** When it came into the index. */
  readonly added: string | undefined;
}

/** By key (`drsKey`). */
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

/** Separates the values of a terms query; paths do not contain it. */
const JOINT = "\u0001";

type Found = Readonly<Record<string, unknown>> & { readonly file: string };

const FIELDS = "file,version,user,latest,_replaces_,added";

/** The visible documents under the given keys, including user data. */
export async function indexedVersions(
  http: SolrHttp,
  keys: readonly string[],
  collection: string = FILES,
): Promise<VersionsByKey> {
  const found = new Map<string, IndexedVersion[]>();
  for (const some of portions(keys)) {
    for (const document of await matching(http, collection, "drs_key", some, FIELDS)) {
      const key = drsKey(document.file);
      const versions = found.get(key) ?? [];
      versions.push(asVersion(document));
      found.set(key, versions);
    }
  }
  return found;
}

const asVersion = ({
  file,
  version,
  user,
  latest,
  _replaces_: replaces,
  added,
}: Found): IndexedVersion => ({
  file,
  rank: rank(version, file),
  isPublic: user === undefined,
  isMarked: typeof latest === "boolean" ? latest : undefined,
  replaces: Array.isArray(replaces) ? replaces.map(String) : [],
  added: typeof added === "string" ? added : undefined,
});

/** Fields of documents, including user data. */
export async function* documentsOf(
  http: SolrHttp,
  files: readonly string[],
  fields: readonly string[],
): AsyncGenerator<Found> {
  for (const some of portions(files)) {
    yield* await matching(http, FILES, "file", some, fields.join(","));
  }
}

export async function isEmpty(http: SolrHttp): Promise<boolean> {
  const parameters = new URLSearchParams({ q: "*:*", rows: "0" });
  return (await select(http, FILES, parameters)).numFound === 0;
}

/** The first files that match a clause, and what further parameters say. */
export async function filesOf(
  http: SolrHttp,
  clause: string,
  rows: number,
  further: Readonly<Record<string, string>> = {},
): Promise<string[]> {
  const parameters = new URLSearchParams({ q: clause, fl: "file", rows: String(rows), ...further });
  return (await select(http, FILES, parameters)).docs.map(({ file }) => file);
}

async function matching(
  http: SolrHttp,
  collection: string,
  field: string,
  values: readonly string[],
  fields: string,
): Promise<readonly Found[]> {
  const all: Found[] = [];
  for (let found = 1; all.length < found; ) {
    const parameters = new URLSearchParams({
      q: `{!terms f=${field} separator="${JOINT}" v=$values}`,
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

async function select(http: SolrHttp, collection: string, parameters: URLSearchParams) {
  const { response } = await selectFromLeaders<{
    response: { readonly numFound: number; readonly docs: readonly Found[] };
  }>(http, collection, parameters);
  return response;
}

/**
 * Reads from the leaders: loads decide by it what they write, and a version that they miss would keep its mark.
 *
 * @returns Solr's whole answer
 */
export async function selectFromLeaders<T>(
  http: SolrHttp,
  collection: string,
  parameters: URLSearchParams,
): Promise<T> {
  const solr = new SolrCollection(http, collection);
  parameters.set("shards.preference", LEADERS_FIRST);
  const { text } = await solr.select(parameters, { timeoutMs: UPDATE_TIMEOUT });
  return readAnswer<T>(text);
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
export const makeVisible = (http: SolrHttp): Promise<void> =>
  new SolrCollection(http, FILES).commit(true, { timeoutMs: UPDATE_TIMEOUT });
