/**
 * Writes CSV (RFC 4180): UTF-8, CR LF, column names in the first line.
 *
 * An empty cell is no value; `""` is an empty text. An apostrophe is put before a text that a spreadsheet would take for a
 * formula, and before a text that begins with one; readers remove it. The texts of a list are joined by `;`, with a
 * backslash before each `;` and each backslash in them.
 */

/** A cell of a table; undefined is no value. */
export type Cell = string | number | boolean | readonly string[] | undefined;

/**
 * The begin of a formula, with optional blanks and full-width forms (OWASP, "CSV Injection"), or an
 * apostrophe.
 */
const FORMULA = /^(?:['\t\r\n]|[\s\0]*[=+\-@＝＋－＠])/;
/** A signed number, which is harmless. */
const NUMBER = /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;
const QUOTED = /[",\r\n\0]|^\s|\s$|^$/;

const harmless = (text: string): string =>
  FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;

const quoted = (text: string): string =>
  QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

const joined = (texts: readonly string[]): string =>
  texts.map((text) => text.replace(/[;\\]/g, "\\$&")).join(";");

function cell(value: Cell): string {
  if (value === undefined) return "";
  if (typeof value === "string") return quoted(harmless(value));
  if (typeof value === "object") return value.length === 0 ? "" : quoted(harmless(joined(value)));
  return String(value);
}

/** One line, with its end. @param cells numbers are finite */
export const csvLine = (cells: readonly Cell[]): string => `${cells.map(cell).join(",")}\r\n`;
