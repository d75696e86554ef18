/** Documents in memory, and which of them a search must find: by the rules for people, in no language of Solr's. */

import { isConstant, type Period, readPeriod } from "../../../src/domain/extent/period.js";
import type { Select } from "../../../src/domain/search/period-clause.js";
import type { UniqKey } from "../../../src/domain/search/search.js";
import { datasetId } from "../../../src/domain/vocabulary/dataset-id.js";
import { FACET_NAMES, FACETS } from "../../../src/domain/vocabulary/facets.js";
import type { Flavour } from "../../../src/domain/vocabulary/flavours.js";
import type { TestDocument } from "../service/service.js";
import { type Box, relates } from "./arcs.js";
import { relatesInTime } from "./periods.js";

/** A document, with what a search compares of it. */
export interface Known {
  readonly file: string;
  readonly isNewest: boolean;
  /** Of each facet, and of what else has texts for values: in lower case, each once. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  readonly datasetId: string | undefined;
  readonly period: Period | undefined;
  readonly box: Box | undefined;
  /** Bytes. */
  readonly size: number | undefined;
}

/** What must hold of one key, or must not. */
export interface Condition {
  /** The native name of a facet, or of what else can be searched by. */
  readonly native: string;
  readonly values: readonly string[];
  readonly isExcluded: boolean;
}

/** A search, as it is meant. */
export interface Meant {
  readonly flavour: Flavour;
  readonly key: UniqKey;
  readonly isMultiVersion: boolean;
  readonly timeSelect: Select;
  readonly bboxSelect: Select;
  /** A key is included once and excluded once at the most. */
  readonly conditions: readonly Condition[];
}

const listOf = (value: unknown): string[] =>
  value === undefined ? [] : [value].flat().map((one) => String(one));

/** Values that only differ in case are one. */
const folded = (values: readonly string[]): string[] => [
  ...new Set(values.map((value) => value.toLowerCase())),
];

/** @param isNewest whether no later version of its dataset is there */
export function known(document: TestDocument, isNewest: boolean): Known {
  const { file, time, bbox, size } = document;
  const facets = FACET_NAMES.filter((facet) => facet !== "time" && facet !== "bbox");
  const values = new Map<string, readonly string[]>(
    facets.map((facet) => [facet, folded(listOf(document[facet] ?? FACETS[facet].default))]),
  );
  for (const detail of ["units", "standard_name", "long_name", "license", "version", "retracted"]) {
    values.set(detail, folded(listOf(document[detail])));
  }
  // These compare in the case in which they are written.
  for (const name of ["file", "uri"]) values.set(name, listOf(document[name]));
  const name = datasetId(document);
  values.set("dataset_id", folded(listOf(name)));
  const [, ...sides] = /^ENVELOPE\((\S+),(\S+),(\S+),(\S+)\)$/.exec(String(bbox)) ?? [];
  const [west = 0, east = 0, north = 0, south = 0] = sides.map(Number);
  return {
    file,
    isNewest,
    values,
    datasetId: name,
    period: time === undefined ? undefined : readPeriod(String(time)),
    box: sides.length === 4 ? [west, east, south, north] : undefined,
    size: typeof size === "number" ? size : undefined,
  };
}

/** A value of a search as the rule for the whole of a document's value. */
function pattern(value: string, isFolded: boolean): RegExp {
  const text = isFolded ? value.toLowerCase() : value;
  const source = text.replace(/\\[*?]|[*?]|[^*?]/gsu, (part) => {
    if (part === "*") return ".*";
    const character = part.length > 1 ? part.slice(-1) : part;
    return part === "?" ? "." : character.replace(/[\\^$.*+?()[\]{}|/]/, "\\$&");
  });
  return new RegExp(`^${source}$`, "su");
}

/** Whether a document has one of a condition's values, be they included or excluded. */
export function has(document: Known, { native, values }: Condition, meant: Meant): boolean {
  const { period, box } = document;
  return values.some((value) => {
    if (native === "time") {
      if (period === undefined) return false;
      if (!isConstant(value)) return relatesInTime(meant.timeSelect, period, readPeriod(value));
      return period.start === undefined && period.end === undefined;
    }
    if (native === "bbox") {
      const [west = 0, east = 0, south = 0, north = 0] = value.split(",").map(Number);
      return box !== undefined && relates(meant.bboxSelect, box, [west, east, south, north]);
    }
    const shape = pattern(value, native !== "file" && native !== "uri");
    return (document.values.get(native) ?? []).some((one) => shape.test(one));
  });
}

/** Whether the flavour, the versions and the key of a search let a document through. */
function isReached({ values, isNewest }: Known, { flavour, key, isMultiVersion }: Meant): boolean {
  const isOwn = (values.get("user") ?? []).length > 0;
  if (isOwn !== (flavour.userData === "only")) return false;
  if (key === "uri" && (values.get("uri") ?? []).length === 0) return false;
  return isMultiVersion || isNewest;
}

/** The documents that a search finds. @param conditions others than its own */
export const found = (
  documents: readonly Known[],
  meant: Meant,
  conditions: readonly Condition[] = meant.conditions,
): Known[] =>
  documents.filter(
    (document) =>
      isReached(document, meant) &&
      conditions.every((one) => has(document, one, meant) !== one.isExcluded),
  );
