/** The matrix as a table with sticky headers. Only the visible part of a large one is in the page. */
import type { ComponentChild } from "preact";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { href, querySearching } from "../address/address.js";
import { withValues } from "../search/constraints.js";
import { byteText, shortNumber, wholeNumber } from "../service/numbers.js";
import { words } from "../words/coverage.js";
import { type Coverage, type Matrix, shadeOf } from "./matrix.js";
import { type Cell, nextCell } from "./next-cell.js";

/** Pixels. All rows have one height and all columns one width, so the visible range is a division. */
const ROW = 32;
const WIDE = 128;
/** Pixels of a digit, and of the padding around the number. */
const DIGIT = 8;
const PADDING = 22;
/** Up to this many columns, headers are written horizontally. */
const MAX_HORIZONTAL = 8;
/** Up to this many cells, all are in the page, so that the browser's search finds them. */
const MAX_FULL = 3000;

const pixels = (length: number): string => `${length}px`;

interface Props {
  readonly coverage: Coverage;
  readonly matrix: Matrix;
  /** Constraints of the view that links of cells have as well. */
  readonly within: readonly (readonly [string, string])[];
}

/** ARIA index of the first value, after the header and the sums. */
const FIRST = 3;
/** Numbers that can be added up; members and years of several cells may be the same. */
const SUMMED: readonly string[] = ["files", "bytes"];

