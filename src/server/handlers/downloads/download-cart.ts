import { InvalidParameters, invalidParameter } from "../../../domain/errors.js";
import { type ChosenField, chosenFields } from "../../../domain/search/chosen-fields.js";
import type { FacetSearch } from "../../../domain/search/search.js";
import { unionOf } from "../../../domain/search/union.js";
import { type FormatName, isFormatOf } from "../../../domain/vocabulary/list-formats.js";
import { datasetId } from "../../../files/zarr/address.js";
import { MissingToken } from "../../../identity/errors.js";
import type { DocumentBatches } from "../../../index/export/export.js";
import { nonEmpty, visibilityFields, visibleBatches } from "../../access/visibility.js";
import type { Request } from "../../contract/operation.js";
import { type CatalogueSource, catalogueName } from "../../formats/catalogue.js";
import { apiRoot, zarrAddress } from "../../formats/download/addresses.js";
import { citationsOf, refuseTooMany } from "../aggregation/cite.js";
import { listCaching } from "../common/caching.js";
import { callingOwner, clientOf, owningCaller } from "../common/client.js";
import { type InFlavour, withFlavour } from "../flavours/requested-flavour.js";
import { listReply } from "../search/answer-list.js";
import {
  addressFormat,
  downloadFormat,
  intakeFormat,
  pathFormat,
  stacFormat,
  tableFormat,
} from "../search/list-formats.js";
import { guardUserNames, recordSearch } from "../search/requested-search.js";
import type { Handler, Services } from "../services.js";
import { joinFormat, joinOptions } from "../zarr/join-data.js";
import { cartSearches } from "./cart-searches.js";

type Cart = InFlavour<Request<"downloadCart">>;

/** The results of several searches, each once, streamed from Solr. */
export const downloadCart: Handler<"downloadCart"> = async (received, services) => {
  if (received.body.format === "zarr" && received.principal === undefined) throw new MissingToken();
  const request = await withFlavour(received, services);
  const searches = await cartSearches(received, services);
  const { format: form } = request.body;
  const [union, client] = [unionOf(searches), clientOf(request)];
  if (isFormatOf(form, "cite")) await refuseTooMany(union, services, client);
  const source = sourceOf(request, searches);
  const format = formatOf(form, request, source, services);
  const numbers =
    format.facets &&
    (await services.solr.aggregateFacets({ ...union, facets: format.facets }, client));
  // Last, as documents that are open and that nobody reads would keep a list's place.
  const documents = await everything(request, services, searches, format.fields);
  if (documents === undefined && format.Nothing) throw new format.Nothing();
  const headers = listCaching(request, services);
  return listReply(format, documents ?? NOTHING, headers, catalogueName(source), numbers);
};

function formatOf(form: FormatName, request: Cart, source: CatalogueSource, services: Services) {
  const { body, caller, principal } = request;
  if (body.join !== undefined) {
    if (form !== "zarr") throw invalidParameter("join", "is for `zarr` only", "body");
    if (principal === undefined) throw new MissingToken();
    const by = callingOwner({ principal, caller });
    const options = joinOptions({ by: body.join });
    return joinFormat(options, services, by, clientOf(request), (id) =>
      zarrAddress(caller.base, id),
    );
  }
  if (isFormatOf(form, "cite")) return citationsOf(form, services);
  if (isFormatOf(form, "searchExtended")) {
    return tableFormat(form, tableColumns(request, source), source.key);
  }
  switch (form) {
    case "paths":
      return pathFormat(source.key);
    case "zarr":
      return addressFormat(source);
    case "intake":
      return intakeFormat(source, new Date(services.clock()));
    case "stac":
      return stacFormat(source);
    default:
      return downloadFormat(form, body.layout ?? "drs", caller.base);
  }
}

/** The origin of the list. No address leads back to a cart. */
function sourceOf({ path, caller }: Cart, searches: readonly FacetSearch[]): CatalogueSource {
  const multiVersion = searches.some(({ isMultiVersion }) => isMultiVersion);
  return {
    flavour: path.flavour,
    key: path.uniq_key,
    translate: true,
    multiVersion,
    filters: [],
    options: multiVersion ? { "multi-version": "true" } : {},
    searches: searches.length,
    api: apiRoot(caller.base),
    stream: (file) => zarrAddress(caller.base, datasetId(file)),
  };
}

function tableColumns(request: Cart, { multiVersion }: CatalogueSource): readonly ChosenField[] {
  const { path, body, principal } = request;
  const query = { fields: body.fields, translate: true, "multi-version": multiVersion };
  try {
    const fields = chosenFields({ path, query });
    guardUserNames(
      fields.map(({ field }) => field),
      principal,
    );
    return fields;
  } catch (error) {
    if (!(error instanceof InvalidParameters)) throw error;
    throw new InvalidParameters(error.issues.map((issue) => ({ ...issue, in: "body" as const })));
  }
}

/** All results that the caller may see; undefined if there are none. */
async function everything(
  request: Cart,
  { solr, rights }: Services,
  searches: readonly FacetSearch[],
  fields: readonly string[],
): Promise<DocumentBatches | undefined> {
  const options = { fields: visibilityFields(fields, rights), start: 0, ...clientOf(request) };
  const found = await nonEmpty(await solr.export(unionOf(searches), options));
  const searchedValues = searches.flatMap((search) => search.searchedValues);
  recordSearch(request, { searchedValues }, found !== undefined);
  return found && nonEmpty(visibleBatches(found, owningCaller(request), rights));
}

const NOTHING: DocumentBatches = { async *[Symbol.asyncIterator]() {} };
