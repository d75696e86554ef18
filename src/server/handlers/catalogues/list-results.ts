/** All results of a search as plain lists and catalogues, streamed from Solr. */
import { catalogueName } from "../../formats/catalogue.js";
import { withFlavour } from "../flavours/requested-flavour.js";
import { answerList } from "../search/answer-list.js";
import { addressIn, intakeFormat, pathFormat, stacFormat } from "../search/list-formats.js";
import type { Handler } from "../services.js";
import { catalogueSource } from "./catalogue-source.js";

/** Their locations, one per line. */
export const searchData: Handler<"searchData"> = async (received, services) => {
  const request = await withFlavour(received, services);
  const format = pathFormat(request.path.uniq_key);
  return answerList(request, services, format, { start: request.query.start });
};

/** An intake-esm catalogue. */
export const createIntakeCatalogue: Handler<"createIntakeCatalogue"> = async (
  received,
  services,
) => {
  const request = await withFlavour(received, services);
  const { start, "max-results": maxResults } = request.query;
  const source = catalogueSource(request);
  const elsewhere = source.isHttp ? { location: addressIn(source) } : undefined;
  const format = intakeFormat(source, new Date(services.clock()), elsewhere);
  return answerList(request, services, format, { start, maxResults, name: catalogueName(source) });
};

export const createStacCatalogue: Handler<"createStacCatalogue"> = async (received, services) => {
  const request = await withFlavour(received, services);
  const { start, "max-results": maxResults } = request.query;
  const source = catalogueSource(request);
  const options = { start, maxResults, name: catalogueName(source) };
  return answerList(request, services, stacFormat(source), options);
};
