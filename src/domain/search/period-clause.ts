/** Clauses on the documents' date ranges. */
import { isConstant, readPeriod, solrDate } from "../extent/period.js";
import { withSpelling } from "../suggestions/typed-period.js";
import { nested } from "./lucene.js";

/** How a document relates to the requested period or region: it intersects it, lies within it, or contains it. */
export type Select = "flexible" | "strict" | "file";

/** Solr Reference Guide, "Date Formatting and Date Math". */
const OPERATION: Record<Select, string> = {
  flexible: "Intersects",
  strict: "Within",
  file: "Contains",
};

/** Matches constant data, which is valid at all times. */
const ALWAYS = nested("{!field f=time op=Contains}", "[* TO *]");

/**
 * Matches documents by the relation of their time to a period. Constant data intersects and contains every period and lies
 * within none that has an end; `fx` matches only constant data.
 */
export function periodClause(text: string, select: Select): string {
  if (isConstant(text)) return ALWAYS;
  const { start, end } = withSpelling(text, readPeriod);
  return nested(
    `{!field f=time op=${OPERATION[select]}}`,
    `[${solrDate(start)} TO ${solrDate(end)}]`,
  );
}
