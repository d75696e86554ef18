import { PREFIX } from "../../../../generated/prefix.js";
import { InvalidParameters } from "../../../domain/errors.js";
import { type ChosenField, chosenFields } from "../../../domain/search/chosen-fields.js";
import type { FacetSearch, Search } from "../../../domain/search/search.js";
import { unionOf } from "../../../domain/search/union.js";
import type { Flavour } from "../../../domain/vocabulary/flavours.js";
import { datasetId } from "../../../files/zarr/address.js";
import { MissingToken } from "../../../identity/errors.js";
import type { DocumentBatches, SolrDocument } from "../../../index/export/export.js";
import type { ExportOptions } from "../../../index/export/segments.js";
import type { Solr } from "../../../index/solr.js";
import { nonEmpty, visibilityFields, visibleBatches } from "../../access/visibility.js";
import type { Handler, Request } from "../../contract/operation.js";
import { type CatalogueSource, catalogueName } from "../../formats/catalogue.js";
import { clientKey } from "../common/client-key.js";
import { owningCaller, withFlavour } from "../flavours/requested-flavour.js";
import type { Services } from "../services.js";
import { zarrAddress } from "../zarr/zarr-address.js";
import { listReply } from "./answer-list.js";
import { cartSearches } from "./cart-searches.js";
import { listCaching } from "./list-caching.js";
import { intakeFormat, pathFormat, stacFormat, tableFormat, zarrFormat } from "./list-formats.js";
import { tellSearch } from "./searched.js";
import { guardUserNames } from "./user-name-guard.js";

type Asked = Request<"downloadCart">;
type Cart = Omit<Asked, "path"> & {
  readonly path: Omit<Asked["path"], "flavour"> & { readonly flavour: Flavour };
};

/** The results of several searches, each once, streamed from Solr. */
export function downloadCart(services: Services): Handler<"downloadCart"> {
  return async (asked) => {
    if (asked.body.as === "zarr" && asked.principal === undefined) throw new MissingToken();
    const request: Cart = await withFlavour(asked, services);
    const searches = await cartSearches(asked, services);
    const source = sourceOf(request, searches);
    const format = formatOf(request, source, new Date(services.clock()));
    const documents = await everything(request, services, searches, format.fields);
    if (documents === undefined && format.Nothing) throw new format.Nothing();
    const headers = listCaching(request, services);
    return listReply(format, documents ?? NOTHING, headers, catalogueName(source));
  };
}

/** @throws InvalidParameters, MissingToken */
function formatOf(request: Cart, source: CatalogueSource, now: Date) {
  switch (request.body.as) {
    case "csv":
      return tableFormat("csv", tableColumns(request, source), source.key);
    case "paths":
      return pathFormat(source.key);
    case "zarr":
      return zarrFormat(source.stream);
    case "intake":
      return intakeFormat(source, now);
    case "stac":
      return stacFormat(source);
  }
}

/** The origin of the list. No address leads back to a cart. */
function sourceOf({ path, caller }: Cart, searches: readonly FacetSearch[]): CatalogueSource {
  const multiVersion = searches.some(({ collection }) => collection === "files");
  return {
    flavour: path.flavour,
    key: path.uniq_key,
    translate: true,
    multiVersion,
    filters: [],
    options: multiVersion ? { "multi-version": "true" } : {},
    searches: searches.length,
    api: caller.base + PREFIX,
    stream: (file) => zarrAddress(caller.base, datasetId(file)),
  };
}

/** @throws InvalidParameters, MissingToken */
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

/** All results that the caller may see; undefined if there are none. @throws as Solr.export */
async function everything(
  request: Cart,
  { solr, rights }: Services,
  searches: readonly FacetSearch[],
  fields: readonly string[],
): Promise<DocumentBatches | undefined> {
  const { signal } = request;
  const options = {
    fields: visibilityFields(fields, rights),
    start: 0,
    clientKey: clientKey(request),
    signal,
  };
  const found = await nonEmpty(oneAfterTheOther(solr, unionOf(searches), options));
  tellSearch(
    request,
    { searchedValues: searches.flatMap((search) => search.searchedValues) },
    found !== undefined,
  );
  return found && nonEmpty(visibleBatches(found, owningCaller(request), rights));
}

/** Opens each list after the one before it was read, so that a request has one list open. */
async function* oneAfterTheOther(
  solr: Solr,
  searches: readonly Search[],
  options: ExportOptions,
): AsyncGenerator<readonly SolrDocument[], void, undefined> {
  for (const search of searches) {
    for await (const documents of await solr.export(search, options)) {
      if (documents.length > 0) yield documents;
    }
  }
}

const NOTHING: DocumentBatches = { async *[Symbol.asyncIterator]() {} };
