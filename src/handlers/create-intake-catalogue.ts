import type { Handler } from "../contract/operation.js";
import { NoEntries, type UnknownValue } from "../errors.js";
import { intakeFields } from "../formats/intake.js";
import { withFlavour } from "./asked-flavour.js";
import { intakeReply, openFound } from "./catalogue-search.js";
import type { Services } from "./services.js";

/** What is found as an intake-esm catalogue, streamed from Solr. */
export function createIntakeCatalogue(services: Services): Handler<"createIntakeCatalogue"> {
  return async (asked) => {
    const request = await withFlavour(asked, services);
    const nothing = (unknown?: readonly UnknownValue[]) => new NoEntries(unknown);
    const found = await openFound(request, services, intakeFields, nothing);
    return intakeReply(found, services);
  };
}
