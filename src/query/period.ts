/** A period of time as a caller writes it -> a clause on the documents' date ranges. */
import { readPeriod, solrDate } from "../vocabulary/period.js";
import { nested } from "./lucene.js";
import type { Select } from "./select.js";

/** How documents relate to a period (Solr Reference Guide, "Date Formatting and Date Math"). */
const OPERATION: Record<Select, string> = {
  flexible: "Intersects",
  strict: "Within",
  file: "Contains",
};

/** A clause that holds for documents whose time relates to the period as asked. */
export function periodClause(text: string, select: Select): string {
  const { start, end } = readPeriod(text);
  return nested(
    `{!field f=time op=${OPERATION[select]}}`,
    `[${solrDate(start)} TO ${solrDate(end)}]`,
  );
}
