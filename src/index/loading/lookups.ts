/** Reads of a load, which decide what it writes. */
import { FILES } from "../collections/configset.js";
import { SolrCollection } from "../transport/client.js";
import { LEADERS_FIRST, type SolrHttp } from "../transport/http.js";
import { readAnswer } from "../transport/json-response.js";

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

export type StoredDocument = Readonly<Record<string, unknown>> & { readonly file: string };

/** Fields that only data of users have. */
export const USER_FIELDS = ["user", "owner"];
export const isOfUser = (document: Readonly<Record<string, unknown>>): boolean =>
  USER_FIELDS.some((field) => document[field] !== undefined);

/** Fields of documents, including user data. */
export async function* documentsOf(
  http: SolrHttp,
  files: readonly string[],
  fields: readonly string[],
  collection: string = FILES,
): AsyncGenerator<StoredDocument> {
  for (const some of portions(files)) {
    yield* await matching(http, collection, some, fields.join(","));
  }
}

export async function isEmpty(http: SolrHttp): Promise<boolean> {
  const parameters = new URLSearchParams({ q: "*:*", rows: "0" });
  return (await select(http, FILES, parameters)).numFound === 0;
}

/** Matches documents by the values of a request (`valuesOf`). */
export const termsOf = (field: string, values = "values"): string =>
  `{!terms f=${field} separator="${JOINT}" v=$${values}}`;

/** The parameters with the values of `termsOf`. */
export const valuesOf = (values: readonly string[]) => ({
  values: values.join(JOINT),
  expandMacros: "false",
});

async function matching(
  http: SolrHttp,
  collection: string,
  files: readonly string[],
  fields: string,
): Promise<readonly StoredDocument[]> {
  const all: StoredDocument[] = [];
  for (let found = 1; all.length < found; ) {
    const parameters = new URLSearchParams({
      q: termsOf("file"),
      fl: fields,
      start: String(all.length),
      rows: String(MAX_ROWS),
      ...valuesOf(files),
    });
    const { numFound, docs } = await select(http, collection, parameters);
    found = docs.length === 0 ? 0 : numFound;
    for (const one of docs) all.push(one);
  }
  return all;
}

export async function select(http: SolrHttp, collection: string, parameters: URLSearchParams) {
  const { response } = await selectFromLeaders<{
    response: { readonly numFound: number; readonly docs: readonly StoredDocument[] };
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
export function* portions(
  values: readonly string[],
  most = Number.POSITIVE_INFINITY,
): Generator<readonly string[]> {
  let some: string[] = [];
  let size = 0;
  for (const value of values) {
    const bytes = Buffer.byteLength(value);
    if (some.length > 0 && (size + bytes > MAX_VALUES || some.length >= most)) {
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
export const makeVisible = (http: SolrHttp, collection: string = FILES): Promise<void> =>
  new SolrCollection(http, collection).commit(true, { timeoutMs: UPDATE_TIMEOUT });
