/** What the timeline and the map ask of the service: the search without its period, or without its region. */
import { search } from "../address/address.js";
import { sentOf, type Told } from "../service/sent.js";
import { words } from "../words/place.js";
import { without } from "./without.js";

export const BOXES = "/databrowser/boxes/{flavour}";
export const YEARS = "/databrowser/years/{flavour}";

/** The boxes of what is found, wherever it is. */
export const boxesRequest = (flavour: string): Told =>
  sentOf(words.codeBoxes, BOXES, {
    in: { flavour },
    query: without(search.value.pairs, "bbox"),
  });

/** The years of what is found, whenever it is. */
export const yearsRequest = (flavour: string): Told =>
  sentOf(words.codeYears, YEARS, {
    in: { flavour },
    query: without(search.value.pairs, "time"),
  });
