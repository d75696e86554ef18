/** Documents from the former index to the new one, as a whole. */
import { SolrCollection } from "../transport/client.js";
import type { SolrHttp } from "../transport/http.js";
import { parseWithVersions } from "../transport/version-json.js";
import { PATIENCE } from "./key-listing.js";
import type { Place } from "./layout.js";

/** A document with all that its index keeps of it; `_version_` as text. */
export type Whole = Readonly<Record<string, unknown>> & {
  readonly file: string;
  readonly _version_: string;
};

/** What is sent. */
export type Lifted = Readonly<Record<string, unknown>> & { readonly file: string };

/** Makes a document of this release of one of the former. */
export type Lift = (document: Whole) => Lifted;

/** Documents that are read and sent at a time. */
export const BATCH = 2000;
/** Stands between keys; no path holds it. */
const JOINT = "\u0001";

/** Whole documents of one core, those that are there. @throws SolrUnavailable, SolrTimeout */
export async function readWhole(
  http: SolrHttp,
  part: string,
  files: readonly string[],
): Promise<readonly Whole[]> {
  const parameters = new URLSearchParams({
    q: `{!terms f=file separator="${JOINT}" v=$values}`,
    ...{ fl: "*,_version_", rows: String(files.length), distrib: "false" },
    ...{ values: files.join(JOINT), expandMacros: "false", sort: "_docid_ asc" },
  });
  const collection = new SolrCollection(http, part);
  const { text } = await collection.select(parameters, { timeoutMs: PATIENCE });
  const { response } = parseWithVersions(text) as { response: { docs: readonly Whole[] } };
  return response.docs;
}

/** A document that the new index does not take. */
export interface Refused {
  readonly file: string;
  readonly reason: string;
}

/** Sends documents. @returns those that are refused, but for such whose version is another than was expected */
export async function send(
  http: SolrHttp,
  place: Place,
  texts: readonly string[],
): Promise<readonly Refused[]> {
  if (texts.length === 0) return [];
  const collection = new SolrCollection(http, place.name);
  const options = { timeoutMs: PATIENCE };
  const errors = await collection.updateTolerantly(`[${texts.join(",")}]`, options);
  return errors
    .filter(({ message }) => !/version conflict for /.test(message))
    .map(({ id, message }) => ({ file: id, reason: message }));
}

/** A document's JSON, bound to a version where one is named. */
export function textOf(document: Lifted, version?: string): string {
  const text = JSON.stringify(document);
  return version === undefined ? text : `{"_version_":${version},${text.slice(1)}`;
}

/** Deletes documents by their keys. */
export async function remove(
  http: SolrHttp,
  place: Place,
  files: readonly string[],
): Promise<void> {
  const collection = new SolrCollection(http, place.name);
  if (files.length > 0) await collection.delete(files, { timeoutMs: PATIENCE });
}

/** Makes all that was written visible; to disk, too, unless `soft`. */
export function commit(http: SolrHttp, place: Place, soft: boolean): Promise<void> {
  // By a core: the collection's name may be that of an alias by now.
  const [core = place.name] = place.parts;
  return new SolrCollection(http, core).commit(soft, { timeoutMs: PATIENCE });
}

/** How many documents there are, and the highest version, of those that are visible. */
export interface Extent {
  readonly count: number;
  readonly newest: string;
}

/** The extent of a place, each core at one point in time. */
export async function extent(
  http: SolrHttp,
  place: Place,
  field: "_version_" | "_copied_version_" = "_version_",
): Promise<Extent> {
  const parts = await Promise.all(
    place.parts.map(async (part) => {
      const parameters = new URLSearchParams({
        ...{ q: "*:*", rows: "1", fl: `file,${field}`, sort: `${field} desc`, distrib: "false" },
      });
      const collection = new SolrCollection(http, part);
      const { text } = await collection.select(parameters, { timeoutMs: PATIENCE });
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

/** The later of two versions, which are too long for numbers. */
export const later = (a: string, b: string): string => (BigInt(a) < BigInt(b) ? b : a);
