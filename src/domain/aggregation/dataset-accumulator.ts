/** Summarises files by dataset, one document at a time. */
import { FilePeriods, PeriodReader } from "../completeness/file-periods.js";
import { type Document, foldCase, foldedValues, textOf } from "../completeness/folded-values.js";
import type { Interval } from "../extent/intervals.js";
import { lowerCase } from "../text/case-folding.js";
import { newestFirst } from "../vocabulary/version-rank.js";
import type {
  DatasetFact,
  DatasetFacts,
  ExampleFile,
  StorageFacts,
  VersionFacts,
} from "./datasets.js";

/** Boxes stored per dataset. */
const MAX_BOXES = 1000;

/** Fields of an example beside its key. */
const OF_EXAMPLE = ["uri", "format", "user", "owner"] as const;

/** Whether a file is the better example of its dataset: not retracted, on disk, and new. */
function isBetter(one: Document, other: Document): boolean {
  const ranks = [one, other].map((document) => [
    document.retracted === true ? "1" : "0",
    lowerCase(textOf(document, "fs_type")) === "posix" ? "0" : "1",
  ]);
  const [mine = "", theirs = ""] = ranks.map((rank) => rank.join(""));
  if (mine !== theirs) return mine < theirs;
  const [version, old] = [textOf(one, "version"), textOf(other, "version")];
  const order = newestFirst(version, old);
  if (order !== 0) return order < 0;
  return textOf(one, "file") < textOf(other, "file");
}

/** The value that all files so far share: null if they differ or have several. */
type Single = { readonly folded: string; readonly written: string } | null | undefined;

class DatasetSummary {
  #files = 0;
  #retracted = 0;
  #dated = 0;
  readonly #versions = new Map<string, VersionFacts>();
  readonly #formats = new Map<string, number>();
  readonly #storage = new Map<string, StorageFacts>();
  readonly #boxes = new Set<string>();
  readonly #periods = new FilePeriods();
  readonly #facets: readonly string[];
  readonly #values: Single[];
  #example: Document;

  constructor(first: Document, facets: readonly string[]) {
    this.#example = first;
    this.#facets = facets;
    this.#values = facets.map(() => undefined);
  }

  add(document: Document, reader: PeriodReader): void {
    const isRetracted = document.retracted === true;
    this.#files += 1;
    if (isRetracted) this.#retracted += 1;
    const [version, format, storage] = ["version", "format", "fs_type"].map(
      (field) => foldedValues(document, field)[0] ?? "",
    );
    if (format) this.#formats.set(format, (this.#formats.get(format) ?? 0) + 1);
    if (storage) this.#addStored(storage, document.size);
    const box = textOf(document, "bbox");
    if (box !== "" && this.#boxes.size < MAX_BOXES) this.#boxes.add(box);
    const kind = JSON.stringify([version, format, storage, this.#addValues(document)]);
    const frequencies = foldedValues(document, "time_frequency");
    const period = reader.read(document.time_raw, frequencies);
    if (period !== undefined) {
      this.#dated += 1;
      this.#periods.add(period, kind);
    }
    if (version) this.#addVersion(version, isRetracted, period?.stated);
    if (isBetter(document, this.#example)) this.#example = document;
  }

  #addVersion(version: string, isRetracted: boolean, span: Interval | undefined): void {
    const facts = this.#versions.get(version) ?? { files: 0, retracted: 0, span };
    facts.files += 1;
    if (isRetracted) facts.retracted += 1;
    if (span !== undefined) {
      const { start, end } = facts.span ?? span;
      facts.span = { start: Math.min(start, span.start), end: Math.max(end, span.end) };
    }
    this.#versions.set(version, facts);
  }

  #addStored(storage: string, size: unknown): void {
    const facts = this.#storage.get(storage) ?? { files: 0, bytes: 0, sized: 0 };
    facts.files += 1;
    if (typeof size === "number") {
      facts.bytes += size;
      facts.sized += 1;
    }
    this.#storage.set(storage, facts);
  }

  /** @returns the values of each facet, sorted */
  #addValues(document: Document): (readonly string[])[] {
    return this.#facets.map((field, index) => {
      const values = foldedValues(document, field);
      const [value] = values;
      const before = this.#values[index];
      if (before !== null) {
        const isOne = values.length === 1 && (before === undefined || before.folded === value);
        // A value that earlier files lack is not shared by all.
        const isFirst = before === undefined && this.#files === 1;
        const written = textOf(document, field);
        if (!isOne || value === undefined || (before === undefined && !isFirst)) {
          this.#values[index] = null;
        } else if (before === undefined || written < before.written) {
          this.#values[index] = { folded: foldCase(field, value), written };
        }
      }
      return values.length > 1 ? [...values].sort() : values;
    });
  }

  result(name: string | undefined): DatasetFact {
    const values = this.#facets.flatMap((field, index) => {
      const written = this.#values[index]?.written;
      return written === undefined ? [] : [[field, written] as const];
    });
    const texts = OF_EXAMPLE.flatMap((field) => {
      const value = this.#example[field];
      return typeof value === "string" ? [[field, value] as const] : [];
    });
    const example: ExampleFile = { file: String(this.#example.file), ...Object.fromEntries(texts) };
    return {
      name,
      files: this.#files,
      retracted: this.#retracted,
      dated: this.#dated,
      example,
      versions: this.#versions,
      formats: this.#formats,
      storage: this.#storage,
      boxes: [...this.#boxes],
      facets: new Map(values),
      periods: this.#periods.covered(),
      // Files without a dataset are unrelated, so overlaps mean nothing.
      overlaps: name === undefined ? [] : this.#periods.overlaps(),
    };
  }
}

export class DatasetAccumulator {
  readonly #facets: readonly string[];
  readonly #names: ReadonlySet<string> | undefined;
  readonly #datasets = new Map<string | undefined, DatasetSummary>();
  readonly #reader = new PeriodReader();

  /** @param names datasets to summarise; undefined summarises the files without a dataset */
  constructor(facets: readonly string[], names: ReadonlySet<string> | undefined) {
    this.#facets = facets;
    this.#names = names;
  }

  add(documents: readonly Document[]): void {
    for (const document of documents) {
      const name = this.#names === undefined ? undefined : textOf(document, "dataset_id");
      if (name !== undefined && !this.#names?.has(name)) continue;
      let known = this.#datasets.get(name);
      if (known === undefined) {
        known = new DatasetSummary(document, this.#facets);
        this.#datasets.set(name, known);
      }
      known.add(document, this.#reader);
    }
  }

  result(): DatasetFacts {
    return new Map([...this.#datasets].map(([name, one]) => [name, one.result(name)]));
  }
}
