/** Requests of the timeline and the map: the search without its period, or without its region. */
import { search } from "../address/address.js";
import { type CodeRequest, codeRequest } from "../service/code-request.js";
import { words } from "../words/place.js";
import { without } from "./in-search.js";

export const BOXES = "/databrowser/boxes/{flavour}";
export const YEARS = "/databrowser/years/{flavour}";

/** The files found in any period, or in any region. */
export const foundWithout = (kind: "time" | "bbox", flavour: string) => ({
  in: { flavour },
  query: without(search.value.pairs, kind),
});

export const boxesRequest = (flavour: string): CodeRequest =>
  codeRequest(words.codeBoxes, BOXES, foundWithout("bbox", flavour));

export const yearsRequest = (flavour: string): CodeRequest =>
  codeRequest(words.codeYears, YEARS, foundWithout("time", flavour));
