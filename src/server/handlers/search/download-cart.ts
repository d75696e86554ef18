import { PREFIX } from "../../../../generated/prefix.js";
import { InvalidParameters, NoEntries, NoItems } from "../../../domain/errors.js";
import { type ChosenField, chosenFields } from "../../../domain/search/chosen-fields.js";
import type { FacetSearch, Search } from "../../../domain/search/search.js";
import { unionOf } from "../../../domain/search/union.js";
import type { Flavour } from "../../../domain/vocabulary/flavours.js";
import { datasetId } from "../../../files/zarr/address.js";
import { MissingToken } from "../../../identity/errors.js";
import type { DocumentBatches, SolrDocument } from "../../../index/export/export.js";
import type { ExportOptions } from "../../../index/export/export-admission.js";
import type { Solr } from "../../../index/solr.js";
import { ifAny, seen, seenFields } from "../../access/visibility.js";
import type { Handler, Request } from "../../contract/operation.js";
import { attachment, type CatalogueSource, catalogueName } from "../../formats/catalogue.js";
import { intakeCatalogue, intakeFields } from "../../formats/intake.js";
import { pathList } from "../../formats/path-list.js";
import { csvTable } from "../../formats/records.js";
import { stacArchive, stacFields } from "../../formats/stac/archive.js";
import { byteStream } from "../../formats/streams/byte-stream.js";
import { zip } from "../../formats/streams/zip.js";
import { zarrList } from "../catalogues/zarr-list.js";
import { clientKey } from "../common/client-key.js";
import { owningCaller, withFlavour } from "../flavours/requested-flavour.js";
import type { Services } from "../services.js";
import { zarrAddress } from "../zarr/zarr-address.js";
import { cartSearches } from "./cart-searches.js";
import { listCaching } from "./list-caching.js";
import { tellSearch } from "./searched.js";
import { guardNames } from "./user-name-guard.js";

type Asked = Request<"downloadCart">;
type Cart = Omit<Asked, "path"> & {
  readonly path: Omit<Asked["path"], "flavour"> & { readonly flavour: Flavour };
};

/** What several searches find together, each entry once, streamed from Solr. */
export function downloadCart(services: Services): Handler<"downloadCart"> {
  return async (asked) => {
    const { as } = asked.body;
    if (as === "zarr" && asked.principal === undefined) throw new MissingToken();
    const request: Cart = await withFlavour(asked, services);
    const searches = await cartSearches(asked, services);
    const source = sourceOf(request, searches);
    const columns = as === "csv" ? tableFields(request, source) : [];
    const fields = fieldsOf(as, source, columns);
    const documents = await everything(request, services, searches, fields);
    const headers = listCaching(request, services);
    const named = (ending: string) => ({
      ...headers,
      "Content-Disposition": attachment(`${catalogueName(source)}.${ending}`),
    });
    const found = documents ?? NOTHING;
    switch (as) {
      case "csv": {
        const body = byteStream(csvTable(found, columns), 1);
        return { status: 200, type: "text/csv", headers: named("csv"), body };
      }
      case "paths": {
        const body = byteStream(pathList(found, source.key));
        return { status: 200, type: "text/plain", headers: named("txt"), body };
      }
      case "zarr": {
        if (documents === undefined) throw new NoEntries();
        const body = byteStream(zarrList(documents, source.stream));
        return { status: 200, type: "text/plain", headers: named("txt"), body };
      }
      case "intake": {
        if (documents === undefined) throw new NoEntries();
        const text = intakeCatalogue(documents, source, new Date(services.clock()));
        const body = { stream: byteStream(text) };
        return { status: 200, type: "application/json", headers: named("json"), body };
      }
      case "stac": {
        if (documents === undefined) throw new NoItems();
        const body = byteStream(zip(stacArchive(documents, source)));
        return { status: 200, type: "application/zip", headers: named("zip"), body };
      }
    }
  };
}

/** Where it comes from; no address holds it. */
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
function tableFields(request: Cart, { multiVersion }: CatalogueSource): readonly ChosenField[] {
  const { path, body, principal } = request;
  const query = { fields: body.fields, translate: true, "multi-version": multiVersion };
  try {
    const fields = chosenFields({ path, query });
    guardNames(
      fields.map(({ field }) => field),
      principal,
    );
    return fields;
  } catch (error) {
    if (!(error instanceof InvalidParameters)) throw error;
    throw new InvalidParameters(error.issues.map((issue) => ({ ...issue, in: "body" as const })));
  }
}

function fieldsOf(
  as: Asked["body"]["as"],
  source: CatalogueSource,
  columns: readonly ChosenField[],
): readonly string[] {
  switch (as) {
    case "csv":
      // Solr exports nothing of which a document has none; and the key is in every one.
      return [...new Set([...columns.map(({ field }) => field), source.key])];
    case "paths":
      return [source.key];
    case "zarr":
      return ["file"];
    case "intake":
      return intakeFields(source);
    case "stac":
      return stacFields(source);
  }
}

/** All that is found and that the caller sees; undefined where that is nothing. @throws what a search throws */
async function everything(
  request: Cart,
  { solr, rights }: Services,
  searches: readonly FacetSearch[],
  fields: readonly string[],
): Promise<DocumentBatches | undefined> {
  const { signal } = request;
  const options = {
    ...{ fields: seenFields(fields, rights), start: 0 },
    ...{ clientKey: clientKey(request), signal },
  };
  const found = await ifAny(oneAfterTheOther(solr, unionOf(searches), options));
  tellSearch(request, { asked: searches.flatMap(({ asked }) => asked) }, found !== undefined);
  return found && ifAny(seen(found, owningCaller(request), rights));
}

/** Each opened when the one before it has been read: one request has one list open. */
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
