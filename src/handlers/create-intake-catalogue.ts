import type { Handler } from "../contract/operation.js";
import { NoEntries } from "../errors.js";
import { intakeFields } from "../formats/intake.js";
import { intakeReply, openFound } from "./catalogue-search.js";
import type { Services } from "./services.js";

/** What is found as an intake-esm catalogue, streamed from Solr. */
export function createIntakeCatalogue(services: Services): Handler<"createIntakeCatalogue"> {
  return async (request) => {
    const found = await openFound(request, services, intakeFields, () => new NoEntries());
    return intakeReply(found, services);
  };
}
