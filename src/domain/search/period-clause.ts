/** Clauses on the documents' date ranges. */
import { isConstant, type Period, readPeriod, solrDate, Unreadable } from "../extent/period.js";
import { typedPeriod } from "../suggestions/typed-period.js";
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
  const { start, end } = readSearched(text);
  return nested(
    `{!field f=time op=${OPERATION[select]}}`,
    `[${solrDate(start)} TO ${solrDate(end)}]`,
  );
}

/** @throws Unreadable, with the right spelling if the text is a period as people type it or as names of files have it */
function readSearched(text: string): Period {
  try {
    return readPeriod(text);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    const meant = typedPeriod(text.trim().toLowerCase().replace(/\s+/g, " "));
    if (meant === undefined) throw error;
    throw new Unreadable(`${JSON.stringify(text)} is not a period: write ${meant}`);
  }
}
