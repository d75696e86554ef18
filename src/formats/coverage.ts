/** Numbers about pairs of values -> a matrix, as JSON or as a table. */
import type { components } from "../../generated/openapi.js";
import type { Plan } from "../query/coverage.js";
import type { Breakdown, Numbers } from "../solr/breakdowns.js";
import { YEAR } from "../vocabulary/durations.js";
import { coveredBy, type Interval, intervalOf } from "../vocabulary/intervals.js";
import { lowerCase } from "../vocabulary/lower-case.js";
import { csvLine } from "./csv.js";

type Coverage = components["schemas"]["Coverage"];

interface Bucket extends Numbers {
  readonly val: string;
}

const bucketsOf = (facet: unknown): readonly Bucket[] =>
  (facet as { readonly buckets?: readonly Bucket[] } | undefined)?.buckets ?? [];

type Place = readonly [row: string, column: string];

interface Visitor {
  /** A cell that has files. */
  cell(at: Place, numbers: Numbers): void;
  /** A text that is there among the files of a cell. */
  part(at: Place, text: string): void;
}

/** Goes through all that a plan has asked for. */
function visit({ levels, names }: Plan, numbers: Numbers, { cell, part }: Visitor): void {
  const [outer, inner] = levels;
  for (const one of bucketsOf(numbers[names.level])) {
    const value = lowerCase(one.val);
    const placeOf = ({ val }: Bucket): Place =>
      outer === "rows" ? [value, lowerCase(val)] : [lowerCase(val), value];
    if (inner === "parts") {
      // A file that has none of the parts is in its cell all the same.
      for (const other of bucketsOf(one[names.all])) cell(placeOf(other), other);
      for (const text of bucketsOf(one[names.level])) {
        for (const other of bucketsOf(text[names.level])) part(placeOf(other), text.val);
      }
    } else {
      for (const other of bucketsOf(one[names.level])) {
        const at = placeOf(other);
        cell(at, other);
        for (const text of bucketsOf(other[names.level])) part(at, text.val);
      }
    }
  }
}

class Grid<T> {
  readonly rows = new Map<string, Map<string, T>>();

  get([row, column]: Place): T | undefined {
    return this.rows.get(row)?.get(column);
  }

  set([row, column]: Place, value: T): void {
    const cells = this.rows.get(row);
    if (cells === undefined) this.rows.set(row, new Map([[column, value]]));
    else cells.set(column, value);
  }
}

/** The numbers of the cells that have files, by rows and columns. */
export type Cells = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** Aggregates of nothing are left out by Solr. */
const numberIn = (numbers: Numbers, name: string): number => Number(numbers[name] ?? 0);

/**
 * What was counted in each cell.
 *
 * @returns undefined where a value has two spellings whose numbers cannot be added up
 */
export function countedCells(plan: Plan, { numbers }: Breakdown): Cells | undefined {
  const { matrix, names, canAdd } = plan;
  const grid = new Grid<number>();
  let isDoubtful = false;
  visit(plan, numbers, {
    cell: (at, bucket) => {
      const before = grid.get(at);
      if (before !== undefined && !canAdd) isDoubtful = true;
      const number = matrix.cells === "files" ? bucket.count : numberIn(bucket, names.number);
      grid.set(at, (before ?? 0) + number);
    },
    part: () => {},
  });
  return isDoubtful ? undefined : grid.rows;
}

/** The same where the texts in each cell are told one by one: periods are united, others are different in any case. */
export function cellsOfParts(plan: Plan, { numbers }: Breakdown): Cells {
  const grid = new Grid<Set<string>>();
  visit(plan, numbers, {
    cell: (at) => {
      if (grid.get(at) === undefined) grid.set(at, new Set());
    },
    part: (at, text) => {
      const isPeriod = plan.matrix.cells === "years";
      grid.get(at)?.add(isPeriod ? text : lowerCase(text));
    },
  });
  const numberOf = plan.matrix.cells === "years" ? years() : ({ size }: Set<string>) => size;
  return new Map(
    [...grid.rows].map(([row, cells]) => [
      row,
      new Map([...cells].map(([column, texts]) => [column, numberOf(texts)])),
    ]),
  );
}

/** An interval that has a length. */
function closed(text: string): Interval | undefined {
  const interval = intervalOf(text);
  return interval !== undefined && Number.isFinite(interval.end - interval.start)
    ? interval
    : undefined;
}

/** Counts how many years periods cover together; each is read once. */
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

/** Of how many files it is known what the cells tell. */
function knownFiles({ matrix: { cells }, names }: Plan, numbers: Numbers): number | undefined {
  if (cells === "files") return undefined;
  if (cells === "bytes") return numberIn(numbers, names.known);
  if (cells !== "years") return (numbers[names.known] as Numbers | undefined)?.count ?? 0;
  return bucketsOf(numbers[names.told])
    .filter(({ val }) => closed(val) !== undefined)
    .reduce((sum, { count }) => sum + count, 0);
}

/** Whether what is counted in the cells has two spellings somewhere. */
export function isSpelledTwice({ names }: Plan, { numbers }: Breakdown): boolean {
  const texts = bucketsOf(numbers[names.told]).map(({ val }) => lowerCase(val));
  return new Set(texts).size < texts.length;
}

/** By code unit: an order that no locale of a machine changes. */
const sorted = (texts: Iterable<string>): string[] => [...texts].sort((a, b) => (a < b ? -1 : 1));

const columnsOf = (cells: Cells): string[] =>
  sorted(new Set([...cells.values()].flatMap((row) => [...row.keys()])));

/** How the facets are called. */
export interface Names {
  readonly rows: string;
  readonly columns: string;
}

export function coverageJson(
  cells: Cells,
  plan: Plan,
  { found, numbers }: Breakdown,
  { rows, columns }: Names,
): Coverage {
  const [rowValues, columnValues] = [sorted(cells.keys()), columnsOf(cells)];
  const placeOf = new Map(columnValues.map((value, place) => [value, place]));
  const known = knownFiles(plan, numbers);
  return {
    ...{ rows, columns, cells: plan.matrix.cells, total_count: found },
    ...(known !== undefined && { known_files: known }),
    ...{ row_values: rowValues, column_values: columnValues },
    values: rowValues.flatMap((value, row) =>
      [...(cells.get(value) ?? [])]
        .map(([column, number]): [number, number, number] => [
          row,
          placeOf.get(column) ?? 0,
          number,
        ])
        .sort(([, a], [, b]) => a - b),
    ),
  };
}

/** A line for each row, the first one for the columns; the corner has the name of the rows' facet. */
export function coverageCsv(cells: Cells, { rows }: Pick<Names, "rows">): string {
  const columnValues = columnsOf(cells);
  const lines = sorted(cells.keys()).map((value) => {
    const row = cells.get(value);
    return csvLine([value, ...columnValues.map((column) => row?.get(column))]);
  });
  return csvLine([rows, ...columnValues]) + lines.join("");
}
