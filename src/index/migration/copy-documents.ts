/** Reads and writes whole documents for a migration. */
import { SolrCollection } from "../transport/client.js";
import type { SolrHttp } from "../transport/http.js";
import { readAnswer } from "../transport/json-response.js";
import { parseWithVersions } from "../transport/version-json.js";
import { FIRST_ROW_TIMEOUT } from "./key-listing.js";
import type { IndexPlace } from "./layout.js";

/** A document with all stored fields; `_version_` as text. */
export type WholeDocument = Readonly<Record<string, unknown>> & {
  readonly file: string;
  readonly _version_: string;
};

/** A document to send. */
export type MigratedDocument = Readonly<Record<string, unknown>> & { readonly file: string };

/**
 * Converts a document of the former release to this one.
 *
 * @param newest files among the newest versions; undefined if the former release has marked them
 */
export type Migrate = (
  document: WholeDocument,
  newest: ReadonlySet<string> | undefined,
) => MigratedDocument;

/** Documents per request. */
export const BATCH = 2000;
/** Separates keys; no path contains it. */
const SEPARATOR = "\u0001";

/** Whole documents of one core; missing files are skipped. @throws SolrUnavailable, SolrTimeout */
export async function readWhole(
  http: SolrHttp,
  part: string,
  files: readonly string[],
): Promise<readonly WholeDocument[]> {
  const parameters = new URLSearchParams({
    q: `{!terms f=file separator="${SEPARATOR}" v=$values}`,
    ...{ fl: "*,_version_", rows: String(files.length), distrib: "false" },
    ...{ values: files.join(SEPARATOR), expandMacros: "false", sort: "_docid_ asc" },
  });
  const collection = new SolrCollection(http, part);
  const { text } = await collection.select(parameters, { timeoutMs: FIRST_ROW_TIMEOUT });
  const { response } = parseWithVersions(text) as { response: { docs: readonly WholeDocument[] } };
  return response.docs;
}

/** Those of some files that an index has. @throws SolrUnavailable, SolrTimeout */
export async function filesAmong(
  http: SolrHttp,
  place: IndexPlace,
  files: readonly string[],
): Promise<ReadonlySet<string>> {
  const parameters = new URLSearchParams({
    q: `{!terms f=file separator="${SEPARATOR}" v=$values}`,
    ...{ fl: "file", rows: String(files.length), sort: "_docid_ asc" },
    ...{ values: files.join(SEPARATOR), expandMacros: "false" },
  });
  const collection = new SolrCollection(http, place.name);
  const { text } = await collection.select(parameters, { timeoutMs: FIRST_ROW_TIMEOUT });
  const { response } = readAnswer<{ response: { docs: readonly { file: string }[] } }>(text);
  return new Set(response.docs.map(({ file }) => file));
}

/** A document that the new index rejects. */
export interface Refused {
  readonly file: string;
  readonly reason: string;
}

/** Sends documents. @returns the rejected ones, except version conflicts */
export async function send(
  http: SolrHttp,
  place: IndexPlace,
  texts: readonly string[],
): Promise<readonly Refused[]> {
  if (texts.length === 0) return [];
  const collection = new SolrCollection(http, place.name);
  const options = { timeoutMs: FIRST_ROW_TIMEOUT };
  const errors = await collection.updateTolerantly(`[${texts.join(",")}]`, options);
  return errors
    .filter(({ message }) => !/version conflict for /.test(message))
    .map(({ id, message }) => ({ file: id, reason: message }));
}

/** A document's JSON, optionally with a required version. */
export function documentJson(document: MigratedDocument, version?: string): string {
  const text = JSON.stringify(document);
  return version === undefined ? text : `{"_version_":${version},${text.slice(1)}`;
}

/** Deletes documents by key. */
export async function remove(
  http: SolrHttp,
  place: IndexPlace,
  files: readonly string[],
): Promise<void> {
  const collection = new SolrCollection(http, place.name);
  if (files.length > 0) await collection.delete(files, { timeoutMs: FIRST_ROW_TIMEOUT });
}

/** Makes all writes visible; also durable unless `soft`. */
export function commit(http: SolrHttp, place: IndexPlace, soft: boolean): Promise<void> {
  // Addressed by a core, because the collection's name may already be an alias.
  const [core = place.name] = place.parts;
  return new SolrCollection(http, core).commit(soft, { timeoutMs: FIRST_ROW_TIMEOUT });
}

/** Number of visible documents, and their highest version. */
export interface Extent {
  readonly count: number;
  readonly newest: string;
}

/** The extent of a place. Each core is read at one point in time. */
export async function extent(
  http: SolrHttp,
  place: IndexPlace,
  field: "_version_" | "_copied_version_" = "_version_",
): Promise<Extent> {
  const parts = await Promise.all(
    place.parts.map(async (part) => {
      const parameters = new URLSearchParams({
        ...{ q: "*:*", rows: "1", fl: `file,${field}`, sort: `${field} desc`, distrib: "false" },
      });
      const collection = new SolrCollection(http, part);
      const { text } = await collection.select(parameters, { timeoutMs: FIRST_ROW_TIMEOUT });
      const { response } = parseWithVersions(text) as {
        response: { numFound: number; docs: readonly Readonly<Record<string, string>>[] };
      };
      return { count: response.numFound, newest: response.docs[0]?.[field] ?? "0" };
    }),
  );
  return {
    count: parts.reduce((sum, { count }) => sum + count, 0),
    newest: parts.reduce((best, { newest }) => later(best, newest), "0"),
  };
}

/** The later of two versions, which exceed the range of numbers. */
export const later = (a: string, b: string): string => (BigInt(a) < BigInt(b) ? b : a);

/** The state of a file in the new index. */
export interface Present {
  readonly file: string;
  readonly _version_: string;
  readonly _copied_version_?: string;
}

/** Documents of the new index by file, including uncommitted ones. */
export async function presentIn(
  http: SolrHttp,
  { name }: IndexPlace,
  files: readonly string[],
): Promise<ReadonlyMap<string, Present>> {
  const fields = ["file", "_version_", "_copied_version_"];
  const found = await new SolrCollection(http, name).get<Present>(files, fields);
  return new Map(found.map((one) => [one.file, one]));
}

/** Deletes files from the new index, except those that were written since they were copied. @returns number of deleted files */
export async function removeCopies(
  http: SolrHttp,
  place: IndexPlace,
  files: readonly string[],
): Promise<number> {
  const present = await presentIn(http, place, files);
  const copied = [...present.values()].filter(
    ({ _copied_version_ }) => _copied_version_ !== undefined,
  );
  const versions = new Map(copied.map(({ file, _version_ }) => [file, _version_]));
  const stay = await new SolrCollection(http, place.name).deleteVersions(versions);
  return copied.length - stay.length;
}
