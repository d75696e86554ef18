/** Where and when, in the search view: in a line what the search says of it, and opened the timeline and the map. */
import { search } from "../address/address.js";
import { Fold } from "../parts/fold.js";
import { words } from "../words/place.js";

const NAMES = ["time", "bbox"];

const load = async () => (await import("./place-filters.js")).PlaceFilters;

/** Loaded and asked for when it is opened: most searches are for neither. */
export function PlaceSection() {
  const said = search.value.pairs.filter(([name]) => NAMES.includes(name));
  const told = said.length === 0 ? words.anywhere : said.map(([, text]) => text).join("; ");
  return <Fold title={`${words.title}: ${told}`} load={load} startsOpen={said.length > 0} />;
}
