/** Gathers the facts of an item from the files of its dataset. */

import { type Document, storedValues, textOf } from "../completeness/folded-values.js";
import type { ScanQuery } from "../completeness/group-query.js";
import { intervalOf } from "../extent/intervals.js";
import { hasTerm } from "../search/lucene.js";
import type { Search } from "../search/search.js";
import { lowerCase } from "../text/case-folding.js";
import { ITEM_FIELDS } from "./properties.js";

/** Files of a dataset that become assets; the others are counted only. */
const MAX_FILES_OF_ITEM = 1000;
/** Boxes and values of a property that an item shows. */
const MAX_BOXES = 1000;
const MAX_VALUES = 100;

const FIELDS = [
  "file",
  "uri",
  "dataset_id",
  "version",
  "retracted",
  "size",
  "checksum",
  "tracking_id",
  "bbox",
  "time_raw",
  "added",
  "updated",
  ...ITEM_FIELDS,
];

export interface ItemFacts {
  readonly name: string;
  /** Version of the newest file; empty if no file has one. */
  readonly version: string;
  readonly files: number;
  readonly bytes: number;
  readonly sizedFiles: number;
  /** True if any file is retracted. */
  readonly isRetracted: boolean;
  /** True if this service gives any file as a download. */
  readonly isServed: boolean;
  /** By field, as written, in order. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  /** As stored. */
  readonly boxes: readonly string[];
  /** Milliseconds since 1970; infinite ends are open. `end` is the first instant after the period. */
  readonly start: number;
  readonly end: number;
  readonly created: string | undefined;
  readonly updated: string | undefined;
  /** The first of the files by their paths. */
  readonly documents: readonly Document[];
}

export interface AllItemFacts {
  readonly byName: ReadonlyMap<string, ItemFacts>;
}

/** As the filter by `access` has it (properties.ts). */
const isServed = (document: Document): boolean =>
  textOf(document, "fs_type").toLowerCase() === "posix" &&
  textOf(document, "format").toLowerCase() !== "zarr";

class Item implements Omit<ItemFacts, "values" | "boxes"> {
  version = "";
  files = 0;
  bytes = 0;
  sizedFiles = 0;
  isRetracted = false;
  isServed = false;
  readonly #values = new Map<string, Set<string>>();
  readonly #boxes = new Set<string>();
  start = Infinity;
  end = -Infinity;
  created: string | undefined;
  updated: string | undefined;
  documents: Document[] = [];

  constructor(readonly name: string) {}

  add(document: Document): void {
    this.files += 1;
    const version = textOf(document, "version");
    if (version > this.version) this.version = version;
    if (document.retracted === true) this.isRetracted = true;
    if (isServed(document)) this.isServed = true;
    if (typeof document.size === "number") {
      this.bytes += document.size;
      this.sizedFiles += 1;
    }
    for (const field of ITEM_FIELDS) this.#addValues(field, storedValues(document, field));
    const box = textOf(document, "bbox");
    if (box !== "" && this.#boxes.size < MAX_BOXES) this.#boxes.add(box);
    // Data without a period are valid at all times, like constant data.
    const period = intervalOf(textOf(document, "time_raw") || "*");
    this.start = Math.min(this.start, period?.start ?? -Infinity);
    this.end = Math.max(this.end, period?.end ?? Infinity);
    const [added, updated] = [textOf(document, "added"), textOf(document, "updated")];
    if (added !== "" && (this.created === undefined || added < this.created)) this.created = added;
    if (updated > (this.updated ?? "")) this.updated = updated;
    this.documents.push(document);
    if (this.documents.length >= 2 * MAX_FILES_OF_ITEM) this.#cut();
  }

  #addValues(field: string, values: readonly unknown[]): void {
    if (values.length === 0) return;
    const known = this.#values.get(field) ?? new Set<string>();
    this.#values.set(field, known);
    for (const value of values) if (known.size < MAX_VALUES) known.add(String(value));
  }

  #cut(): void {
    this.documents.sort((a, b) => (textOf(a, "file") < textOf(b, "file") ? -1 : 1));
    this.documents = this.documents.slice(0, MAX_FILES_OF_ITEM);
  }

  result(): ItemFacts {
    this.#cut();
    const values = [...this.#values].map(([field, all]) => [field, [...all].sort()] as const);
    return { ...this, values: new Map(values), boxes: [...this.#boxes].sort() };
  }
}

/** Gathers the facts of datasets in one pass over their files. */
function itemAccumulator(names: ReadonlySet<string>) {
  const items = new Map<string, Item>();
  return {
    add(documents: readonly Document[]): void {
      for (const document of documents) {
        const name = textOf(document, "dataset_id");
        // Terms are in lower case: another dataset may differ in case only.
        if (!names.has(name)) continue;
        const item = items.get(name) ?? new Item(name);
        items.set(name, item);
        item.add(document);
      }
    },
    result: (): AllItemFacts => ({
      byName: new Map([...items].map(([name, item]) => [name, item.result()])),
    }),
  };
}

/** The search for the files of datasets, among those that may be items at all. */
export const filesOf = ({ filters }: Search, names: readonly string[]): Search => ({
  filters: [...filters, hasTerm("dataset_id", [...new Set(names.map(lowerCase))])],
});

/** Scans the files of datasets. */
export const itemQuery = (base: Search, names: readonly string[]): ScanQuery<AllItemFacts> => ({
  search: filesOf(base, names),
  fields: FIELDS,
  key: JSON.stringify(names),
  accumulator: () => itemAccumulator(new Set(names)),
});
