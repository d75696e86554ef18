/**
 * Rows -> CSV (RFC 4180): UTF-8, lines that end with CR LF, the first one the names of the columns.
 *
 * A cell is read back like this. Nothing at all is no value; `""` is an empty text. A text that begins with an apostrophe has
 * one that is to be taken away: it stands before what a spreadsheet would take for a formula, and before other
 * apostrophes. The texts of a list are joined by `;`, with a backslash before each `;` and each backslash in them.
 */
import type { Cell } from "./cell.js";

/**
 * What a spreadsheet takes for the begin of a formula, blanks before it or not, and its full-width forms (OWASP, "CSV
 * Injection"), and what stands before such a text here.
 */
const FORMULA = /^(?:['\t\r\n]|[\s\0]*[=+\-@＝＋－＠])/;
/** A formula that is no more than a number. */
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
