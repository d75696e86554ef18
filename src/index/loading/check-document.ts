/** Checks a document without Solr, which checks the rest against its schema. */
import { Unreadable } from "../../domain/extent/period.js";
import { requireEnvelope } from "../../domain/extent/region.js";
import { isObject, type JsonObject } from "../../domain/text/json-object.js";
import { detailValue } from "../../domain/vocabulary/detail-values.js";
import { DETAIL_NAMES, DETAILS, type Detail, isDetail } from "../../domain/vocabulary/details.js";
import { FACET_NAMES } from "../../domain/vocabulary/facets.js";
import { misspellings } from "../../domain/vocabulary/misspelled.js";
import { isDeeperThan, repeatedKey } from "./document-text.js";
import { fromMetadataCrawler } from "./metadata-crawler.js";

/** A document as it was written. */
type Document = Readonly<Record<string, unknown>> & {
  /** A path, or a list of one path. */
  readonly file: string | readonly [string];
};

/** A document is refused. The message says why. */
export class Refused extends Error {}

/** Fields in the schema; Solr drops all others. */
const FIELDS = new Set<string>([
  ...FACET_NAMES,
  ...DETAIL_NAMES,
  "file",
  "uri",
  "version",
  "file_name",
  "extra",
  "owner",
  "inode",
]);
/** The fields that a name which the index lacks probably stands for. */
const intendedNames = misspellings(
  [...FIELDS].filter((field) => !isDetail(field) || !DETAILS[field].derived),
);
/** Solr would index the documents in this field as separate documents. */
const CHILDREN = "_childDocuments_";

/** Solr parses nested objects and arrays recursively and could exhaust its stack. */
const MAX_DEPTH = 32;
/** Shorter texts can be parsed at any depth. */
const SHORT = 4096;
/** Lucene's longest term, in bytes of UTF-8. */
const MAX_BYTES = 32_766;
/** Details whose values have a defined format. */
const FORMED = new Set<string>(
  DETAIL_NAMES.filter((detail) => DETAILS[detail].kind !== "text" || detail === "checksum"),
);

interface Checked {
  readonly document: Document;
  /** Whether the text can be stored unchanged. */
  readonly isAsWritten: boolean;
  /** Fields that the index lacks, with the names that they probably stand for and that the document lacks. */
  readonly misspelled: readonly Misspelled[];
}

export interface Misspelled {
  readonly field: string;
  readonly intended: readonly string[];
}

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
  // The input is valid UTF-8, so only an escape can be an unpaired surrogate.
  const hasEscapes = text.includes("\\u");
  let hasOthers = false;
  const misspelled: Misspelled[] = [];
  for (const field of Object.keys(document)) {
    const content = document[field];
    if (!FIELDS.has(field)) {
      if (field === CHILDREN) throw new Refused(`${field}: nested documents are not allowed`);
      hasOthers ||= typeof content === "object";
      // Solr and other programs have fields of their own, which begin with a line.
      const intended = field.startsWith("_") ? [] : intendedNames(field);
      if (intended.length > 0 && !intended.some((name) => name in document))
        misspelled.push({ field, intended });
      continue;
    }
    if (!Array.isArray(content)) checkValue(field, content, hasEscapes);
    else for (const one of content) checkValue(field, one, hasEscapes);
  }
  if (hasOthers && isDeeperThan(text, MAX_DEPTH)) throw tooDeep();
  checkBox(document.bbox);
  const details = changedDetails(document);
  const taken = details ? { ...document, ...details } : document;
  return { document: taken as Document, isAsWritten: taken === written, misspelled };
}

/**
 * The details that are stored in another form than written, in that form; undefined if there are none.
 *
 * @throws Refused for an invalid value
 */
function changedDetails(
  document: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> | undefined {
  let changed: Record<string, unknown> | undefined;
  for (const field of Object.keys(document)) {
    if (!FORMED.has(field) || !isDetail(field)) continue;
    const given = document[field];
    const value = Array.isArray(given) && given.length <= 1 ? given[0] : given;
    // Empty counts as missing.
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
  // Derived details are overwritten, so their values do not matter, except `added`.
  if (DETAILS[field].derived && field !== "added") return value;
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
  new Refused(`has objects or arrays nested more than ${MAX_DEPTH} levels deep`);

function checkValue(field: string, value: unknown, hasEscapes: boolean): void {
  if (typeof value === "object" && value !== null) {
    const kind = Array.isArray(value) ? "a list of lists" : "an object";
    throw new Refused(`${field}: must be a text or a list of texts, not ${kind}`);
  }
  if (typeof value !== "string") return;
  if (hasEscapes && !value.isWellFormed()) {
    throw new Refused(`${field}: contains an unpaired surrogate`);
  }
  if (field === "extra" || value.length <= MAX_BYTES / 3) return;
  if (Buffer.byteLength(value) > MAX_BYTES) {
    throw new Refused(`${field}: has more than ${MAX_BYTES.toLocaleString("en")} bytes`);
  }
}

function checkBox(given: unknown): void {
  for (const box of Array.isArray(given) ? given : [given]) {
    // Empty counts as missing.
    if (box === undefined || box === null || box === "") continue;
    try {
      requireEnvelope(String(box));
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      throw new Refused(`bbox: ${error.message}`);
    }
  }
}
