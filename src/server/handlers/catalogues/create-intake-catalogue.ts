import type { Handler } from "../../contract/operation.js";
import { catalogueName } from "../../formats/catalogue.js";
import { withFlavour } from "../flavours/requested-flavour.js";
import { answerList } from "../search/answer-list.js";
import { addressIn, intakeFormat } from "../search/list-formats.js";
import type { Services } from "../services.js";
import { catalogueSource } from "./catalogue-source.js";

/** The results of a search as an intake-esm catalogue, streamed from Solr. */
export function createIntakeCatalogue(services: Services): Handler<"createIntakeCatalogue"> {
  return async (received) => {
    const request = await withFlavour(received, services);
    const { start, "max-results": maxResults } = request.query;
    const source = catalogueSource(request);
    const elsewhere = source.isHttp ? { location: addressIn(source) } : undefined;
    const format = intakeFormat(source, new Date(services.clock()), elsewhere);
    return answerList(request, services, format, {
      start,
      maxResults,
      name: catalogueName(source),
    });
  };
}
