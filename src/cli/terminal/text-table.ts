/** Formats tables as text that fits the width of the terminal. */
import { printable } from "./printable.js";
import type { Look } from "./terminal.js";
import { padEnd, padStart, widthOf, wrap } from "./text-width.js";

interface Column {
  readonly name: string;
  /** Numbers are aligned to the right. */
  readonly isNumber?: boolean;
}

/** Blanks between columns. */
export const GAP = 2;
/** Minimal width of a wrapped last column. */
const MIN_LAST = 16;

/** The width that each column needs. */
export const widthsOf = (rows: readonly (readonly string[])[]): number[] =>
  (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => widthOf(row[column] ?? ""))));

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

/** A header and one line per row. A last text column that does not fit is wrapped, so nothing is left out. */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  look: Look,
): string {
  const head = columns.map(({ name }) => printable(name));
  const body = rows.map((row) => row.map(printable));
  const widths = widthsOf([head, ...body]);
  const last = columns.length - 1;
  const before = sum(widths.slice(0, last)) + GAP * last;
  const room = Math.max(MIN_LAST, look.width - before);
  const pad = (cell: string, column: number): string => {
    const isNumber = columns[column]?.isNumber === true;
    if (isNumber) return padStart(cell, widths[column] ?? 0);
    return column === last ? cell : padEnd(cell, widths[column] ?? 0);
  };
  const line = (cells: readonly string[]): string[] => {
    const [first = "", ...more] =
      columns[last]?.isNumber || (widths[last] ?? 0) <= room
        ? [cells[last] ?? ""]
        : wrap(cells[last] ?? "", room);
    const whole = [...cells.slice(0, last), first].map(pad).join(" ".repeat(GAP));
    return [whole.trimEnd(), ...more.map((rest) => " ".repeat(before) + rest)];
  };
  const heading = line(head).map(look.bold);
  return [...heading, ...body.flatMap(line)].join("\n");
}

/** A no-break space. */
export const NO_BREAK_SPACE = "\u00a0";

/** Lines of names and their descriptions, which are wrapped. */
export function properties(lines: readonly (readonly [string, string])[], look: Look): string {
  const width = Math.max(...lines.map(([name]) => widthOf(printable(name))));
  const room = Math.max(MIN_LAST, look.width - width - GAP);
  return lines
    .map(([name, text]) => {
      const heading = look.bold(padEnd(printable(name), width));
      const indent = `\n${" ".repeat(width + GAP)}`;
      const wrapped = wrap(printable(text), room).join(indent).replaceAll(NO_BREAK_SPACE, " ");
      return `${heading}${" ".repeat(GAP)}${wrapped}`.trimEnd();
    })
    .join("\n");
}
