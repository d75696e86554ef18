/** Where and when: the two constraints of a search that are no facets. */
import { Period } from "./period.js";
import { Region } from "./region.js";

/** Edits `time`, `time_select`, `bbox` and `bbox_select` of the search in the address. */
export function PlaceFilters() {
  return (
    <div class="place-filters">
      <Period />
      <Region />
    </div>
  );
}
