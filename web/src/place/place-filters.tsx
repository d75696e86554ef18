/** Period and region. */
import { Period } from "./period.js";
import { Region } from "./region.js";

export function PlaceFilters() {
  return (
    <div class="place-filters">
      <Period />
      <Region />
    </div>
  );
}
