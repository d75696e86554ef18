/** Names that mean something else in a request or an answer, whatever the flavour. */
import { QUERY_WORDS } from "../../../generated/words.js";
import { CATALOGUE_NAMES } from "../../domain/vocabulary/catalogue-names.js";
import { DETAIL_NAMES } from "../../domain/vocabulary/details.js";

/** What is the same to somebody who reads or types it, and to what reads `-` and `_` alike. */
export const folded = (name: string): string => name.toLowerCase().replaceAll("-", "_");

/** All of them, folded. */
export const RESERVED: ReadonlySet<string> = new Set(
  [...QUERY_WORDS, ...DETAIL_NAMES, ...CATALOGUE_NAMES].map(folded),
);
