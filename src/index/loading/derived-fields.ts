/** Adds derived fields to a document: the dataset name, the ends of the period, and the times of its entry. */
import { derivedDetails } from "../../domain/vocabulary/derived-details.js";
import { DETAIL_NAMES, DETAILS } from "../../domain/vocabulary/details.js";

type Fields = Readonly<Record<string, unknown>>;

/** Details set here; values in documents are ignored, except `added`. */
export const DERIVED: readonly string[] = DETAIL_NAMES.filter((detail) => DETAILS[detail].derived);

/**
 * Appends the details derived from a document's other fields to its JSON, without the closing brace.
 *
 * @param text a non-empty JSON object without derived fields
 */
export function withDerived(text: string, document: Fields): string {
  const derived = JSON.stringify(derivedDetails(document)).slice(1, -1);
  return text.slice(0, text.lastIndexOf("}")) + (derived === "" ? "" : `,${derived}`);
}

/** Completes a text of withDerived. Times are ISO 8601 in UTC. */
export const withTimes = (text: string, added: string, updated: string): string =>
  `${text},"added":"${added}","updated":"${updated}"}`;