export function MatrixTable({ coverage, matrix, within }: Props) {
  const { rowValues, columnValues } = matrix;
  const box = useRef<HTMLDivElement>(null);
  const { sight, measure } = useSight(box, matrix);
  const isHorizontal = columnValues.length <= MAX_HORIZONTAL;
  const digits = useMemo(() => longestText(coverage), [coverage]);
  const wide = isHorizontal ? WIDE : PADDING + DIGIT * digits;
  const hasSums = SUMMED.includes(coverage.cells);
  const isAll = rowValues.length * columnValues.length <= MAX_FULL;
  const rows = rangeInSight(rowValues.length, ROW, sight.top, sight.height, isAll);
  const columns = rangeInSight(columnValues.length, wide, sight.left, sight.width, isAll);
  const searching = querySearching();
  const hrefOf = (row: string, column: string): string =>
    href("", withValues(searching, [...within, [coverage.rows, row], [coverage.columns, column]]));
  const [current, setCurrent] = useState<Cell>();
  const wanted = useRef<Cell | undefined>(undefined);
  // The link exists only after its part of the table has rendered.
  useLayoutEffect(() => {
    const cell = wanted.current;
    const link = cell && box.current?.querySelector<HTMLElement>(`[data-cell="${nameOf(cell)}"]`);
    if (!link) return;
    wanted.current = undefined;
    link.focus({ preventScroll: true });
    bringIntoSight(box.current, link);
  });
  const press = (event: KeyboardEvent): void => {
    const [row, column] = cellOf(event.target);
    if (row === undefined || column === undefined || event.ctrlKey || event.altKey) return;
    const next = nextCell(matrix, { row, column }, event.key);
    if (next === undefined) return;
    event.preventDefault();
    wanted.current = next;
    setCurrent(next);
    if (!isInSight(rows, next.row) || !isInSight(columns, next.column))
      box.current?.scrollTo(next.column * wide, next.row * ROW);
  };
  /** A cell of each column in sight, with room for the others. */
  const across = (cell: (column: string, at: number) => ComponentChild) => (
    <>
      <Spacer width={columns.first * wide} />
      {columnValues
        .slice(columns.first, columns.last)
        .map((column, at) => cell(column, columns.first + at))}
      <Spacer width={(columnValues.length - columns.last) * wide} />
    </>
  );
  const isCurrentDrawn =
    current !== undefined && isInSight(rows, current.row) && isInSight(columns, current.column);
  return (
    <div
      class="matrix"
      ref={box}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard
      tabIndex={0}
      role="group"
      aria-label={words.table(coverage.rows, coverage.columns)}
      onScroll={measure}
      onKeyDown={press}
    >
      <table
        class={isHorizontal ? "across" : "upright"}
        aria-rowcount={rowValues.length + FIRST - 1}
        aria-colcount={columnValues.length + FIRST - 1}
      >
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col" class="corner" aria-colindex={1}>
              {coverage.rows} \ {coverage.columns}
            </th>
            <th scope="col" class="sum" aria-colindex={2}>
              <span>{hasSums ? words.sum : ""}</span>
            </th>
            {across((value, at) => (
              <th
                key={value}
                scope="col"
                aria-colindex={at + FIRST}
                style={{ minWidth: pixels(wide), maxWidth: pixels(wide) }}
                title={value}
              >
                <span>{value}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {hasSums && (
            <tr aria-rowindex={2} class="sums" style={{ height: pixels(ROW) }}>
              <th scope="row" aria-colindex={1}>
                <span>{words.sum}</span>
              </th>
              <td class="sum" aria-colindex={2}>
                {cellText(coverage.cells, matrix.sum)}
              </td>
              {across((column, at) => (
                <td key={column} class="sum" aria-colindex={at + FIRST}>
                  {cellText(coverage.cells, matrix.columnSums[at] ?? 0)}
                </td>
              ))}
            </tr>
          )}
          <SpacerRow height={rows.first * ROW} />
          {rowValues.slice(rows.first, rows.last).map((row, index) => (
            <tr
              key={row}
              aria-rowindex={rows.first + index + FIRST}
              style={{ height: pixels(ROW) }}
            >
              <th scope="row" aria-colindex={1} title={row}>
                <span>{row}</span>
              </th>
              <td class="sum" aria-colindex={2}>
                {hasSums ? cellText(coverage.cells, matrix.rowSums[rows.first + index] ?? 0) : ""}
              </td>
              {across((column, at) => {
                const cell = { row: rows.first + index, column: at };
                const value = matrix.at(cell.row, cell.column);
                return (
                  <td
                    key={column}
                    aria-colindex={at + FIRST}
                    class={value === undefined ? "empty" : `shade-${shadeOf(value, matrix.max)}`}
                  >
                    {value !== undefined && (
                      <a
                        data-cell={nameOf(cell)}
                        // Tab goes to the cell last reached by arrow keys, and from there out of the table.
                        tabIndex={
                          isCurrentDrawn && nameOf(current) !== nameOf(cell) ? -1 : undefined
                        }
                        href={hrefOf(row, column)}
                        aria-label={words.cell(row, column, cellWords(coverage.cells, value))}
                      >
                        {cellText(coverage.cells, value)}
                      </a>
                    )}
                  </td>
                );
              })}
            </tr>
          ))}
          <SpacerRow height={(rowValues.length - rows.last) * ROW} />
        </tbody>
      </table>
    </div>
  );
}

/** Measures which part of the box is visible, in pixels. `measure` must be called when the box is scrolled. */
function useSight(box: { readonly current: HTMLElement | null }, matrix: Matrix) {
  const [sight, setSight] = useState({ top: 0, left: 0, height: 800, width: 1200 });
  const measure = (): void => {
    const { scrollTop = 0, scrollLeft = 0, clientHeight = 0, clientWidth = 0 } = box.current ?? {};
    setSight({ top: scrollTop, left: scrollLeft, height: clientHeight, width: clientWidth });
  };
  useLayoutEffect(() => {
    measure();
    const observer = new ResizeObserver(measure);
    if (box.current) observer.observe(box.current);
    return () => observer.disconnect();
  }, [matrix]);
  return { sight, measure };
}

const nameOf = ({ row, column }: Cell): string => `${row},${column}`;

/** Row and column of the focused cell. */
const cellOf = (target: EventTarget | null): (number | undefined)[] =>
  (target as HTMLElement | null)?.dataset?.cell?.split(",").map(Number) ?? [];

/** Scrolls just enough to show a cell beside the sticky headers. */
function bringIntoSight(box: HTMLElement | null, link: HTMLElement): void {
  const [cell, head] = [link.closest("td"), box?.querySelector(".corner")];
  if (box === null || !cell || !head) return;
  const [outer, inner] = [box.getBoundingClientRect(), cell.getBoundingClientRect()];
  const { right, bottom } = head.getBoundingClientRect();
  const past = (min: number, max: number, from: number, to: number): number =>
    from < min ? from - min : to > max ? to - max : 0;
  box.scrollBy(
    past(right, outer.left + box.clientWidth, inner.left, inner.right),
    past(bottom, outer.top + box.clientHeight, inner.top, inner.bottom),
  );
}

/** Characters of the longest number, at least two: room for a finger. */
function longestText({ cells, values }: Coverage): number {
  let longest = 2;
  for (const [, , value = 0] of values) {
    longest = Math.max(longest, cellText(cells, value).length);
  }
  return longest;
}

/** Takes the room of the columns out of sight. */
function Spacer({ width }: { readonly width: number }) {
  return width === 0 ? null : (
    <td aria-hidden="true" class="spacer" style={{ minWidth: pixels(width) }} />
  );
}

function SpacerRow({ height }: { readonly height: number }) {
  return height === 0 ? null : (
    <tr style={{ height: pixels(height) }}>
      <td aria-hidden="true" class="spacer" />
    </tr>
  );
}

type Cells = Coverage["cells"];

/** Larger numbers are abbreviated. */
const MAX_WHOLE = 99_999;

const years = (value: number): string =>
  wholeNumber(value >= 10 ? Math.round(value) : Math.round(value * 10) / 10);

function cellText(cells: Cells, value: number): string {
  if (cells === "bytes") return byteText(value);
  if (cells === "years") return years(value);
  return value > MAX_WHOLE ? shortNumber(value) : wholeNumber(value);
}

const cellWords = (cells: Cells, value: number): string =>
  `${wholeNumber(value)} ${value === 1 ? cells.slice(0, -1) : cells}`;

/** Extra rows and columns beyond each edge, so that scrolling shows no gap and Tab finds the next cell. */
const OVERSCAN = 6;

/** First index, and the one after the last. */
interface Range {
  readonly first: number;
  readonly last: number;
}

const isInSight = ({ first, last }: Range, place: number): boolean =>
  place >= first && place < last;

/** The visible range of rows or columns. @param all whether to treat all as visible */
function rangeInSight(
  count: number,
  size: number,
  scrolled: number,
  room: number,
  all: boolean,
): Range {
  if (all) return { first: 0, last: count };
  const first = Math.min(
    Math.max(0, Math.floor(scrolled / size) - OVERSCAN),
    Math.max(0, count - 1),
  );
  return { first, last: Math.min(count, Math.ceil((scrolled + room) / size) + OVERSCAN) };
}
