import type { Handler } from "../contract/operation.js";
import { FLAVOURS, listedFacets, translation } from "../vocabulary/flavours.js";

/** The flavours, each with the facets by which it is searched. */
export function getOverview(): Handler<"getOverview"> {
  const flavours = Object.values(FLAVOURS);
  const body = {
    flavours: flavours.map(({ name }) => name),
    attributes: Object.fromEntries(
      flavours.map((flavour) => [
        flavour.name,
        listedFacets(flavour).map(translation(flavour).name),
      ]),
    ),
  };
  return async () => ({ status: 200, type: "application/json", body });
}
