/**
 * What a user registers -> documents for the index. Pure; all is checked before anything is stored.
 *
 * Source: specification, 2.6 and 4.8; search-semantics, "A document".
 */
import { LRUCache } from "lru-cache";
import { InvalidParameters, type ParameterIssue } from "../errors.js";
import { FACET_NAMES, FACETS, type Facet } from "../vocabulary/facets.js";
import { solrRange, Unreadable } from "../vocabulary/period.js";
import { envelope } from "../vocabulary/region.js";

/** A validated body of the contract; keys that it does not name may hold anything. */
export interface UserDataInput {
  readonly user_metadata: readonly (Readonly<Record<string, unknown>> & {
    readonly file: string;
    readonly time: string;
  })[];
  readonly facets?: Readonly<Record<string, string>> | undefined;
}

/** A document of the index, all but whose it is. */
export type UserDocument = Readonly<Record<string, string | readonly string[]>> & {
  readonly file: string;
};

/** Lucene takes no longer term; in bytes of UTF-8. */
const LONGEST = 32_766;

/** The token alone decides these; what an entry says of them has no effect. */
const DECIDED = new Set(["user", "owner", "_version_"]);

/** How the value of a key becomes that of a field. @throws Unreadable */
type Reader = (value: unknown) => string | readonly string[] | undefined;

const text = (value: unknown): string => {
  if (typeof value !== "string") throw new Unreadable("must be a string");
  if (!value.isWellFormed()) throw new Unreadable("must be well-formed Unicode");
  // A character has three bytes at the most, so that few values have to be measured.
  if (value.length > LONGEST / 3 && Buffer.byteLength(value) > LONGEST) {
    throw new Unreadable(`must have at most ${LONGEST} bytes`);
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
const REMEMBERED = 10_000;

function optional(read: (text: string) => string): Reader {
  const known = new LRUCache<string, string>({ max: REMEMBERED });
  return (value) => {
    const given = text(value);
    if (given === "") return undefined;
    const before = known.get(given);
    if (before !== undefined) return before;
    const result = read(given);
    known.set(given, result);
    return result;
  };
}

const facetReader = (facet: Facet): Reader => (FACETS[facet].single ? single : several);

/** The fields that can be searched, each with its reader; anything else is kept, and never searched. */
const READERS = new Map<string, Reader>([
  ...FACET_NAMES.filter((facet) => !DECIDED.has(facet)).map(
    (facet) => [facet, facetReader(facet)] as const,
  ),
  ["file", single],
  ["uri", single],
  ["version", single],
  ["time", optional(solrRange)],
  ["bbox", optional(envelope)],
]);

const REQUIRED = ["file", "variable", "time", "time_frequency"];

/** Whether a value, or one of several, is nothing but space. */
const isBlank = (value: unknown): boolean =>
  Array.isArray(value) ? value.some(isBlank) : typeof value === "string" && value.trim() === "";

/**
 * Reads key by key what an entry, or `facets`, says.
 *
 * @param place the name of what is read, for issues
 * @param document takes the fields
 * @returns what is kept and never searched, if there is any
 */
function readKeys(
  given: Readonly<Record<string, unknown>>,
  place: string,
  issues: ParameterIssue[],
  document: Record<string, string | readonly string[]>,
): Readonly<Record<string, unknown>> | undefined {
  const extra: [string, unknown][] = [];
  for (const key of Object.keys(given)) {
    const read = READERS.get(key);
    if (read === undefined) {
      if (!DECIDED.has(key)) extra.push([key, given[key]]);
      continue;
    }
    try {
      const field = read(given[key]);
      if (field !== undefined) document[key] = field;
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      issues.push({ name: `${place}.${key}`, in: "body", reason: error.message });
    }
  }
  return extra.length > 0 ? Object.fromEntries(extra) : undefined;
}

/** What is kept with a document and never searched, as one text. */
function kept(
  extra: Readonly<Record<string, unknown>>,
  place: string,
  issues: ParameterIssue[],
): string {
  try {
    return JSON.stringify(extra);
  } catch {
    // JSON can be read at any depth, but not written.
    issues.push({ name: place, in: "body", reason: "is nested too deeply" });
    return "";
  }
}

/**
 * The documents of a body, one an entry, in its order.
 *
 * @param from the index of the first entry, where the body is read in parts
 * @throws InvalidParameters that names index and field of everything which is not valid
 */
export function readUserData(
  { user_metadata, facets = {} }: UserDataInput,
  from = 0,
): UserDocument[] {
  const issues: ParameterIssue[] = [];
  const { file: _file, time: _time, ...shared } = facets;
  const common: Record<string, string | readonly string[]> = {};
  const commonExtra = readKeys(shared, "facets", issues, common);
  const documents = user_metadata.map((entry, index) => {
    const place = `user_metadata[${from + index}]`;
    for (const key of REQUIRED) {
      if (!isBlank(entry[key])) continue;
      issues.push({ name: `${place}.${key}`, in: "body", reason: "must not be empty" });
    }
    const document = { ...common, file: entry.file };
    const own = readKeys(entry, place, issues, document);
    const extra = commonExtra && own ? { ...commonExtra, ...own } : (own ?? commonExtra);
    return extra ? { ...document, extra: kept(extra, place, issues) } : document;
  });
  if (issues.length > 0) throw new InvalidParameters(issues);
  return documents;
}
