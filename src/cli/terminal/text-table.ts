/** Formats tables as text that fits the width of the terminal, on which the width of a text differs from its length. */
import { printable } from "./printable.js";
import type { Look } from "./terminal.js";

/** Characters that take two columns: East Asian wide and fullwidth ones (UAX #11), and emoji. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u4dbf\u4e00-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]/u;
/** Characters that take no column, such as combining marks. */
const NO_WIDTH = /[\p{Mn}\p{Me}\p{Cf}]/u;
const PLAIN = /^[\x20-\x7e]*$/;

const columns = (character: string): number =>
  WIDE.test(character) ? 2 : NO_WIDTH.test(character) ? 0 : 1;

/** Columns of a text without control characters. */
export function widthOf(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  for (const character of text) width += columns(character);
  return width;
}

const blanks = (text: string, width: number): string =>
  " ".repeat(Math.max(0, width - widthOf(text)));

export const padEnd = (text: string, width: number): string => text + blanks(text, width);
export const padStart = (text: string, width: number): string => blanks(text, width) + text;

/** Cuts a text to a width, with a sign at the end if something is left out. */
export function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let taken = "";
  let used = 1;
  for (const character of text) {
    used += columns(character);
    if (used > width) break;
    taken += character;
  }
  return `${taken}…`;
}

/** Wraps a text at blanks; a word longer than the width is broken. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  let used = 0;
  for (const word of text.split(" ")) {
    const needed = widthOf(word);
    if (used > 0 && used + 1 + needed <= width) {
      line += ` ${word}`;
      used += 1 + needed;
      continue;
    }
    if (used > 0) lines.push(line);
    line = "";
    used = 0;
    for (const character of word) {
      const more = columns(character);
      if (used + more > width && used > 0) {
        lines.push(line);
        line = "";
        used = 0;
      }
      line += character;
      used += more;
    }
  }
  return [...lines, line];
}

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
