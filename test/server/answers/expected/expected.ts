/** What answers about a search must say, by plain arithmetic over the documents that it finds. */
import type { components } from "../../../../generated/openapi.js";
import {
  type Condition,
  found,
  has,
  type Known,
  type Meant,
} from "../../../support/data/known-documents.js";

type Summary = components["schemas"]["Summary"];

const total = (documents: readonly Known[]) => ({
  files: documents.length,
  bytes: documents.reduce((sum, { size }) => sum + (size ?? 0), 0),
  sized_files: documents.filter(({ size }) => size !== undefined).length,
});

/** Values in the order of metadata searches, with what has them. */
export function byValue(documents: readonly Known[], native: string): [string, Known[]][] {
  const groups = new Map<string, Known[]>();
  for (const document of documents) {
    for (const value of document.values.get(native) ?? []) {
      groups.set(value, [...(groups.get(value) ?? []), document]);
    }
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Of each value how many have it, as a metadata search tells it. */
export const counts = (documents: readonly Known[], native: string): string[] =>
  byValue(documents, native).flatMap(([value, of]) => [value, String(of.length)]);

export const datasets = (documents: readonly Known[]): number =>
  new Set(documents.flatMap(({ datasetId }) => datasetId ?? [])).size;

/** A moment of a document, which has them to the second; null is none. */
function moment(moments: readonly number[]): string | null {
  const [one] = moments;
  return one === undefined ? null : new Date(one).toISOString().replace(".000Z", "Z");
}

export function summary(documents: readonly Known[]): Omit<Summary, "estimated_bytes"> {
  const starts = documents.flatMap(({ period }) => period?.start ?? []).sort((a, b) => a - b);
  const ends = documents.flatMap(({ period }) => period?.end ?? []).sort((a, b) => b - a);
  return {
    ...total(documents),
    datasets: datasets(documents),
    start: moment(starts),
    end: moment(ends.map((end) => Math.floor(end / 1000) * 1000)),
    formats: byValue(documents, "format").map(([format, of]) => ({ format, files: of.length })),
    storage: byValue(documents, "fs_type").map(([fs_type, of]) => ({ fs_type, ...total(of) })),
    retracted: documents.filter(({ values }) => values.get("retracted")?.includes("true")).length,
  };
}

/** A key as an answer names it. */
export const named = ({ native, isExcluded }: Condition, nameOf: (native: string) => string) =>
  isExcluded ? `${nameOf(native)}_not_` : nameOf(native);

/** What is found without a constraint. */
export const without = (documents: readonly Known[], meant: Meant, one: Condition): Known[] =>
  found(
    documents,
    meant,
    meant.conditions.filter((other) => other !== one),
  );

/** Values of an included constraint that no document has. */
export function unmatched(documents: readonly Known[], meant: Meant, one: Condition): string[] {
  // Of periods and regions none is near another; users are nobody's business.
  if (one.isExcluded || ["time", "bbox", "user"].includes(one.native)) return [];
  const all = found(documents, meant, []);
  return one.values.filter(
    (value) => !all.some((document) => has(document, { ...one, values: [value] }, meant)),
  );
}

/** Of bars how many documents have a moment of each; those whose both ends are known. */
export function years(
  documents: readonly Known[],
  bars: readonly { first: number; last: number }[],
) {
  const spans = documents.flatMap(({ period }) =>
    period?.start === undefined || period.end === undefined
      ? []
      : [[yearOf(period.start), yearOf(period.end)] as const],
  );
  return {
    known_files: spans.length,
    first: spans.length > 0 ? Math.min(...spans.map(([first]) => first)) : null,
    last: spans.length > 0 ? Math.max(...spans.map(([, last]) => last)) : null,
    files: bars.map(
      (bar) => spans.filter(([first, last]) => first <= bar.last && last >= bar.first).length,
    ),
  };
}

const yearOf = (moment: number): number => new Date(moment).getUTCFullYear();

/** Boxes, those of most files first, and of as many by west, east, south and north. */
export function boxes(documents: readonly Known[]) {
  const counts = new Map<string, number>();
  for (const { box } of documents) {
    if (box !== undefined) counts.set(box.join(), (counts.get(box.join()) ?? 0) + 1);
  }
  return [...counts]
    .map(([text, files]) => {
      const [west = 0, east = 0, south = 0, north = 0] = text.split(",").map(Number);
      return { west, east, south, north, files };
    })
    .sort(
      (a, b) =>
        b.files - a.files ||
        a.west - b.west ||
        a.east - b.east ||
        a.south - b.south ||
        a.north - b.north,
    );
}
