/** A period of time as a caller writes it -> a clause on the documents' date ranges. */
import { isConstant, readPeriod, solrDate } from "../extent/period.js";
import { nested } from "./lucene.js";
import type { Select } from "./select.js";

/** How documents relate to a period (Solr Reference Guide, "Date Formatting and Date Math"). */
const OPERATION: Record<Select, string> = {
  flexible: "Intersects",
  strict: "Within",
  file: "Contains",
};

/** What constant data have, and nothing that begins or ends. */
const ALWAYS = nested("{!field f=time op=Contains}", "[* TO *]");

/**
 * A clause that holds for documents whose time relates to the period as asked. Constant data overlap every period,
 * cover it, and lie inside none that has an end; `fx` means them alone.
 */
export function periodClause(text: string, select: Select): string {
  if (isConstant(text)) return ALWAYS;
  const { start, end } = readPeriod(text);
  return nested(
    `{!field f=time op=${OPERATION[select]}}`,
    `[${solrDate(start)} TO ${solrDate(end)}]`,
  );
}
