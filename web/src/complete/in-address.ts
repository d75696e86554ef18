/** The form <-> `group_by` and `need` in the address. */
import { EMPTY_NEED, isNeed, type NeedRow, needRow, needText } from "./needs.js";

/** A requirement that the form cannot show is kept as text. */
export type Row = NeedRow | { readonly text: string };

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
