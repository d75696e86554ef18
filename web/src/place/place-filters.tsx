/** Period and region. */
import { Period } from "./period/period.js";
import { Region } from "./region/region.js";

export function PlaceFilters() {
  return (
    <div class="place-filters">
      <Period />
      <Region />
    </div>
  );
}
