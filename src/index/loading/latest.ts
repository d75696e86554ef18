/** What stands in the collections under the keys of datasets, for those who sort out which version is the newest. */
import { batchesOf } from "../../platform/time-slices.js";
import { SolrCollection } from "../transport/client.js";
import type { SolrHttp } from "../transport/http.js";
import { drsKey, type Rank, rank } from "./version.js";

/** A document of the index, by its path and how new it is. */
export interface Standing {
  readonly file: string;
  readonly rank: Rank;
}

export type StandingByKey = ReadonlyMap<string, readonly Standing[]>;

/** Milliseconds that Solr may take for one request of a load. */
export const UPDATE_TIMEOUT = 600_000;
/**
 * Bytes of values in one request. In a form each may take three, of which Solr's configset admits 32 MB; in SolrCloud one
 * node asks the others in such forms, for what was found too, by the keys of all of it.
 */
const MAX_VALUES = 4 << 20;
/** Documents in one answer. */
const MAX_ROWS = 50_000;
/** Whole documents in one answer. */
const MAX_DOCUMENTS = 1000;

/** What users have registered is nobody's older or newer version. */
const PUBLIC = "-user:*";
const ALL = "*:*";
/** Stands between values of a terms query; no path holds it. */
const JOINT = "\u0001";

type Collection = "files" | "latest";
type Found = Readonly<Record<string, unknown>> & { readonly file: string };

/** Public documents under the keys. */
export async function standing(
  http: SolrHttp,
  collection: Collection,
  keys: readonly string[],
): Promise<StandingByKey> {
  const found = new Map<string, Standing[]>();
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

/** When documents came into `files`, by their path; nothing of those that are not there, or do not say. */
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

/** Whole public documents, as they are stored in `files`. */
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

/** Fields of documents in `files`, also of those that users have. */
export async function* documentsOf(
  http: SolrHttp,
  files: readonly string[],
  fields: readonly string[],
): AsyncGenerator<Found> {
  for (const some of portions(files)) {
    yield* await matching(http, "files", "file", some, fields.join(","), ALL);
  }
}

/** Whether a collection has nothing at all. */
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

/** The values, as many at a time as one request takes. */
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

/** Makes what was added visible to searches. */
export const makeVisible = (http: SolrHttp, collection: Collection): Promise<void> =>
  new SolrCollection(http, collection).commit(true, { timeoutMs: UPDATE_TIMEOUT });
