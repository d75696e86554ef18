/** All results of a search as lists, catalogues, addresses of zarr streams and downloads, streamed from Solr. */
import { invalidParameter } from "../../../domain/errors.js";
import { type FormatOf, isFormatOf } from "../../../domain/vocabulary/list-formats.js";
import type { Request } from "../../contract/operation.js";
import { catalogueName } from "../../formats/catalogue.js";
import { requireOwner } from "../common/client.js";
import { withForms } from "../common/content-negotiation.js";
import { withFlavour } from "../flavours/requested-flavour.js";
import { answerList, type ListRequest } from "../search/answer-list.js";
import {
  addressFormat,
  downloadFormat,
  intakeFormat,
  pathFormat,
  stacFormat,
  streamFormat,
} from "../search/list-formats.js";
import type { Handler, Services } from "../services.js";
import { joinFormat, joinOptions, MAX_JOINED } from "../zarr/join-data.js";
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
  const format = intakeFormat(source, new Date(services.clock()));
  return answerList(request, services, format, { start, maxResults, name: catalogueName(source) });
};

export const createStacCatalogue: Handler<"createStacCatalogue"> = async (received, services) => {
  const request = await withFlavour(received, services);
  const { start, "max-results": maxResults } = request.query;
  const source = catalogueSource(request);
  const options = { start, maxResults, name: catalogueName(source) };
  return answerList(request, services, stacFormat(source), options);
};

type LoadRequest = Request<"loadData"> | Request<"loadDataByKey">;

async function load(received: LoadRequest, services: Services) {
  const request = await withFlavour(received, services);
  const { start, join, "catalogue-type": catalogueType } = request.query;
  if (join !== undefined) return joined(request, services);
  if (catalogueType !== undefined) return catalogue(request, services, start);
  const reply =
    request.caller.preferred(["text/plain", "application/json"]) === "text/plain"
      ? await answerList(request, services, addressFormat(catalogueSource(request)), { start })
      : await streams(request, services);
  return { ...reply, headers: withForms(reply.headers) };
}

/** Addresses as JSON, with whether their data can be read here. */
async function streams(
  request: ListRequest & { readonly query: { readonly start: number } },
  services: Services,
) {
  const by = requireOwner(request);
  const source = catalogueSource(request);
  const options = { by, hasRights: true, isAnyFormat: source.isHttp === true };
  const format = streamFormat(source, (documents) => services.readable.reasons(documents, options));
  return answerList(request, services, format, { start: request.query.start });
}

async function joined(
  request: ListRequest & { readonly query: LoadRequest["query"] },
  services: Services,
) {
  const { join, missing, strict, zarr_format: version, start } = request.query;
  if (request.query["catalogue-type"] !== undefined)
    throw invalidParameter("join", "is not for catalogues: leave out catalogue-type");
  if (start > 0)
    throw invalidParameter("start", "is not for joins, which need all files of a dataset");
  const options = joinOptions({ by: join, missing, strict });
  const format = joinFormat(options, request, services, version === "3" ? 3 : 2);
  return answerList(request, services, format, { maxResults: MAX_JOINED });
}

async function catalogue(request: ListRequest, services: Services, start: number) {
  const source = catalogueSource(request);
  const format = intakeFormat(source, new Date(services.clock()), true);
  return answerList(request, services, format, { start, name: catalogueName(source) });
}

/** Zarr addresses of the results of a search, as a list or in an intake-esm catalogue. */
export const loadData: Handler<"loadData"> = load;

/** The same, for entries that have a location of the requested kind. */
export const loadDataByKey: Handler<"loadDataByKey"> = load;

/** The JSON alone. */
export const listStreams: Handler<"listStreams"> = async (received, services) =>
  streams(await withFlavour(received, services), services);

/** The intake-esm catalogue alone. */
export const createZarrCatalogue: Handler<"createZarrCatalogue"> = async (received, services) => {
  const request = await withFlavour(received, services);
  return catalogue(request, services, request.query.start);
};

type Query = Request<"downloadData">["query"];

/**
 * The form of the download, and the filters. `format=sh` is `as=sh`: no file has a format of these names, so that other
 * values of `format` are those of the facet.
 */
function formOf(query: Query): {
  readonly form: FormatOf<"downloadData">;
  readonly filters: Query["filters"];
} {
  const { format = [], ...others } = query.filters;
  const named = format.filter((word) => isFormatOf(word, "downloadData"));
  const forms = new Set([query.as ?? [], named].flat());
  const [form = "sh", ...more] = forms;
  if (more.length > 0) throw invalidParameter("as", "must be one form only");
  const values = format.filter((word) => !isFormatOf(word, "downloadData"));
  return { form, filters: values.length === 0 ? others : { ...others, format: values } };
}

/** The files of a search as a script or a list that downloads them, streamed from Solr. */
export const downloadData: Handler<"downloadData"> = async (received, services) => {
  const { form, filters } = formOf(received.query);
  const request = await withFlavour(
    { ...received, query: { ...received.query, filters } },
    services,
  );
  const format = downloadFormat(form, received.query.layout ?? "drs", request.caller.base);
  const name = catalogueName(catalogueSource(request));
  return answerList(request, services, format, { start: request.query.start, name });
};

export const downloadMetalink: Handler<"downloadMetalink"> = async (received, services) => {
  const request = await withFlavour(received, services);
  const { layout = "drs", start } = request.query;
  const format = downloadFormat("metalink", layout, request.caller.base);
  return answerList(request, services, format, {
    start,
    name: catalogueName(catalogueSource(request)),
  });
};
