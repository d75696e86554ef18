/** Tables as text, as wide as there is room. */
import { printable } from "./printable.js";
import type { Look } from "./terminal.js";
import { padEnd, padStart, widthOf, wrap } from "./text-width.js";

export interface Column {
  readonly name: string;
  /** Numbers end below each other. */
  readonly isNumber?: boolean;
}

/** Blanks between columns. */
export const GAP = 2;
/** A last column that is wrapped has at least so many. */
const MIN_LAST = 16;

/** The width of each column that holds all that is in it. */
export const widthsOf = (rows: readonly (readonly string[])[]): number[] =>
  (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => widthOf(row[column] ?? ""))));

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

/** A head and a line a row; a last column of text that does not fit goes on below itself. Nothing is left out. */
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

/** A blank at which no line ends. */
export const FIRM_BLANK = "\u00a0";

/** Lines of a name and what is to be said of it, which goes on below itself. */
export function properties(lines: readonly (readonly [string, string])[], look: Look): string {
  const width = Math.max(...lines.map(([name]) => widthOf(printable(name))));
  const room = Math.max(MIN_LAST, look.width - width - GAP);
  return lines
    .map(([name, text]) => {
      const heading = look.bold(padEnd(printable(name), width));
      const indent = `\n${" ".repeat(width + GAP)}`;
      const said = wrap(printable(text), room).join(indent).replaceAll(FIRM_BLANK, " ");
      return `${heading}${" ".repeat(GAP)}${said}`.trimEnd();
    })
    .join("\n");
}
