import type { UniqKey } from "../../../domain/search/search.js";
import type { SolrDocument } from "../../../index/export/export.js";
import type { Handler, Request } from "../../contract/operation.js";
import { catalogueName } from "../../formats/catalogue.js";
import { withFlavour } from "../flavours/requested-flavour.js";
import { answerList } from "../search/answer-list.js";
import { intakeFormat, zarrFormat } from "../search/list-formats.js";
import type { Services } from "../services.js";
import { catalogueSource } from "./catalogue-source.js";

type LoadRequest = Request<"loadData"> | Request<"loadDataByKey">;

async function load(asked: LoadRequest, key: UniqKey, services: Services) {
  const named = await withFlavour(asked, services);
  const request = { ...named, path: { ...named.path, uniq_key: key } };
  const { start, "catalogue-type": catalogueType } = request.query;
  const source = catalogueSource(request);
  if (catalogueType === undefined) {
    return answerList(request, services, zarrFormat(source.stream), { start });
  }
  const location = ({ file }: SolrDocument): string => source.stream(String(file));
  const elsewhere = { location, dataFormat: "zarr" };
  const format = intakeFormat(source, new Date(services.clock()), elsewhere);
  return answerList(request, services, format, { start, name: catalogueName(source) });
}

/** Zarr addresses of the results of a search, as a list or in an intake-esm catalogue. */
export function loadData(services: Services): Handler<"loadData"> {
  return (request) => load(request, "file", services);
}

/** The same, for entries that have a location of the requested kind. */
export function loadDataByKey(services: Services): Handler<"loadDataByKey"> {
  return (request) => load(request, request.path.uniq_key, services);
}
