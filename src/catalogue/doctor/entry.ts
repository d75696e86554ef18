/** A document of the index, reduced to what is compared with its file and its neighbours. */

import { isConstant } from "../../domain/extent/period.js";
import type { Facet } from "../../domain/vocabulary/facets.js";
import type { SolrDocument } from "../../index/export/document-batch.js";
import { folderVersion } from "../../index/loading/version.js";
import { readSpan, type Span } from "./span.js";

/** Facets that separate the streams of a data set if its name does not. */
const STREAM_FACETS: readonly Facet[] = [
  "variable",
  "ensemble",
  "grid_label",
  "grid_id",
  "time_frequency",
];

export const FIELDS: readonly string[] = [
  "file",
  "dataset_id",
  "version",
  "fs_type",
  "dataset",
  "format",
  "user",
  "size",
  "modified",
  "inode",
  "checksum",
  "tracking_id",
  "time_start",
  "time_end",
  "time_raw",
  ...STREAM_FACETS,
];

export interface IndexedFile {
  readonly file: string;
  readonly dataset_id: string | undefined;
  /** From the index, else from the folder; "" if there is none. */
  readonly version: string;
  /** Equal for files of one copy: of one storage, collection, format and user. */
  readonly copy: string;
  /** Equal for files of the same variables, member, grid and frequency, in any version and copy. */
  readonly series: string;
  /** Equal for files that follow each other in time: a series of one version in one copy. */
  readonly stream: string;
  /** Names, separated by commas. */
  readonly variables: string;
  /** Archived files are never opened. */
  readonly isArchived: boolean;
  /** Undefined unless there is exactly one. */
  readonly frequency: string | undefined;
  readonly isConstant: boolean;
  readonly span: Span | undefined;
  /** Bytes. */
  readonly size: number | undefined;
  /** Milliseconds since 1970. */
  readonly modified: number | undefined;
  readonly inode: string | undefined;
  readonly tracking_id: readonly string[];
  readonly checksum: string | undefined;
  /** Set if the index and the folder state different versions. */
  readonly contradiction: string | undefined;
}

const DATE_VERSION = /^v?(\d{8})$/i;

/** A version as a date, without `v`; undefined if it is none. */
export const dateVersion = (text: string): string | undefined =>
  DATE_VERSION.exec(text.trim())?.[1];

function textsOf(value: unknown): readonly string[] {
  if (typeof value === "string") return value === "" ? NONE : [value];
  if (value === undefined || value === null) return NONE;
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return values.map((one) => String(one ?? "")).filter((text) => text !== "");
}
const NONE: readonly string[] = [];
const textOf = (value: unknown): string | undefined => textsOf(value)[0];

export function readEntry(document: SolrDocument): IndexedFile {
  const file = String(document.file);
  const given = textOf(document.version);
  const folder = folderVersion(file);
  const stated = given === undefined ? undefined : dateVersion(given);
  const version = given ?? (folder === undefined ? "" : `v${folder}`);
  const parts = ["fs_type", "dataset", "format", "user"].map(
    (name) => textOf(document[name]) ?? "",
  );
  const copy = joined(parts);
  const series = joined(STREAM_FACETS.map((facet) => joined(textsOf(document[facet]))));
  const frequencies = textsOf(document.time_frequency);
  const [start, end] = [textOf(document.time_start), textOf(document.time_end)];
  const time = textOf(document.time_raw) ?? "";
  return {
    file,
    dataset_id: textOf(document.dataset_id),
    version,
    copy,
    series,
    stream: joined([version, copy, series]),
    variables: textsOf(document.variable).join(", "),
    isArchived: (textOf(document.fs_type) ?? "posix").toLowerCase() !== "posix",
    frequency: frequencies.length === 1 ? frequencies[0] : undefined,
    isConstant: isConstant(time) || time === ALWAYS,
    span: start === undefined || end === undefined ? undefined : readSpan(start, end),
    size: document.size === undefined ? undefined : Number(document.size),
    modified: instantOf(textOf(document.modified)),
    inode: textOf(document.inode),
    tracking_id: textsOf(document.tracking_id),
    checksum: textOf(document.checksum),
    contradiction:
      stated !== undefined && folder !== undefined && stated !== folder
        ? `lies in the folder v${folder}, but the index says ${given}`
        : undefined,
  };
}

/** The index's notation for the time of constant data. */
const ALWAYS = "[* TO *]";

const joined = (texts: readonly string[]): string => texts.join("\u0001").toLowerCase();

function instantOf(text: string | undefined): number | undefined {
  const instant = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(instant) ? undefined : instant;
}
