/** Formats facts about files as a dataset of a page. */
import type { components } from "../../../../generated/openapi.js";
import type { DatasetFact } from "../../../domain/aggregation/datasets.js";
import type { Interval } from "../../../domain/extent/intervals.js";
import { SIDES } from "../../../domain/vocabulary/catalogue-names.js";
import type { CountedField } from "../../../domain/vocabulary/facets.js";
import { newestFirst } from "../../../domain/vocabulary/version-rank.js";
import { type BoxRecord, boxRecord, compareBoxes } from "../records.js";
import { lastTimestamp, stretch, timestamp } from "./timestamps.js";

type Dataset = components["schemas"]["Dataset"];

/** Maximum of listed periods; further ones are only counted. */
const MAX_PERIODS = 200;
const MAX_VERSIONS = 100;
const MAX_BOXES = 20;

/** By code unit, independent of the locale. */
const sorted = <T>(values: ReadonlyMap<string, T>): (readonly [string, T])[] =>
  [...values].sort(([a], [b]) => (a < b ? -1 : 1));

const gapsOf = (periods: readonly Interval[]): Interval[] =>
  periods.slice(1).map(({ start }, index) => ({ start: periods[index]?.end ?? start, end: start }));

function boxesOf(texts: readonly string[]): BoxRecord[] {
  const boxes = texts.flatMap((text) => boxRecord(text) ?? []);
  const distinct = new Map(boxes.map((box) => [SIDES.map((side) => box[side]).join(), box]));
  return [...distinct.values()].sort(compareBoxes);
}

/** @param example a file that the caller may see, if any */
export function dataset(
  fact: DatasetFact,
  nameOf: (facet: CountedField) => string,
  example: Dataset["example"],
  citation: string | undefined,
): Dataset {
  const { name, files, retracted, periods, overlaps, dated } = fact;
  const [first, last] = [periods[0], periods.at(-1)];
  const boxes = boxesOf(fact.boxes);
  const listed = periods.slice(0, MAX_PERIODS);
  const storage = sorted(fact.storage);
  const total = (of: "bytes" | "sized"): number =>
    storage.reduce((sum, [, facts]) => sum + facts[of], 0);
  const facets = [...fact.facets].map(
    ([field, value]) => [nameOf(field as CountedField), value] as const,
  );
  return {
    dataset_id: name ?? null,
    files,
    bytes: total("bytes"),
    sized_files: total("sized"),
    retracted,
    versions: [...fact.versions]
      .sort(([a], [b]) => newestFirst(a, b))
      .slice(0, MAX_VERSIONS)
      .map(([version, { span, ...counts }]) => ({
        version,
        ...counts,
        ...(span ? stretch(span) : { start: null, end: null }),
      })),
    version_count: fact.versions.size,
    start: first ? timestamp(first.start) : null,
    end: last ? lastTimestamp(last) : null,
    dated_files: dated,
    periods: listed.map(stretch),
    period_count: periods.length,
    gaps: gapsOf(listed).map(stretch),
    overlaps: overlaps.slice(0, MAX_PERIODS).map(stretch),
    overlap_count: overlaps.length,
    formats: sorted(fact.formats).map(([format, count]) => ({ format, files: count })),
    storage: storage.map(([fs_type, { files: count, bytes, sized }]) => ({
      fs_type,
      files: count,
      bytes,
      sized_files: sized,
    })),
    facets: Object.fromEntries(facets),
    boxes: boxes.slice(0, MAX_BOXES),
    box_count: boxes.length,
    citation_url: citation ?? null,
    example,
  };
}
