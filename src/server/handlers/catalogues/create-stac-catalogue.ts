import type { Handler } from "../../contract/operation.js";
import { catalogueName } from "../../formats/catalogue.js";
import { withFlavour } from "../flavours/requested-flavour.js";
import { answerList } from "../search/answer-list.js";
import { stacFormat } from "../search/list-formats.js";
import type { Services } from "../services.js";
import { catalogueSource } from "./catalogue-source.js";

/** The results of a search as a static STAC catalogue in a zip archive, streamed from Solr. */
export function createStacCatalogue(services: Services): Handler<"createStacCatalogue"> {
  return async (received) => {
    const request = await withFlavour(received, services);
    const { start, "max-results": maxResults } = request.query;
    const source = catalogueSource(request);
    const options = { start, maxResults, name: catalogueName(source) };
    return answerList(request, services, stacFormat(source), options);
  };
}
