/** Prints the found documents: a table on a terminal, tab-separated lines elsewhere, or JSON Lines. */
import { ALL, listedNames } from "../../domain/search/named-facets.js";
import { printable } from "../terminal/printable.js";
import type { Look } from "../terminal/terminal.js";
import { cut, GAP, padEnd, padStart, widthsOf } from "../terminal/text-table.js";
import type { ExtendedSearchResult as Page } from "./reports.js";
import { pathOf, type SearchRequest } from "./search-request.js";
import type { SignedClient } from "./signed-client.js";
import type { Write } from "./target.js";

type Document = Page["documents"][number];

/** Documents in one request. */
const MAX_PAGE = 1000;
/** Documents in one table; each table has its own column widths. */
const SHOWN_PAGE = 100;

interface Form {
  readonly isJson: boolean;
  /** Undefined if the output is no terminal. */
  readonly look: Look | undefined;
}

/** @returns whether any were found */
export async function writeDocuments(
  request: SearchRequest,
  service: SignedClient,
  { isJson, look }: Form,
  write: Write,
): Promise<boolean> {
  const { key, search, more, limit = Number.POSITIVE_INFINITY } = request;
  const pageSize = look === undefined ? MAX_PAGE : SHOWN_PAGE;
  const fields = listedNames(more.getAll("fields"));
  const isOpen = fields.length === 0 || fields.some((name) => ALL.has(name));
  let columns: readonly string[] | undefined = isJson || !isOpen ? fields : undefined;
  const path = pathOf("searchExtended", request);
  let after: string | null = null;
  let given = 0;
  do {
    const parameters = new URLSearchParams([...search, ...more]);
    parameters.set("limit", String(Math.min(pageSize, limit - given)));
    if (after !== null) parameters.set("after", after);
    // Documents omit fields without a value, so the first page also counts the facets: their names are those of all documents.
    if (columns === undefined) parameters.set("facets", "all");
    const page: Page = await service.askJson<Page>({ path, parameters });
    const { documents } = page;
    columns ??= columnsOf(fields, [key, ...Object.keys(page.facets)]);
    const rows = rowsOf(documents, columns);
    if (isJson) await write(documents.map((one) => jsonLine(one, look)).join(""));
    else if (look === undefined) await write(rows.map((row) => `${row.join("\t")}\n`).join(""));
    else if (rows.length > 0) await write(fitted(given === 0 ? columns : [], rows, look));
    given += documents.length;
    after = page.after;
  } while (after !== null && given < limit);
  return given > 0;
}

/** The requested fields in their order, with `standard` in place of `all` and of an empty list. */
const columnsOf = (fields: readonly string[], standard: readonly string[]): string[] =>
  fields.length === 0
    ? [...standard]
    : [...new Set(fields.flatMap((name) => (ALL.has(name) ? standard : [name])))];

const rowsOf = (documents: readonly Document[], columns: readonly string[]): string[][] =>
  documents.map((one) => columns.map((name) => textOf(one[name])));

function jsonLine(document: Document, look: Look | undefined): string {
  const text = JSON.stringify(document);
  return `${look === undefined ? text : printable(text)}\n`;
}

function textOf(value: Document[string] | undefined): string {
  if (value === undefined || value === null) return "";
  if (Array.isArray(value)) return printable((value as readonly string[]).join(","));
  if (typeof value === "object") return Object.values(value).join(",");
  return printable(String(value));
}

const MIN_COLUMN = 8;

/** Cuts the widest columns of a table until it fits. */
function fitted(head: readonly string[], rows: readonly (readonly string[])[], look: Look): string {
  const all = head.length > 0 ? [head, ...rows] : rows;
  const widths = widthsOf(all);
  const room = look.width - GAP * (widths.length - 1);
  for (;;) {
    const excess = widths.reduce((all, one) => all + one, 0) - room;
    const widest = Math.max(...widths);
    if (excess <= 0 || widest <= MIN_COLUMN) break;
    const next = Math.max(MIN_COLUMN, ...widths.filter((one) => one < widest));
    widths[widths.indexOf(widest)] = Math.max(next, widest - excess);
  }
  const isNumber = widths.map((_, column) =>
    rows.every((row) => /^[\d.]*$/.test(row[column] ?? "")),
  );
  return all
    .map((row, at) => {
      const cells = row.map((cell, column) => {
        const [shown, width] = [cut(cell, widths[column] ?? 0), widths[column] ?? 0];
        return isNumber[column] ? padStart(shown, width) : padEnd(shown, width);
      });
      const line = cells.join(" ".repeat(GAP)).trimEnd();
      return `${at === 0 && head.length > 0 ? look.bold(line) : line}\n`;
    })
    .join("");
}
