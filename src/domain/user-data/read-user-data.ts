/**
 * Reads the user data that a user registers into documents for the index. Everything is checked before anything is stored.
 *
 * Source: specification, 2.6 and 4.8; search-semantics, "A document".
 */
import { LRUCache } from "lru-cache";
import { nextTurn, SLICE } from "../../platform/concurrency/time-slices.js";
import { Issues } from "../errors.js";
import { solrRange, Unreadable } from "../extent/period.js";
import { envelope } from "../extent/region.js";
import { withSpelling } from "../suggestions/typed-period.js";
import { isObject, type JsonObject } from "../text/json-object.js";
import { derivedDetails } from "../vocabulary/derived-details.js";
import { detailValue } from "../vocabulary/detail-values.js";
import { DETAIL_NAMES, DETAILS, type Detail } from "../vocabulary/details.js";
import { FACET_NAMES, FACETS, type Facet } from "../vocabulary/facets.js";
import { misspellings } from "../vocabulary/misspelled.js";

/** A body whose form is not yet validated. */
export interface RawUserData {
  readonly user_metadata: readonly unknown[];
  readonly facets?: unknown;
}

/** A document for the index, without its owner. */
export type UserDocument = Readonly<Record<string, string | readonly string[]>> & {
  readonly file: string;
};

/** Lucene's longest term, in bytes of UTF-8. */
const MAX_TERM_BYTES = 32_766;

/** Keys that the token or the service decides; values in an entry are ignored. */
const DECIDED = new Set([
  "user",
  "owner",
  "_version_",
  ...DETAIL_NAMES.filter((detail) => DETAILS[detail].derived),
]);

/** How the value of a key becomes that of a field. */
type Reader = (value: unknown) => string | readonly string[] | undefined;

const text = (value: unknown): string => {
  if (typeof value !== "string") throw new Unreadable("must be a string");
  if (!value.isWellFormed()) throw new Unreadable("must be well-formed Unicode");
  // A UTF-16 unit has at most three bytes, so only long values are measured.
  if (value.length > MAX_TERM_BYTES / 3 && Buffer.byteLength(value) > MAX_TERM_BYTES) {
    throw new Unreadable(`must have at most ${MAX_TERM_BYTES} bytes`);
  }
  return value;
};

const single: Reader = (value) => text(value) || undefined;

/** The location of data: an absolute path, or a URI with a scheme (RFC 3986, 3.1). A relative path names nothing to others. */
const location: Reader = (value) => {
  const given = text(value);
  if (given === "" || given.startsWith("/") || /^[a-z][a-z0-9+.-]*:/i.test(given)) {
    return given || undefined;
  }
  throw new Unreadable("must be an absolute path or a URI");
};

const several: Reader = (value) => {
  if (!Array.isArray(value)) return single(value);
  const values = value.map(text).filter((one) => one !== "");
  return values.length > 0 ? values : undefined;
};

/** Bound of the caches of parsed values: the files of a dataset share periods and boxes. */
const MAX_CACHED = 10_000;

function optional(read: (text: string) => string): Reader {
  const cache = new LRUCache<string, string>({
    max: MAX_CACHED,
    memoMethod: (given) => read(given),
  });
  return (value) => {
    const given = text(value);
    return given === "" ? undefined : cache.memo(given);
  };
}

const facetReader = (facet: Facet): Reader => (FACETS[facet].single ? single : several);

const detailReader = (detail: Detail): Reader => {
  const { kind, several: isList } = DETAILS[detail];
  if (kind === "text" && detail !== "checksum") return isList ? several : single;
  // Solr accepts numbers and booleans as text.
  return (value) => (value === "" ? undefined : String(detailValue(detail, value)));
};

/** Readers of the searchable fields. Other keys are stored together and never searched. */
const READERS = new Map<string, Reader>([
  ...FACET_NAMES.filter((facet) => !DECIDED.has(facet)).map(
    (facet) => [facet, facetReader(facet)] as const,
  ),
  ...DETAIL_NAMES.filter((detail) => !DECIDED.has(detail)).map(
    (detail) => [detail, detailReader(detail)] as const,
  ),
  ["file", location],
  ["uri", location],
  ["version", single],
  ["time", optional((text) => withSpelling(text, solrRange))],
  ["bbox", optional(envelope)],
]);

/** Key for entries' own keys, which are stored with the others that are never searched. */
const FREE = "extra";

const intendedNames = misspellings([...READERS.keys(), FREE]);

const REQUIRED = ["file", "variable", "time", "time_frequency"];

