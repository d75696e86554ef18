import type { Handler } from "../contract/operation.js";
import { NoEntries } from "../errors.js";
import { byteStream } from "../formats/byte-stream.js";
import { attachment, catalogueName } from "../formats/catalogue.js";
import { intakeCatalogue, intakeFields } from "../formats/intake.js";
import { buildSearch } from "../query/search.js";
import { catalogueSource, checkFound } from "./catalogue-search.js";
import type { Services } from "./services.js";

/** What is found as an intake-esm catalogue, streamed from Solr. */
export function createIntakeCatalogue(services: Services): Handler<"createIntakeCatalogue"> {
  return async (request) => {
    const search = buildSearch(request);
    await checkFound(request, search, services, () => new NoEntries());
    const source = catalogueSource(request);
    const { start } = request.query;
    const options = { fields: intakeFields(source), start, signal: request.signal };
    const documents = await services.solr.export(search, options);
    const text = intakeCatalogue(documents, source, new Date(services.clock()));
    return {
      status: 200,
      type: "application/json",
      headers: { "Content-Disposition": attachment(`${catalogueName(source)}.json`) },
      body: { stream: byteStream(text) },
    };
  };
}
