/** Every operation of the contract, by its operationId. */
import type { Handlers } from "../contract/operation.js";
import { createIntakeCatalogue } from "./create-intake-catalogue.js";
import { createStacCatalogue } from "./create-stac-catalogue.js";
import { getOverview } from "./get-overview.js";
import { ping } from "./ping.js";
import { ready } from "./ready.js";
import { searchData } from "./search-data.js";
import { searchMetadata } from "./search-metadata.js";
import type { Services } from "./services.js";

/** The handlers over the parts that they compose. */
export function createHandlers(services: Services): Handlers {
  return {
    getOverview: getOverview(),
    searchData: searchData(services),
    searchMetadata: searchMetadata(services),
    createIntakeCatalogue: createIntakeCatalogue(services),
    createStacCatalogue: createStacCatalogue(services),
    ping: ping(),
    ready: ready(services),
  };
}