/** Whether a value, or one of a list, is only white space. */
const isBlank = (value: unknown): boolean =>
  Array.isArray(value) ? value.some(isBlank) : typeof value === "string" && value.trim() === "";

type Fields = Record<string, string | readonly string[]>;
type Free = JsonObject;

/** Why a key is refused as a misspelling; undefined for keys of the caller's own. */
function misspelled(key: string): string | undefined {
  const names = intendedNames(key);
  if (names.length === 0) return undefined;
  return `is not a known key; did you mean ${names.join(" or ")}? Put keys of your own under ${FREE}`;
}

/**
 * Reads an entry, or `facets`, key by key into `document`.
 *
 * @param path the name of the entry in issues
 * @returns the keys that are stored but never searched, if any
 */
function readKeys(given: Free, path: string, issues: Issues, document: Fields): Free | undefined {
  const free: [string, unknown][] = [];
  for (const key of Object.keys(given)) {
    const refuse = (reason: string): void =>
      issues.add({ name: `${path}.${key}`, in: "body", reason });
    const read = READERS.get(key);
    if (read !== undefined) {
      try {
        const field = read(given[key]);
        if (field !== undefined) document[key] = field;
      } catch (error) {
        if (!(error instanceof Unreadable)) throw error;
        refuse(error.message);
      }
    } else if (key === FREE) {
      const own = given[key];
      if (isObject(own)) free.push(...Object.entries(own));
      else refuse(path === SHARED ? "belongs in the entries" : "must be of the type object");
    } else if (!DECIDED.has(key)) {
      const reason = misspelled(key);
      if (reason !== undefined) refuse(reason);
      else free.push([key, given[key]]);
    }
  }
  return free.length > 0 ? Object.fromEntries(free) : undefined;
}

/** The free keys as JSON text. */
function freeText(free: Free, path: string, issues: Issues): string {
  try {
    return JSON.stringify(free);
  } catch {
    // JSON.parse handles any depth, but JSON.stringify does not.
    issues.add({ name: path, in: "body", reason: "is nested too deeply" });
    return "";
  }
}

/** Key of the values that all entries share. */
const SHARED = "facets";

interface Examined {
  /** One per entry, in order; undefined for entries without a file name. */
  readonly documents: readonly (UserDocument | undefined)[];
  /** Named by index and field. */
  readonly issues: Issues;
}

/**
 * Reads a body, or a part of it.
 *
 * @param from index of the first entry; issues of `facets` are reported with the first part
 */
export function examineUserData({ user_metadata, facets }: RawUserData, from = 0): Examined {
  const issues = new Issues();
  const { file: _file, time: _time, ...shared } = isObject(facets) ? facets : {};
  const common: Fields = {};
  const commonFree = readKeys(shared, SHARED, from === 0 ? issues : new Issues(), common);
  const documents = user_metadata.map((entry, index) => {
    if (!isObject(entry)) return undefined;
    const path = `user_metadata[${from + index}]`;
    const blank = REQUIRED.filter((key) => isBlank(entry[key]));
    for (const key of blank) {
      issues.add({ name: `${path}.${key}`, in: "body", reason: "must not be empty" });
    }
    const document: Fields = { ...common };
    const own = readKeys(without(entry, blank), path, issues, document);
    if (commonFree || own) document.extra = freeText({ ...commonFree, ...own }, path, issues);
    if (document.file === undefined) return undefined;
    Object.assign(document, derivedDetails(document));
    return document as UserDocument;
  });
  return { documents, issues };
}

/**
 * As examineUserData, in slices with a turn of the event loop between them, so that long bodies do not block the service.
 *
 * @param isReported whether issues of a name are already reported; those are skipped
 * @returns fewer documents than entries if it stopped at MAX_ISSUES
 */
export async function examineInSlices(
  { user_metadata, facets }: RawUserData,
  isReported?: (name: string) => boolean,
): Promise<Examined> {
  const documents: (UserDocument | undefined)[] = [];
  const issues = new Issues(isReported);
  for (let from = 0; from === 0 || from < user_metadata.length; from += SLICE) {
    const slice = { user_metadata: user_metadata.slice(from, from + SLICE), facets };
    const examined = examineUserData(slice, from);
    for (const document of examined.documents) documents.push(document);
    issues.join(examined.issues);
    // The body is refused, and no further issue would be listed.
    if (issues.isFull) break;
    if (from + SLICE < user_metadata.length) await nextTurn();
  }
  return { documents, issues };
}

function without(entry: Free, keys: readonly string[]): Free {
  if (keys.length === 0) return entry;
  return Object.fromEntries(Object.entries(entry).filter(([key]) => !keys.includes(key)));
}
