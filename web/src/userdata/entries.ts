/** Text written by the user -> validated entries of user data. */

import { solrRange, Unreadable } from "../../../src/domain/extent/period.js";
import { envelope } from "../../../src/domain/extent/region.js";
import { isObject, type JsonObject } from "../../../src/domain/text/json-object.js";
import { DETAIL_NAMES } from "../../../src/domain/vocabulary/details.js";
import { FACET_NAMES } from "../../../src/domain/vocabulary/facets.js";
import { misspellings } from "../../../src/domain/vocabulary/misspelled.js";
import { reading } from "../service/reading.js";
import { words } from "../words/userdata.js";

export type Entry = JsonObject;

/** A problem, with the number of its entry, counted from 0. */
export interface EntryError {
  readonly at: number;
  readonly reason: string;
}

interface Draft {
  readonly entries: readonly Entry[];
  readonly wrong: readonly EntryError[];
}

const REQUIRED = ["file", "variable", "time", "time_frequency"] as const;
const KEYS = [...FACET_NAMES, ...DETAIL_NAMES, "file", "uri", "version", "extra"];
const meantBy = misspellings(KEYS);

/** Reads a JSON array, or lines of JSON objects and name=value pairs. Ignores empty lines and those with `#`. */
export function readEntries(text: string): Draft {
  const whole = text.trim();
  if (whole.startsWith("[")) return readArray(whole);
  const lines = text.split(/\r?\n/).filter(hasEntry);
  const entries: Entry[] = [];
  const wrong: EntryError[] = [];
  for (const [at, line] of lines.entries()) {
    try {
      entries.push(readLine(line));
    } catch (error) {
      entries.push({});
      wrong.push({ at, reason: reasonOf(error) });
      continue;
    }
    wrong.push(...check(entries[at] ?? {}).map((reason) => ({ at, reason })));
  }
  return { entries, wrong };
}

/** Empty lines and comments have none. */
const hasEntry = (line: string): boolean => !/^\s*(?:#.*)?$/.test(line);

/** @throws InvalidEntry, SyntaxError */
const readLine = (line: string): Entry =>
  line.trim().startsWith("{") ? object(JSON.parse(line)) : readPairs(line);

/** The entry of one line; undefined if it has none or is wrong. */
export function lineEntry(line: string): Entry | undefined {
  try {
    return hasEntry(line) ? readLine(line) : undefined;
  } catch {
    return undefined;
  }
}

function readArray(text: string): Draft {
  let all: unknown;
  try {
    all = JSON.parse(text);
  } catch (error) {
    return { entries: [], wrong: [{ at: 0, reason: reasonOf(error) }] };
  }
  const entries = (all as unknown[]).map((one) => (isObject(one) ? one : {}));
  const wrong = (all as unknown[]).flatMap((one, at): EntryError[] =>
    (isObject(one) ? check(one) : [words.noObject]).map((reason) => ({ at, reason })),
  );
  return { entries, wrong };
}

class InvalidEntry extends Error {}

const reasonOf = (error: unknown): string =>
  error instanceof InvalidEntry
    ? error.message
    : words.noJson(error instanceof Error ? error.message : "");

function object(value: unknown): Entry {
  if (isObject(value)) return value;
  throw new InvalidEntry(words.noObject);
}

/** `name=value name="a value"`; repeated names give a list. @throws InvalidEntry */
export function readPairs(line: string): Entry {
  const found: Record<string, string | string[]> = {};
  const rest = line.replace(
    /([A-Za-z_][\w-]*)=(?:"((?:[^"\\]|\\.)*)"|(\S*))/g,
    (_, name: string, quoted: string | undefined, bare: string | undefined) => {
      const value = quoted === undefined ? (bare ?? "") : quoted.replace(/\\(.)/g, "$1");
      const before = found[name];
      found[name] = before === undefined ? value : [before, value].flat();
      return "";
    },
  );
  const odd = rest.trim();
  if (odd !== "") throw new InvalidEntry(words.noPair(odd.slice(0, 60)));
  return found;
}

export function writeEntry(entry: Entry): string {
  const isPlain = Object.entries(entry).every(
    ([name, value]) => /^[A-Za-z_][\w-]*$/.test(name) && typeof value === "string",
  );
  if (!isPlain) return JSON.stringify(entry);
  return Object.entries(entry as Record<string, string>)
    .map(([name, value]) =>
      /^[^\s"\\]+$/.test(value)
        ? `${name}=${value}`
        : `${name}="${value.replace(/["\\]/g, "\\$&")}"`,
    )
    .join(" ");
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || (typeof value === "string" && value.trim() === "");

/** A path from the root, or a URI: anything else leads nowhere on the service's machine. */
const isWhole = (file: string): boolean => /^(?:\/|[a-z][a-z\d+.-]*:)/i.test(file.trim());

/** Checks what the page can tell; the service checks the rest. */
function check(entry: Entry): string[] {
  const found: string[] = REQUIRED.filter((name) => isEmpty(entry[name])).map(words.missing);
  const { file } = entry;
  if (typeof file === "string" && !isEmpty(file) && !isWhole(file)) found.push(words.relative);
  for (const name of Object.keys(entry)) {
    const near = KEYS.includes(name) ? [] : meantBy(name);
    if (near.length > 0) found.push(words.unknownKey(name, near.join(", ")));
  }
  for (const [name, read] of [
    ["time", solrRange],
    ["bbox", envelope],
  ] as const) {
    const value = entry[name];
    if (typeof value !== "string" || isEmpty(value)) continue;
    const fault = reading(() => read(value));
    if (fault instanceof Unreadable) found.push(words.badValue(name, fault.message));
  }
  return found;
}

/** `user_metadata[3].time` -> the fourth entry; other names are ignored. */
export function entryErrors(
  errors: readonly { readonly name: string; readonly reason: string }[],
): EntryError[] {
  return errors.flatMap(({ name, reason }) => {
    const [, at, inner = ""] = /^user_metadata\[(\d+)\]\.?(.*)$/.exec(name) ?? [];
    return at === undefined ? [] : [{ at: Number(at), reason: `${inner} ${reason}`.trim() }];
  });
}
