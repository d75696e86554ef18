import type { Handler, Request } from "../contract/operation.js";
import { NoEntries } from "../errors.js";
import { byteStream } from "../formats/byte-stream.js";
import { attachment, catalogueName } from "../formats/catalogue.js";
import { intakeCatalogue, intakeFields } from "../formats/intake.js";
import { buildSearch, type UniqKey } from "../query/search.js";
import type { DocumentBatches, SolrDocument } from "../solr/export.js";
import { datasetId } from "../zarr/address.js";
import { catalogueSource } from "./catalogue-search.js";
import type { Services } from "./services.js";
import { zarrAddress } from "./zarr-address.js";

async function* addresses(
  batches: DocumentBatches,
  locate: (document: SolrDocument) => string,
): AsyncGenerator<string> {
  for await (const documents of batches) {
    yield documents.map((document) => `${locate(document)}\n`).join("");
  }
}

type LoadRequest = Request<"loadData"> | Request<"loadDataByKey">;

async function load(request: LoadRequest, key: UniqKey, { solr, clock }: Services) {
  const { query, signal, caller } = request;
  const asked = { ...request, path: { ...request.path, uniq_key: key } };
  const search = buildSearch(asked);
  if ((await solr.count(search, signal)) <= query.start) throw new NoEntries();
  const locate = (document: SolrDocument): string =>
    zarrAddress(caller.base, datasetId(String(document.file)));
  const start = query.start;
  if (query["catalogue-type"] === undefined) {
    const documents = await solr.export(search, { fields: ["file"], start, signal });
    const body = byteStream(addresses(documents, locate));
    return { status: 200, type: "text/plain", body } as const;
  }
  const source = catalogueSource({ ...asked, query: { ...query, "max-results": -1 } });
  const fields = [...new Set(["file", ...intakeFields(source)])];
  const documents = await solr.export(search, { fields, start, signal });
  const elsewhere = { location: locate, dataFormat: "zarr" };
  const text = intakeCatalogue(documents, source, new Date(clock()), elsewhere);
  return {
    status: 200,
    type: "application/json",
    headers: { "Content-Disposition": attachment(`${catalogueName(source)}.json`) },
    body: { stream: byteStream(text) },
  } as const;
}

/** Zarr addresses of what is found, streamed. */
export function loadData(services: Services): Handler<"loadData"> {
  return (request) => load(request, "file", services);
}

/** The same, of what has a location of the kind that is asked for. */
export function loadDataByKey(services: Services): Handler<"loadDataByKey"> {
  return (request) => load(request, request.path.uniq_key, services);
}
