/** The rows of the form <-> `need=` of the API. */
import { needParts, pairText } from "../../../src/domain/completeness/need-text.js";
import { Unreadable } from "../../../src/domain/extent/period.js";
import { reading } from "../service/reading.js";

export interface Pair {
  readonly name: string;
  readonly value: string;
}

/** Empty strings are not filled in yet. */
export interface NeedRow {
  readonly pairs: readonly Pair[];
  /** Group facets that the files must share; empty means all of them. */
  readonly on: readonly string[];
  readonly from: string;
  readonly to: string;
}

export const EMPTY_NEED: NeedRow = { pairs: [{ name: "", value: "" }], on: [], from: "", to: "" };

/** @returns undefined if the text is not a valid need; the service then explains why */
export function needRow(text: string): NeedRow | undefined {
  const parts = reading(() => [...needParts(text)]);
  if (parts instanceof Unreadable) return undefined;
  const row = { pairs: [] as Pair[], on: [] as string[], from: "", to: "" };
  for (const part of parts) {
    if (part.option === undefined) row.pairs.push({ name: part.name, value: part.value });
    else if (part.option === "on") row.on.push(...part.text.split(",").map((one) => one.trim()));
    else row[part.option] = part.text.trim();
  }
  return row;
}

export const isFilled = ({ name, value }: Pair): boolean => name !== "" && value !== "";

/** @param groupBy facets of the groups; `on` is omitted if it names all of them */
export function needText({ pairs, on, from, to }: NeedRow, groupBy: readonly string[]): string {
  const shared = groupBy.filter((name) => on.includes(name));
  const isOnAll = shared.length === 0 || shared.length === groupBy.length;
  return [
    ...pairs.filter(isFilled).map(({ name, value }) => pairText(name, value)),
    ...(isOnAll ? [] : [`on=${shared.join(",")}`]),
    ...(from.trim() === "" ? [] : [`from=${from.trim()}`]),
    ...(to.trim() === "" ? [] : [`to=${to.trim()}`]),
  ].join(";");
}

/** Rows without a filled-in pair are left out of the address. */
export const isNeed = ({ pairs }: NeedRow): boolean => pairs.some(isFilled);

/** A need without its period, such as "variable_id tas, table_id Amon". */
export function needWords(text: string): string {
  const row = needRow(text);
  if (row === undefined) return text;
  const pairs = row.pairs.map(({ name, value }) => `${name} ${value}`).join(", ");
  return row.on.length === 0 ? pairs : `${pairs} (with the same ${row.on.join(", ")})`;
}

/** A requirement that the form cannot show is kept as text. */
type Row = NeedRow | { readonly text: string };

export interface Form {
  readonly groupBy: readonly string[];
  readonly rows: readonly Row[];
}

/** The service's limit. */
export const MAX_GROUP_BY = 4;

export const isWritten = (row: Row): row is { readonly text: string } => "text" in row;

/** Always has at least one row. */
export function formOf(query: URLSearchParams): Form {
  const groupBy = query
    .getAll("group_by")
    .flatMap((text) => text.split(","))
    .map((name) => name.trim())
    .filter((name) => name !== "");
  const rows = query.getAll("need").map((text) => needRow(text) ?? { text });
  return { groupBy: [...new Set(groupBy)], rows: rows.length > 0 ? rows : [EMPTY_NEED] };
}

/** The filled-in requirements, as sent to the service. */
export const needsOf = ({ groupBy, rows }: Form): readonly string[] =>
  rows.flatMap((row) => {
    if (isWritten(row)) return [row.text];
    return isNeed(row) ? [needText(row, groupBy)] : [];
  });

export function setForm(query: URLSearchParams, form: Form): void {
  for (const name of ["group_by", "need", "require_all_on"]) query.delete(name);
  if (form.groupBy.length > 0) query.set("group_by", form.groupBy.join(","));
  for (const need of needsOf(form)) query.append("need", need);
}

/** The same for forms that ask for the same. */
export const formKey = (form: Form): string => JSON.stringify([form.groupBy, needsOf(form)]);
