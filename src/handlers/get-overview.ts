import type { Handler } from "../contract/operation.js";
import { FLAVOUR_NAMES, listedFacets, translation } from "../vocabulary/flavours.js";

/** The flavours, each with the facets by which it is searched. */
export function getOverview(): Handler<"getOverview"> {
  const body = {
    flavours: [...FLAVOUR_NAMES],
    attributes: Object.fromEntries(
      FLAVOUR_NAMES.map((flavour) => [
        flavour,
        listedFacets(flavour).map(translation(flavour).name),
      ]),
    ),
  };
  return async () => ({ status: 200, type: "application/json", body });
}
