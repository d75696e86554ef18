/** Sorts the datasets of a search by any property, and pages over them. */
import { sortedInSlices } from "../../platform/concurrency/time-slices.js";
import { type Document, storedValues, textOf } from "../completeness/folded-values.js";
import type { ScanQuery } from "../completeness/group-query.js";
import { TooManyResults } from "../errors.js";
import { Unreadable } from "../extent/period.js";
import { encodeCursor as encodeText, textOfCursor } from "../search/page-cursor.js";
import type { Search } from "../search/search.js";
import { lowerCase } from "../text/case-folding.js";

export interface SortKey {
  /** A field with docValues. */
  readonly field: string;
  readonly isDescending: boolean;
  /** Stands for a missing value; left out: files without one do not count. */
  readonly missing?: string;
  /** Which of the values of its files a dataset shows; left out: all, of which the first in the order counts. */
  readonly shown?: "first" | "last";
  /** The only projects whose files have a value, in lower case; left out: all. */
  readonly projects?: readonly string[];
}

export interface SortedItems {
  readonly items: readonly Cursor[];
  readonly size: number;
}

function compareValues(
  a: string | null | undefined,
  b: string | null | undefined,
  isDescending: boolean,
): number {
  const [isA, isB] = [typeof a === "string", typeof b === "string"];
  if (!isA || !isB) return Number(isB) - Number(isA);
  if (a === b) return 0;
  return (a as string) < (b as string) !== isDescending ? -1 : 1;
}

/**
 * A dataset with its values of the sort keys, in their order; datasets without one come last. A page of items begins behind it.
 */
export interface Cursor {
  readonly name: string;
  readonly values: readonly (string | null | undefined)[];
}

/** The order of items: by the keys, then by name. */
export function compareItems(a: Cursor, b: Cursor, keys: readonly SortKey[]): number {
  for (const [index, { isDescending }] of keys.entries()) {
    const order = compareValues(a.values[index], b.values[index], isDescending);
    if (order !== 0) return order;
  }
  if (a.name === b.name) return 0;
  return a.name < b.name ? -1 : 1;
}

/** The year of a date may have a sign or more than four digits, which text does not sort. */
function sortable(value: string): string {
  const year = /^([+-]?)(\d+)(-\d\d-\d\dT.*)$/.exec(value);
  if (year === null) return value;
  const [, sign, digits = "", rest = ""] = year;
  if (sign !== "-") return `1${digits.padStart(9, "0")}${rest}`;
  return `0${String(999_999_999 - Number(digits)).padStart(9, "0")}${rest}`;
}

const isOwner = (document: Document, { projects }: SortKey): boolean =>
  projects === undefined ||
  storedValues(document, "project").some((one) => projects.includes(lowerCase(String(one))));

/** Characters of datasets and their values that are held to be sorted. */
const MAX_CHARACTERS = 50_000_000;

function sortAccumulator(keys: readonly SortKey[]) {
  const items = new Map<string, (string | undefined)[]>();
  let characters = 0;
  const count = (more: number): void => {
    characters += more;
    if (characters <= MAX_CHARACTERS) return;
    const found = `more than ${MAX_CHARACTERS}`;
    throw new TooManyResults(found, MAX_CHARACTERS, "characters of datasets and their values");
  };
  return {
    add(documents: readonly Document[]): void {
      for (const document of documents) {
        const name = textOf(document, "dataset_id");
        if (name === "") continue;
        let known = items.get(name);
        if (known === undefined) {
          known = keys.map(() => undefined);
          items.set(name, known);
          count(name.length);
        }
        for (const [index, key] of keys.entries()) {
          if (!isOwner(document, key)) continue;
          const { field, isDescending, missing, shown } = key;
          const stored = storedValues(document, field).map((one) => sortable(String(one)));
          const isWithout = stored.length === 0 && missing !== undefined;
          const isGreatest = shown === undefined ? isDescending : shown === "last";
          for (const value of isWithout ? [missing] : stored) {
            if (compareValues(value, known[index], isGreatest) >= 0) continue;
            count((value?.length ?? 0) - (known[index]?.length ?? 0));
            known[index] = value;
          }
        }
      }
    },
    async result(): Promise<SortedItems> {
      const unsorted = [...items].map(([name, values]) => ({ name, values }));
      const sorted = await sortedInSlices(unsorted, (a, b) => compareItems(a, b, keys));
      const size = sorted.length * (160 + 48 * keys.length) + 2 * characters;
      return { items: sorted, size };
    },
  };
}

/** Scans the files of a search for the values of the keys. */
export const sortQuery = (search: Search, keys: readonly SortKey[]): ScanQuery<SortedItems> => ({
  search,
  fields: [
    ...new Set([
      "dataset_id",
      ...keys.flatMap(({ field, projects }) =>
        projects === undefined ? [field] : [field, "project"],
      ),
    ]),
  ],
  key: JSON.stringify(keys),
  accumulator: () => sortAccumulator(keys),
});

/** The token of a page of items: its cursor. It has the same meaning in every search. */
export const encodeCursor = ({ name, values }: Cursor): string =>
  encodeText(JSON.stringify([name, ...values.map((one) => one ?? null)]));

/** @param keys number of sort keys. @throws Unreadable for text that encodeCursor did not write for this number of keys */
export function decodeCursor(token: string, keys: number): Cursor {
  const refused = new Unreadable("must be the token of a link of the previous page");
  let parts: unknown;
  try {
    parts = JSON.parse(textOfCursor(token) ?? "");
  } catch {
    throw refused;
  }
  const isCursor =
    Array.isArray(parts) &&
    parts.length === keys + 1 &&
    typeof parts[0] === "string" &&
    parts.every((part) => part === null || typeof part === "string");
  if (!isCursor) throw refused;
  const [name, ...values] = parts as [string, ...(string | null)[]];
  return { name, values };
}
