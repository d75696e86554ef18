/**
 * What a user registers -> documents for the index. Pure; all is checked before anything is stored.
 *
 * Source: specification, 2.6 and 4.8; search-semantics, "A document".
 */
import { LRUCache } from "lru-cache";
import { Issues } from "../errors.js";
import { solrRange, Unreadable } from "../extent/period.js";
import { envelope } from "../extent/region.js";
import { isObject, type JsonObject } from "../text/json-object.js";
import { madeDetails } from "../vocabulary/derived-details.js";
import { detailValue } from "../vocabulary/detail-values.js";
import { DETAIL_NAMES, DETAILS, type Detail } from "../vocabulary/details.js";
import { FACET_NAMES, FACETS, type Facet } from "../vocabulary/facets.js";
import { misspellings } from "../vocabulary/misspelled.js";

/** A body of user data before it is validated: of what is not of the contract's form, nothing can be said here. */
export interface RawUserData {
  readonly user_metadata: readonly unknown[];
  readonly facets?: unknown;
}

/** A document of the index, all but whose it is. */
export type UserDocument = Readonly<Record<string, string | readonly string[]>> & {
  readonly file: string;
};

/** Lucene takes no longer term; in bytes of UTF-8. */
const MAX_TERM_BYTES = 32_766;

/** The token alone decides these, or the service makes them; what an entry says of them has no effect. */
const DECIDED = new Set([
  ...["user", "owner", "_version_"],
  ...DETAIL_NAMES.filter((detail) => DETAILS[detail].made),
]);

/** How the value of a key becomes that of a field. @throws Unreadable */
type Reader = (value: unknown) => string | readonly string[] | undefined;

const text = (value: unknown): string => {
  if (typeof value !== "string") throw new Unreadable("must be a string");
  if (!value.isWellFormed()) throw new Unreadable("must be well-formed Unicode");
  // A character has three bytes at the most, so that few values have to be measured.
  if (value.length > MAX_TERM_BYTES / 3 && Buffer.byteLength(value) > MAX_TERM_BYTES) {
    throw new Unreadable(`must have at most ${MAX_TERM_BYTES} bytes`);
  }
  return value;
};

const single: Reader = (value) => text(value) || undefined;

const several: Reader = (value) => {
  if (!Array.isArray(value)) return single(value);
  const values = value.map(text).filter((one) => one !== "");
  return values.length > 0 ? values : undefined;
};

/** What was read of late, by its text: the files of a dataset have few boxes and share their periods. */
const MAX_REMEMBERED = 10_000;

function optional(read: (text: string) => string): Reader {
  const known = new LRUCache<string, string>({
    max: MAX_REMEMBERED,
    memoMethod: (given) => read(given),
  });
  return (value) => {
    const given = text(value);
    return given === "" ? undefined : known.memo(given);
  };
}

const facetReader = (facet: Facet): Reader => (FACETS[facet].single ? single : several);

const detailReader = (detail: Detail): Reader => {
  const { kind, several: isList } = DETAILS[detail];
  if (kind === "text" && detail !== "checksum") return isList ? several : single;
  // As a text, too, Solr knows a number and what is true.
  return (value) => (value === "" ? undefined : String(detailValue(detail, value)));
};

/** The fields that are kept as such, each with its reader; anything else is kept, and never searched. */
const READERS = new Map<string, Reader>([
  ...FACET_NAMES.filter((facet) => !DECIDED.has(facet)).map(
    (facet) => [facet, facetReader(facet)] as const,
  ),
  ...DETAIL_NAMES.filter((detail) => !DECIDED.has(detail)).map(
    (detail) => [detail, detailReader(detail)] as const,
  ),
  ["file", single],
  ["uri", single],
  ["version", single],
  ["time", optional(solrRange)],
  ["bbox", optional(envelope)],
]);

/** Under it keys are free whatever they are like, and kept with the others that are not searched. */
const FREE = "extra";

const meantBy = misspellings([...READERS.keys(), FREE]);

const REQUIRED = ["file", "variable", "time", "time_frequency"];

/** Whether a value, or one of several, is nothing but space. */
const isBlank = (value: unknown): boolean =>
  Array.isArray(value) ? value.some(isBlank) : typeof value === "string" && value.trim() === "";

type Fields = Record<string, string | readonly string[]>;
type Free = JsonObject;

/** Why a key is not taken for one of the caller's own; undefined where it is. */
function misspelled(key: string): string | undefined {
  const meant = meantBy(key);
  if (meant.length === 0) return undefined;
  return `is not a key here; did you mean ${meant.join(" or ")}? A key of your own goes under ${FREE}`;
}

/**
 * Reads key by key what an entry, or `facets`, says.
 *
 * @param place the name of what is read, for issues
 * @param document takes the fields
 * @returns what is kept and never searched, if there is any
 */
function readKeys(given: Free, place: string, issues: Issues, document: Fields): Free | undefined {
  const free: [string, unknown][] = [];
  for (const key of Object.keys(given)) {
    const refuse = (reason: string): void =>
      issues.add({ name: `${place}.${key}`, in: "body", reason });
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
      else refuse(place === SHARED ? "belongs into the entries" : "must be of the type object");
    } else if (!DECIDED.has(key)) {
      const reason = misspelled(key);
      if (reason !== undefined) refuse(reason);
      else free.push([key, given[key]]);
    }
  }
  return free.length > 0 ? Object.fromEntries(free) : undefined;
}

/** What is kept with a document and never searched, as one text. */
function kept(free: Free, place: string, issues: Issues): string {
  try {
    return JSON.stringify(free);
  } catch {
    // JSON can be read at any depth, but not written.
    issues.add({ name: place, in: "body", reason: "is nested too deeply" });
    return "";
  }
}

/** What all entries have. */
const SHARED = "facets";

export interface Examined {
  /** One an entry, in their order; undefined for what does not even name a file. */
  readonly documents: readonly (UserDocument | undefined)[];
  /** What is wrong, by index and field. */
  readonly issues: Issues;
}

/**
 * The documents of a body, and all that is wrong with it.
 *
 * @param from the index of the first entry, where the body is read in parts; what is wrong in `facets` is told
 * with the first part
 */
export function examineUserData({ user_metadata, facets }: RawUserData, from = 0): Examined {
  const issues = new Issues();
  const { file: _file, time: _time, ...shared } = isObject(facets) ? facets : {};
  const common: Fields = {};
  const commonFree = readKeys(shared, SHARED, from === 0 ? issues : new Issues(), common);
  const documents = user_metadata.map((entry, index) => {
    if (!isObject(entry)) return undefined;
    const place = `user_metadata[${from + index}]`;
    const blank = REQUIRED.filter((key) => isBlank(entry[key]));
    for (const key of blank) {
      issues.add({ name: `${place}.${key}`, in: "body", reason: "must not be empty" });
    }
    const document: Fields = { ...common };
    const own = readKeys(without(entry, blank), place, issues, document);
    if (commonFree || own) document.extra = kept({ ...commonFree, ...own }, place, issues);
    if (document.file === undefined) return undefined;
    Object.assign(document, madeDetails(document));
    return document as UserDocument;
  });
  return { documents, issues };
}

function without(entry: Free, keys: readonly string[]): Free {
  if (keys.length === 0) return entry;
  return Object.fromEntries(Object.entries(entry).filter(([key]) => !keys.includes(key)));
}
