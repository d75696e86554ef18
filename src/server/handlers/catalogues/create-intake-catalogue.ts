import { NoEntries, type UnknownValue } from "../../../domain/errors.js";
import type { Handler } from "../../contract/operation.js";
import { intakeFields } from "../../formats/intake.js";
import { withFlavour } from "../flavours/requested-flavour.js";
import type { Services } from "../services.js";
import { intakeReply, openFound } from "./catalogue-source.js";

/** What is found as an intake-esm catalogue, streamed from Solr. */
export function createIntakeCatalogue(services: Services): Handler<"createIntakeCatalogue"> {
  return async (asked) => {
    const request = await withFlavour(asked, services);
    const nothing = (unknown?: readonly UnknownValue[]) => new NoEntries(unknown);
    const found = await openFound(request, services, intakeFields, nothing);
    return intakeReply(found, services);
  };
}
