/** What `index` adds to a document of its own: the name of its dataset, the ends of its period, and when it came. */

import { derivedDetails } from "../../domain/vocabulary/derived-details.js";
import { DETAIL_NAMES, DETAILS } from "../../domain/vocabulary/details.js";

type Fields = Readonly<Record<string, unknown>>;

/** Details that are made here: what a document brings under these names counts for nothing, but for `added`. */
export const MADE: readonly string[] = DETAIL_NAMES.filter((detail) => DETAILS[detail].derived);

/**
 * The JSON of a document, without its closing brace, with what follows from its other fields.
 *
 * @param text of a JSON object that is not empty, and has none of the fields that are made
 * @param document the same, parsed
 */
export function withMade(text: string, document: Fields): string {
  const made = JSON.stringify(derivedDetails(document)).slice(1, -1);
  return text.slice(0, text.lastIndexOf("}")) + (made === "" ? "" : `,${made}`);
}

/** The end of a document's JSON. @param added, updated ISO 8601 in UTC */
export const withMoments = (text: string, added: string, updated: string): string =>
  `${text},"added":"${added}","updated":"${updated}"}`;
