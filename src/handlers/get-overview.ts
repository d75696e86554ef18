import type { Handler } from "../contract/operation.js";
import { FLAVOURS, searchableFacets, translation } from "../vocabulary/flavours.js";

/** The flavours, each with every facet by which it can be searched. */
export function getOverview(): Handler<"getOverview"> {
  const flavours = Object.values(FLAVOURS);
  const body = {
    flavours: flavours.map(({ name }) => name),
    attributes: Object.fromEntries(
      flavours.map((flavour) => [
        flavour.name,
        searchableFacets(flavour).map(translation(flavour).name),
      ]),
    ),
  };
  return async () => ({ status: 200, type: "application/json", body });
}
