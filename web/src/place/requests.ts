/** Requests of the timeline and the map: the search without its period, or without its region. */
import { search } from "../address/address.js";
import { type CodeRequest, codeRequest } from "../service/code-request.js";
import { words } from "../words/place.js";
import { without } from "./in-search.js";

export const BOXES = "/databrowser/boxes/{flavour}";
export const YEARS = "/databrowser/years/{flavour}";

/** The boxes of the files found in any region. */
export const boxesRequest = (flavour: string): CodeRequest =>
  codeRequest(words.codeBoxes, BOXES, {
    in: { flavour },
    query: without(search.value.pairs, "bbox"),
  });

/** The years of the files found in any period. */
export const yearsRequest = (flavour: string): CodeRequest =>
  codeRequest(words.codeYears, YEARS, {
    in: { flavour },
    query: without(search.value.pairs, "time"),
  });
