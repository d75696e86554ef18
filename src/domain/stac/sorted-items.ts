/** Sorts the datasets of a search by any property, and pages over them. */

import { type Document, storedValues } from "../completeness/folded-values.js";
import type { ScanQuery } from "../completeness/group-query.js";
import type { Search } from "../search/search.js";

export interface SortKey {
  /** A field with docValues. */
  readonly field: string;
  readonly isDescending: boolean;
  /** Stands for a missing value; left out: files without one do not count. */
  readonly missing?: string;
}

/** A dataset with its values of the sort keys; undefined for those without one, which come last. */
export interface SortedItem {
  readonly name: string;
  readonly values: readonly (string | undefined)[];
}

export interface SortedItems {
  readonly items: readonly SortedItem[];
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

type Place = {
  readonly name: string;
  readonly values: readonly (string | null | undefined)[];
};

/** The order of items: by the keys, then by name. */
export function compareItems(a: Place, b: Place, keys: readonly SortKey[]): number {
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

class SortAccumulator {
  readonly #keys: readonly SortKey[];
  readonly #items = new Map<string, (string | undefined)[]>();

  constructor(keys: readonly SortKey[]) {
    this.#keys = keys;
  }

  add(documents: readonly Document[]): void {
    for (const document of documents) {
      const name = String(storedValues(document, "dataset_id")[0] ?? "");
      if (name === "") continue;
      const known = this.#items.get(name) ?? this.#keys.map(() => undefined);
      this.#items.set(name, known);
      for (const [index, { field, isDescending, missing }] of this.#keys.entries()) {
        const stored = storedValues(document, field).map((one) => sortable(String(one)));
        const isWithout = stored.length === 0 && missing !== undefined;
        for (const value of isWithout ? [missing] : stored) {
          // The least value of a dataset in ascending order, the greatest in descending order.
          if (compareValues(value, known[index], isDescending) < 0) known[index] = value;
        }
      }
    }
  }

  result(): SortedItems {
    const items = [...this.#items].map(([name, values]) => ({ name, values }));
    items.sort((a, b) => compareItems(a, b, this.#keys));
    const size = items.reduce((sum, { name, values }) => {
      const texts = values.reduce((all, value) => all + 48 + 2 * (value?.length ?? 0), 0);
      return sum + 160 + 2 * name.length + texts;
    }, 0);
    return { items, size };
  }
}

/** Scans the files of a search for the values of the keys. */
export const sortQuery = (search: Search, keys: readonly SortKey[]): ScanQuery<SortedItems> => ({
  search,
  fields: [...new Set(["dataset_id", ...keys.map(({ field }) => field)])],
  key: JSON.stringify(keys),
  accumulator: () => new SortAccumulator(keys),
});
