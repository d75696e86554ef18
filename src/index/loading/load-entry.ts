/** Turns a document of a load into the text that is sent to Solr, without the fields that the load adds. */
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { derivedDetails } from "../../domain/vocabulary/derived-details.js";
import { DETAIL_NAMES, DETAILS } from "../../domain/vocabulary/details.js";
import { COMPUTED } from "../collections/configset.js";
import { checkDocument, type Misspelled } from "./check-document.js";
import { MARK_FIELDS } from "./marks/write-marks.js";
import type { DocumentText } from "./read-documents.js";
import { type DatasetVersion, datasetVersion } from "./version.js";

/** A document to send. Its text lacks the mark, `added`, `updated` and the closing brace. */
export interface LoadEntry {
  readonly file: string;
  readonly text: string;
  readonly line: number;
  /** When it came into the index, if the document states it. */
  readonly added?: string | undefined;
  readonly misspelled: readonly Misspelled[];
  /** Undefined if it is always the newest: without a version, and in user data. */
  readonly of: DatasetVersion | undefined;
}

/** Details set here; values in documents are ignored, except `added`. */
const DERIVED = DETAIL_NAMES.filter((detail) => DETAILS[detail].derived);
/** Fields that dumps of other indexes may contain; they are ignored. */
const IGNORED = [...COMPUTED, ...DERIVED, ...MARK_FIELDS];

/**
 * Checks a document and completes it.
 *
 * @param root base folder of relative `file` and `uri`; without it they are left unchanged
 */
export function readEntry({ text, line }: DocumentText, root: string | undefined): LoadEntry {
  const { document, isAsWritten, misspelled } = checkDocument(text);
  const value = typeof document.file === "string" ? document.file : document.file[0];
  const computed = IGNORED.filter((name) => name in document);
  const changed =
    root !== undefined || computed.length > 0 || !isAsWritten
      ? changedDocument(document, value, root, computed)
      : undefined;
  const kept = { ...(changed ?? document), file: changed?.file ?? value };
  const given = document.added;
  const added = Array.isArray(given) ? given[0] : given;
  return {
    file: kept.file,
    of: hasValue(document.user) ? undefined : datasetVersion(kept),
    ...(hasValue(added) && { added: String(added) }),
    text: withDerived(changed ? JSON.stringify(changed) : text, changed ?? document),
    line,
    misspelled,
  };
}

/** Whether a value is not empty; Solr treats empty values as missing. */
const hasValue = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.some(hasValue)
    : value !== undefined && value !== null && value !== "";

/** A copy without computed fields, and with `file` and `uri` resolved against a folder. */
function changedDocument(
  document: object,
  file: string,
  root: string | undefined,
  computed: readonly string[],
): Readonly<Record<string, unknown>> & { readonly file: string } {
  const kept = Object.entries(document).filter(([name]) => !computed.includes(name));
  const copy = { ...Object.fromEntries(kept), file };
  if (root === undefined) return copy;
  const { uri } = document as { uri?: unknown };
  const isRelative = (text: string): boolean =>
    !text.startsWith("/") && !/^[a-z][\w+.-]*:/i.test(text);
  return {
    ...copy,
    ...(isRelative(file) && { file: resolve(root, file) }),
    ...(typeof uri === "string" &&
      isRelative(uri) && { uri: pathToFileURL(resolve(root, uri)).href }),
  };
}

/**
 * Appends the details derived from a document's other fields to its JSON, without the closing brace.
 *
 * @param text a non-empty JSON object without derived fields
 */
function withDerived(text: string, document: Readonly<Record<string, unknown>>): string {
  const derived = JSON.stringify(derivedDetails(document)).slice(1, -1);
  return text.slice(0, text.lastIndexOf("}")) + (derived === "" ? "" : `,${derived}`);
}

/** Completes a text of withDerived. Times are ISO 8601 in UTC. */
export const withTimes = (text: string, added: string, updated: string): string =>
  `${text},"added":"${added}","updated":"${updated}"}`;
