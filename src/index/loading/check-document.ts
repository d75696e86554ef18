/** What can be told of a document without Solr, which checks the rest against its schema. */
import { LRUCache } from "lru-cache";
import { Unreadable } from "../../domain/extent/period.js";
import { requireEnvelope } from "../../domain/extent/region.js";
import { isObject, type JsonObject } from "../../domain/text/json-object.js";
import { detailValue } from "../../domain/vocabulary/detail-values.js";
import { DETAIL_NAMES, DETAILS, type Detail, isDetail } from "../../domain/vocabulary/details.js";
import { FACET_NAMES } from "../../domain/vocabulary/facets.js";
import { isDeeperThan, repeatedKey } from "./document-text.js";
import { fromMetadataCrawler } from "./metadata-crawler.js";

/** A document as it was written. */
export type Document = Readonly<Record<string, unknown>> & {
  /** Its path, alone or in a list of its own. */
  readonly file: string | readonly [string];
};

/** A document is not taken; the message says why. */
export class Refused extends Error {}

/** Fields that the index keeps. Anything else a document carries is dropped there. */
const FIELDS = new Set<string>([
  ...FACET_NAMES,
  ...DETAIL_NAMES,
  ...["file", "uri", "version", "file_name", "extra", "owner", "inode"],
]);
/** Solr would take documents inside of it for others of their own. */
const CHILDREN = "_childDocuments_";

/** Objects and arrays in each other; Solr reads them one inside of the other, until its stack is full. */
const MAX_DEPTH = 32;
/** Characters of a text that can be read whatever its depth is. */
const SHORT = 4096;
/** Lucene takes no longer term; in bytes of UTF-8. */
const MAX_BYTES = 32_766;
/** Details whose values have a form: texts of a document are taken as they are. */
const FORMED = new Set<string>(
  DETAIL_NAMES.filter((detail) => DETAILS[detail].kind !== "text" || detail === "checksum"),
);
/** Boxes that were looked at of late: the files of a dataset share one. */
const MAX_REMEMBERED = 1000;

/** What is in a text. */
export interface Checked {
  readonly document: Document;
  /** Whether the document is what the text says, with no word in another form. */
  readonly isAsWritten: boolean;
}

/** @throws Refused */
export function checkDocument(text: string): Checked {
  const written = parse(text);
  const repeated = repeatedKey(text, Object.keys(written).length);
  if (repeated !== undefined) throw new Refused(`${repeated} is given twice`);
  const document = fromMetadataCrawler(written);
  const { file } = document;
  const value = Array.isArray(file) && file.length === 1 ? file[0] : file;
  if (typeof value !== "string" || value === "") {
    throw new Refused("file is missing: every document needs a path");
  }
  // The input is UTF-8: only an escape can be half a character.
  const hasEscapes = text.includes("\\u");
  let hasOthers = false;
  for (const field of Object.keys(document)) {
    const content = document[field];
    if (!FIELDS.has(field)) {
      if (field === CHILDREN) throw new Refused(`${field}: a document has no others inside of it`);
      hasOthers ||= typeof content === "object";
      continue;
    }
    if (!Array.isArray(content)) checkValue(field, content, hasEscapes);
    else for (const one of content) checkValue(field, one, hasEscapes);
  }
  if (hasOthers && isDeeperThan(text, MAX_DEPTH)) throw tooDeep();
  checkBox(document.bbox);
  const details = changedDetails(document);
  const taken = details ? { ...document, ...details } : document;
  return { document: taken as Document, isAsWritten: taken === written };
}

/**
 * The details of a document that Solr takes in another form than they are written in, in that form; undefined where
 * there are none.
 *
 * @throws Refused for a value that is none
 */
function changedDetails(
  document: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> | undefined {
  let changed: Record<string, unknown> | undefined;
  for (const field of Object.keys(document)) {
    if (!FORMED.has(field) || !isDetail(field)) continue;
    const given = document[field];
    const value = Array.isArray(given) && given.length <= 1 ? given[0] : given;
    // What is empty counts as missing.
    if (value === undefined || value === null || value === "") continue;
    const taken = formed(field, value);
    if (taken === value) continue;
    changed ??= {};
    changed[field] = taken;
  }
  return changed;
}

function formed(field: Detail, value: unknown): unknown {
  if (Array.isArray(value)) throw new Refused(`${field}: has more than one value`);
  // What is made by the service is not looked at, but for when an entry came.
  if (DETAILS[field].made && field !== "added") return value;
  try {
    return detailValue(field, value);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    throw new Refused(`${field}: ${error.message}`);
  }
}

function parse(text: string): JsonObject {
  if (text.length > SHORT && isDeeperThan(text, MAX_DEPTH)) throw tooDeep();
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    throw new Refused(`not JSON: ${(error as Error).message}`);
  }
  if (!isObject(document)) throw new Refused("not a JSON object");
  return document;
}

const tooDeep = (): Refused =>
  new Refused(`has more than ${MAX_DEPTH} objects and arrays inside of each other`);

function checkValue(field: string, value: unknown, hasEscapes: boolean): void {
  if (typeof value === "object" && value !== null) {
    const kind = Array.isArray(value) ? "a list of lists" : "an object";
    throw new Refused(`${field}: must be a text or a list of texts, not ${kind}`);
  }
  if (typeof value !== "string") return;
  if (hasEscapes && !value.isWellFormed()) {
    throw new Refused(`${field}: has half a character (a surrogate without its other half)`);
  }
  if (field === "extra" || value.length <= MAX_BYTES / 3) return;
  if (Buffer.byteLength(value) > MAX_BYTES) {
    throw new Refused(`${field}: has more than ${MAX_BYTES.toLocaleString("en")} bytes`);
  }
}

const knownBoxes = new LRUCache<string, true>({ max: MAX_REMEMBERED });

function checkBox(given: unknown): void {
  for (const box of Array.isArray(given) ? given : [given]) {
    // What is empty counts as missing.
    if (box === undefined || box === null || box === "" || knownBoxes.has(box)) continue;
    try {
      requireEnvelope(String(box));
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      throw new Refused(`bbox: ${error.message}`);
    }
    knownBoxes.set(String(box), true);
  }
}
