/** What the cells of a matrix must say, by plain arithmetic over the documents that its search finds. */
import type { components } from "../../../../generated/openapi.js";
import { YEAR } from "../../../../src/domain/extent/durations.js";
import type { Known } from "../../../support/data/known-documents.js";

export type Coverage = components["schemas"]["Coverage"];

export const CELLS = ["files", "datasets", "bytes", "members", "years"] as const;

/** Milliseconds that a document covers; none where an end is open. */
const interval = ({ period }: Known): [number, number][] =>
  period?.start === undefined || period.end === undefined ? [] : [[period.start, period.end + 1]];

/** The years that some documents cover: the moments between any two ends that one of them covers. */
function years(some: readonly Known[]): number {
  const intervals = some.flatMap(interval);
  const moments = [...new Set(intervals.flat())].sort((a, b) => a - b);
  const covered = moments.slice(1).reduce((sum, end, index) => {
    const start = moments[index] ?? 0;
    return sum + (intervals.some(([a, b]) => a <= start && end <= b) ? end - start : 0);
  }, 0);
  return Math.round((100 * covered) / YEAR) / 100;
}

const numbers: Record<(typeof CELLS)[number], (some: readonly Known[]) => number> = {
  files: (some) => some.length,
  datasets: (some) => new Set(some.flatMap(({ datasetId }) => datasetId ?? [])).size,
  bytes: (some) => some.reduce((sum, { size }) => sum + (size ?? 0), 0),
  members: (some) => new Set(some.flatMap(({ values }) => values.get("ensemble") ?? [])).size,
  years,
};

export const isKnown: Record<(typeof CELLS)[number], (one: Known) => boolean> = {
  files: () => true,
  datasets: ({ datasetId }) => datasetId !== undefined,
  bytes: ({ size }) => size !== undefined,
  members: ({ values }) => (values.get("ensemble") ?? []).length > 0,
  years: (one) => interval(one).length > 0,
};

/** Each cell as its row, its column and its number, in their order. */
export function expected(
  of: readonly Known[],
  rows: string,
  columns: string,
  cells: (typeof CELLS)[number],
): [string, string, number][] {
  const valuesOf = (side: string): string[] =>
    [...new Set(of.flatMap(({ values }) => values.get(side) ?? []))].sort((a, b) =>
      a < b ? -1 : 1,
    );
  return valuesOf(rows).flatMap((row) =>
    valuesOf(columns).flatMap((column): [string, string, number][] => {
      const some = of.filter(
        ({ values }) => values.get(rows)?.includes(row) && values.get(columns)?.includes(column),
      );
      return some.length === 0 ? [] : [[row, column, numbers[cells](some)]];
    }),
  );
}

export const told = ({ row_values, column_values, values }: Coverage) =>
  values.map(([row = -1, column = -1, number]) => [row_values[row], column_values[column], number]);
