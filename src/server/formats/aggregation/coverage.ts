/** Formats counts of pairs of values as a matrix, in JSON or CSV. */
import type { components } from "../../../../generated/openapi.js";
import { NAMES, type Plan } from "../../../domain/aggregation/coverage.js";
import { YEAR } from "../../../domain/extent/durations.js";
import { coveredBy, type Interval, intervalOf } from "../../../domain/extent/intervals.js";
import { lowerCase } from "../../../domain/text/case-folding.js";
import type { FacetAggregation, Numbers } from "../../../index/query/facet-aggregations.js";
import { TimeSlice } from "../../../platform/concurrency/time-slices.js";
import { csvLine } from "../csv.js";
import { type Bucket, bucketsOf, countOf, numberIn } from "./buckets.js";

type Coverage = components["schemas"]["Coverage"];

type CellPosition = readonly [row: string, column: string];

interface Visitor {
  /** A cell that has files. */
  cell(at: CellPosition, numbers: Numbers): void;
  /** A text that files of a cell have. */
  part(at: CellPosition, text: string): void;
}

/** Iterates with turns for other requests: a million cells take a second. */
async function* inSlices<T>(items: Iterable<T>): AsyncGenerator<T, void, undefined> {
  const slice = new TimeSlice();
  for (const item of items) {
    yield item;
    if (slice.isOver) await slice.next();
  }
}

async function visit(plan: Plan, numbers: Numbers, { cell, part }: Visitor): Promise<void> {
  const { levels } = plan;
  const [outer, inner] = levels;
  for await (const one of inSlices(bucketsOf(numbers[NAMES.level]))) {
    const value = lowerCase(String(one.val));
    const positionOf = ({ val }: Bucket): CellPosition =>
      outer === "rows" ? [value, lowerCase(String(val))] : [lowerCase(String(val)), value];
    if (inner === "parts") {
      // Files without parts also count for their cell.
      for (const other of bucketsOf(one[NAMES.all])) cell(positionOf(other), other);
      for (const text of bucketsOf(one[NAMES.level])) {
        for (const other of bucketsOf(text[NAMES.level])) part(positionOf(other), text.val);
      }
    } else {
      for (const other of bucketsOf(one[NAMES.level])) {
        const at = positionOf(other);
        cell(at, other);
        for (const text of bucketsOf(other[NAMES.level])) part(at, text.val);
      }
    }
  }
}

/** The cells of a row, which is added if it is new. */
function rowOf<T>(rows: Map<string, Map<string, T>>, row: string): Map<string, T> {
  const cells = rows.get(row) ?? new Map<string, T>();
  rows.set(row, cells);
  return cells;
}

export type Cells = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** The count of each cell. @returns undefined if a value has two spellings whose numbers cannot be added */
export async function countedCells(
  plan: Plan,
  { numbers }: FacetAggregation,
): Promise<Cells | undefined> {
  const { matrix, canAdd } = plan;
  const rows = new Map<string, Map<string, number>>();
  let isDoubtful = false;
  await visit(plan, numbers, {
    cell: ([row, column], bucket) => {
      const cells = rowOf(rows, row);
      const before = cells.get(column);
      if (before !== undefined && !canAdd) isDoubtful = true;
      const number = matrix.cells === "files" ? bucket.count : numberIn(bucket, NAMES.number);
      cells.set(column, (before ?? 0) + number);
    },
    part: () => {},
  });
  return isDoubtful ? undefined : rows;
}

/** The count of each cell from its listed texts: periods are merged, other texts are distinct. */
export async function cellsOfParts(plan: Plan, { numbers }: FacetAggregation): Promise<Cells> {
  const rows = new Map<string, Map<string, Set<string>>>();
  await visit(plan, numbers, {
    cell: ([row, column]) => {
      const cells = rowOf(rows, row);
      if (!cells.has(column)) cells.set(column, new Set());
    },
    part: ([row, column], text) => {
      const isPeriod = plan.matrix.cells === "years";
      rows
        .get(row)
        ?.get(column)
        ?.add(isPeriod ? text : lowerCase(text));
    },
  });
  const numberOf = plan.matrix.cells === "years" ? years() : ({ size }: Set<string>) => size;
  const cells = new Map<string, Map<string, number>>();
  for await (const [row, texts] of inSlices(rows)) {
    cells.set(row, new Map([...texts].map(([column, some]) => [column, numberOf(some)])));
  }
  return cells;
}

/** A bounded interval, or undefined. */
function closed(text: string): Interval | undefined {
  const interval = intervalOf(text);
  return interval !== undefined && Number.isFinite(interval.end - interval.start)
    ? interval
    : undefined;
}

/** Makes a function that counts the years that periods cover together. It parses each period once. */
function years(): (periods: Iterable<string>) => number {
  const read = new Map<string, Interval | undefined>();
  const intervalOfText = (text: string): Interval | undefined => {
    if (!read.has(text)) read.set(text, closed(text));
    return read.get(text);
  };
  return (periods) => {
    const intervals = [...periods].flatMap((text) => intervalOfText(text) ?? []);
    return Math.round((100 * coveredBy(intervals)) / YEAR) / 100;
  };
}

/** The number of files that have the counted field. */
function knownFiles({ matrix: { cells } }: Plan, numbers: Numbers): number | undefined {
  if (cells === "files") return undefined;
  if (cells === "bytes") return numberIn(numbers, NAMES.known);
  if (cells !== "years") return countOf(numbers, NAMES.known);
  return bucketsOf(numbers[NAMES.texts])
    .filter(({ val }) => closed(val) !== undefined)
    .reduce((sum, { count }) => sum + count, 0);
}

export function isSpelledTwice({ numbers }: FacetAggregation): boolean {
  const texts = bucketsOf(numbers[NAMES.texts]).map(({ val }) => lowerCase(val));
  return new Set(texts).size < texts.length;
}

/** All columns, by code unit. */
const columnsOf = (cells: Cells): string[] =>
  [...new Set([...cells.values()].flatMap((row) => [...row.keys()]))].sort();

interface Names {
  readonly rows: string;
  readonly columns: string;
}

export async function coverageJson(
  cells: Cells,
  plan: Plan,
  { found, numbers }: FacetAggregation,
  { rows, columns }: Names,
): Promise<Coverage> {
  const [rowValues, columnValues] = [[...cells.keys()].sort(), columnsOf(cells)];
  const columnOf = new Map(columnValues.map((value, index) => [value, index]));
  const known = knownFiles(plan, numbers);
  const values: Coverage["values"] = [];
  for await (const [row, value] of inSlices(rowValues.entries())) {
    const inRow = [...(cells.get(value) ?? [])].map(
      ([column, number]): [number, number, number] => [row, columnOf.get(column) ?? 0, number],
    );
    for (const cell of inRow.sort(([, a], [, b]) => a - b)) values.push(cell);
  }
  return {
    rows,
    columns,
    cells: plan.matrix.cells,
    total_count: found,
    ...(known !== undefined && { known_files: known }),
    row_values: rowValues,
    column_values: columnValues,
    values,
  };
}

/** A line of column names, then a line for each row. The corner has the name of the rows' facet. */
export async function coverageCsv(cells: Cells, { rows }: Pick<Names, "rows">): Promise<string> {
  const columnValues = columnsOf(cells);
  const lines = [csvLine([rows, ...columnValues])];
  for await (const value of inSlices([...cells.keys()].sort())) {
    const row = cells.get(value);
    lines.push(csvLine([value, ...columnValues.map((column) => row?.get(column))]));
  }
  return lines.join("");
}
