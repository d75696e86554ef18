/** Downloads of a cart: several searches in the body of one request. */
import { InvalidParameters, Issues, invalidParameter } from "../../../domain/errors.js";
import { type ChosenField, chosenFields } from "../../../domain/search/chosen-fields.js";
import { wildcards } from "../../../domain/search/lucene.js";
import type { FacetSearch, Search } from "../../../domain/search/search.js";
import { unionOf } from "../../../domain/search/union.js";
import type { Flavour } from "../../../domain/vocabulary/flavours.js";
import { type FormatName, isFormatOf } from "../../../domain/vocabulary/list-formats.js";
import { datasetId } from "../../../files/zarr/address.js";
import { MissingToken } from "../../../identity/errors.js";
import type { DocumentBatches } from "../../../index/export/export.js";
import { TimeSlice } from "../../../platform/concurrency/time-slices.js";
import { nonEmpty, visibilityFields, visibleBatches } from "../../access/visibility.js";
import { readInnerSearch } from "../../contract/input/decode.js";
import type { Request } from "../../contract/operation.js";
import { type CatalogueSource, catalogueName } from "../../formats/catalogue.js";
import { apiRoot, zarrAddress } from "../../formats/download/addresses.js";
import { citationsOf, refuseTooMany } from "../aggregation/cite.js";
import { listCaching } from "../common/caching.js";
import { clientOf, owningCaller } from "../common/client.js";
import { type InFlavour, withFlavour } from "../flavours/requested-flavour.js";
import { listReply, NOTHING } from "../search/answer-list.js";
import {
  addressFormat,
  downloadFormat,
  intakeFormat,
  pathFormat,
  stacFormat,
  tableFormat,
} from "../search/list-formats.js";
import { guardUserNames, recordSearch, requestedSearch } from "../search/requested-search.js";
import type { Handler, Services } from "../services.js";
import { joinFormat, joinOptions } from "../zarr/join-data.js";

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
  const documents = await everything(request, services, { searches, union }, format.fields);
  if (documents === undefined && format.Nothing) throw new format.Nothing();
  const headers = listCaching(request, services);
  return listReply(format, documents ?? NOTHING, headers, catalogueName(source), numbers);
};

function formatOf(form: FormatName, request: Cart, source: CatalogueSource, services: Services) {
  const { body, caller } = request;
  if (isFormatOf(form, "cite")) return citationsOf(form, services);
  if (body.join !== undefined) {
    if (form !== "zarr") throw invalidParameter("join", "is for `zarr` only", "body");
    return joinFormat(joinOptions({ by: body.join }), request, services);
  }
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
  { searches, union }: { readonly searches: readonly FacetSearch[]; readonly union: Search },
  fields: readonly string[],
): Promise<DocumentBatches | undefined> {
  const options = { fields: visibilityFields(fields, rights), start: 0, ...clientOf(request) };
  const found = await nonEmpty(await solr.export(union, options));
  const searchedValues = searches.flatMap((search) => search.searchedValues);
  recordSearch(request, { searchedValues }, found !== undefined);
  return found && nonEmpty(visibleBatches(found, owningCaller(request), rights));
}

/** Solr bounds the clauses of a query, and each value is one at least. */
const MAX_VALUES = 4000;
/** The same as in one search: each costs Solr a walk over all values of a field, in which nothing stops it. */
const MAX_WILDCARDS = 200;

/** The searches in their order. An error names everything that is wrong, each with the path of its search in the body. */
async function cartSearches(
  request: Request<"downloadCart">,
  services: Services,
): Promise<readonly FacetSearch[]> {
  const flavours = await flavoursOf(request, services);
  const issues = new Issues();
  const found: FacetSearch[] = [];
  const slice = new TimeSlice();
  for (const [index, { flavour: name, parameters = {} }] of request.body.searches.entries()) {
    const flavour = flavours.get(name ?? request.path.flavour);
    if (flavour === undefined) continue;
    if (issues.isFull) break;
    try {
      const query = readInnerSearch(parameters);
      found.push(requestedSearch({ ...request, path: { ...request.path, flavour }, query }));
    } catch (error) {
      if (!(error instanceof InvalidParameters)) throw error;
      for (const { name, reason } of error.issues) {
        issues.add({ name: `searches[${index}].parameters.${name}`, in: "body", reason });
      }
    }
    if (slice.isOver) await slice.next();
  }
  boundValues(found, issues);
  if (issues.any) throw issues.error;
  return found;
}

function boundValues(found: readonly FacetSearch[], issues: Issues): void {
  const values = found.flatMap(({ constraints }) => constraints.flatMap((one) => one.values));
  const wild = values.reduce((sum, value) => sum + wildcards(value), 0);
  const where = { name: "searches", in: "body" } as const;
  if (values.length > MAX_VALUES) {
    issues.add({ ...where, reason: `have more than ${MAX_VALUES} values together` });
  }
  if (wild > MAX_WILDCARDS) {
    issues.add({ ...where, reason: `have more than ${MAX_WILDCARDS} wildcards together` });
  }
}

/** The flavours that are named, each looked for once. */
async function flavoursOf(
  request: Request<"downloadCart">,
  services: Services,
): Promise<ReadonlyMap<string, Flavour>> {
  const { body, path } = request;
  const found = new Map<string, Flavour>();
  for (const [index, { flavour: name = path.flavour }] of body.searches.entries()) {
    if (found.has(name)) continue;
    try {
      const named = await withFlavour({ ...request, path: { ...path, flavour: name } }, services);
      found.set(name, named.path.flavour);
    } catch (error) {
      if (!(error instanceof InvalidParameters)) throw error;
      const [{ reason } = { reason: "is not known" }] = error.issues;
      throw invalidParameter(`searches[${index}].flavour`, reason, "body");
    }
  }
  return found;
}
