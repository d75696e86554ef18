/** The builder's form <-> `group_by` and `need` of the address. */
import { EMPTY_NEED, isNeed, type NeedRow, needRow, needText } from "./needs.js";

/** A need that this form cannot show stays as it was written. */
export type Row = NeedRow | { readonly text: string };

export interface Form {
  readonly groupBy: readonly string[];
  readonly rows: readonly Row[];
}

/** As many as the service takes. */
export const MAX_GROUP_BY = 4;

export const isWritten = (row: Row): row is { readonly text: string } => "text" in row;

/** There is always a row to be filled in. */
export function formOf(query: URLSearchParams): Form {
  const groupBy = query
    .getAll("group_by")
    .flatMap((text) => text.split(","))
    .map((name) => name.trim())
    .filter((name) => name !== "");
  const rows = query.getAll("need").map((text) => needRow(text) ?? { text });
  return { groupBy: [...new Set(groupBy)], rows: rows.length > 0 ? rows : [EMPTY_NEED] };
}

/** The needs that ask for something, as the service takes them. */
export const needsOf = ({ groupBy, rows }: Form): readonly string[] =>
  rows.flatMap((row) => {
    if (isWritten(row)) return [row.text];
    return isNeed(row) ? [needText(row, groupBy)] : [];
  });

/** Puts what is filled in into an address. */
export function setForm(query: URLSearchParams, form: Form): void {
  for (const name of ["group_by", "need", "require_all_on"]) query.delete(name);
  if (form.groupBy.length > 0) query.set("group_by", form.groupBy.join(","));
  for (const need of needsOf(form)) query.append("need", need);
}

/** Equal for forms that ask for the same. */
export const formKey = (form: Form): string => JSON.stringify([form.groupBy, needsOf(form)]);
