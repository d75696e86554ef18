/** Period and region in the search view: a summary line that opens the timeline and the map. */
import { search } from "../address/address.js";
import { Fold } from "../parts/fold.js";
import { words } from "../words/place.js";

const NAMES = ["time", "bbox"];

const load = async () => (await import("./place-filters.js")).PlaceFilters;

/** Loaded on opening: most searches use neither. */
export function PlaceSection() {
  const said = search.value.pairs.filter(([name]) => NAMES.includes(name));
  const told = said.length === 0 ? words.anywhere : said.map(([, text]) => text).join("; ");
  return <Fold title={`${words.title}: ${told}`} load={load} startsOpen={said.length > 0} />;
}
