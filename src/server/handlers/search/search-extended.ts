import { countedFacets } from "../../../domain/aggregation/counted-facets.js";
import { invalidParameter } from "../../../domain/errors.js";
import { type ChosenField, chosenFields } from "../../../domain/search/chosen-fields.js";
import { sortedBeforeText } from "../../../domain/search/lucene.js";
import { decodeCursor, encodeCursor } from "../../../domain/search/page-cursor.js";
import type { CountedField } from "../../../domain/vocabulary/facets.js";
import { type FormatOf, typesOf } from "../../../domain/vocabulary/list-formats.js";
import type { SolrDocument } from "../../../index/export/document-batch.js";
import type { Page, PagePart } from "../../../index/query/facets.js";
import { mapInSlices } from "../../../platform/concurrency/time-slices.js";
import { visibilityFields, visibleAmong, visibleBatches } from "../../access/visibility.js";
import type { Request } from "../../contract/operation.js";
import { unknownValuesHeader } from "../../contract/structured-field.js";
import { facetSummary } from "../../formats/aggregation/facet-summary.js";
import { catalogueName, operationAddress } from "../../formats/catalogue.js";
import { record } from "../../formats/records.js";
import {
  catalogueSource,
  nextValues,
  whyAddress,
  whyLink,
} from "../catalogues/catalogue-source.js";
import { listCaching } from "../common/caching.js";
import { owningCaller } from "../common/client.js";
import { negotiatedForm, withForms } from "../common/content-negotiation.js";
import { taggedReply } from "../common/tagged-reply.js";
import { type InFlavour, withFlavour } from "../flavours/requested-flavour.js";
import type { Handler, Services } from "../services.js";
import { answerList, type ListRequest } from "./answer-list.js";
import { tableFormat } from "./list-formats.js";
import { guardUserNames, recordSearch, searchOf } from "./requested-search.js";
import { checkValues } from "./unknown-values.js";

type TableName = FormatOf<"searchExtended">;

const TYPES = { json: "application/json", ...typesOf("searchExtended") } as const;

const DEFAULT_PAGE = 100;
const MAX_PAGE = 10_000;

type Extended = InFlavour<Request<"searchExtended">>;

/** Documents with chosen fields: a page with the counts of all results, or all results as a table. */
export const searchExtended: Handler<"searchExtended"> = async (received, services) => {
  const { form, request } = negotiatedForm(await withFlavour(received, services), TYPES);
  const { query, principal } = request;
  const fields = chosenFields(request);
  const facets = query.facets === undefined ? [] : countedFacets(request);
  refuseOtherForms(form, query);
  guardUserNames([...fields.map(({ field }) => field), ...facets], principal);
  if (form === "json") return page(request, services, fields, facets);
  const reply = await table(request, services, fields, form);
  return { ...reply, headers: withForms(reply.headers) };
};

export const searchExtendedCsv: Handler<"searchExtendedCsv"> = (received, services) =>
  tableAlone(received, services, "csv");

export const searchExtendedParquet: Handler<"searchExtendedParquet"> = (received, services) =>
  tableAlone(received, services, "parquet");

async function tableAlone<Form extends TableName>(
  received: Request<"searchExtendedCsv">,
  services: Services,
  form: Form,
) {
  const request = await withFlavour(received, services);
  const fields = chosenFields(request);
  guardUserNames(
    fields.map(({ field }) => field),
    request.principal,
  );
  return table(request, services, fields, form);
}

function refuseOtherForms(form: keyof typeof TYPES, query: Extended["query"]): void {
  const { limit, after, facets } = query;
  if (form === "json") {
    if (limit !== undefined && limit > MAX_PAGE) {
      throw invalidParameter("limit", `must be at most ${MAX_PAGE}`);
    }
    // A page comes with the counts of all results, which Solr cannot count for complete groups.
    for (const name of ["group_by", "need", "require_all_on"] as const) {
      if (query[name] !== undefined) {
        throw invalidParameter(name, "is for CSV and Parquet, and not for pages of JSON");
      }
    }
    return;
  }
  const reason = "is for pages of JSON, and not for a table";
  if (after !== undefined) throw invalidParameter("after", reason);
  if (facets !== undefined) throw invalidParameter("facets", reason);
}

async function page(
  request: Extended,
  services: Services,
  fields: readonly ChosenField[],
  facets: readonly CountedField[],
) {
  const { path, query } = request;
  const { solr, rights } = services;
  const { search, client } = searchOf(request);
  const check = checkValues(search, solr, client, facets);
  const part: PagePart = {
    // The cursor of the next page is a file.
    fields: visibilityFields([...new Set([...fields.map(({ field }) => field), "file"])], rights),
    rows: query.limit ?? DEFAULT_PAGE,
    behind: query.after === undefined ? undefined : decodeCursor(query.after),
  };
  const found = await solr.page(search, { facets, part, ...client });
  recordSearch(request, search, found.total > 0);
  const unknown = await check({ isFound: found.total > 0, counts: found.counts });
  const why = found.total === 0 ? whyAddress(request) : undefined;
  const shown = await visiblePage(request, services, found, part);
  const last = shown.hasMore ? shown.documents.at(-1)?.file : undefined;
  const after = last === undefined ? null : encodeCursor(String(last));
  const shape = {
    ...facetSummary(found, path.flavour, query.translate, {
      unknown,
      why,
      nextValues: nextValues(request),
    }),
    documents: await mapInSlices(shown.documents, (document) => record(document, fields)),
    after,
    next: after && nextAddress(request, after),
  };
  const notes = { ...unknownValuesHeader(unknown), ...(why && whyLink(why)) };
  const headers = withForms({ ...notes, ...listCaching(request, services) });
  return taggedReply(request, shape, headers);
}

/**
 * The part of a page that its caller may see. The next page begins behind a visible file, so that its cursor does not reveal the
 * path of a hidden one. Behind a page that is completely hidden, the results are read as a list, up to a page of visible ones.
 *
 * @param rows of a page at most
 */
async function visiblePage(
  request: Extended,
  { rights, solr }: Services,
  { documents, hasMore }: Page,
  { fields, rows }: PagePart,
): Promise<Pick<Page, "documents" | "hasMore">> {
  if (!rights?.hides) return { documents, hasMore };
  const owner = owningCaller(request);
  const visible = await visibleAmong(documents, owner, rights);
  const last = documents.at(-1)?.file;
  if (visible.length > 0 || !hasMore || last === undefined) return { documents: visible, hasMore };
  const { search, client } = searchOf(request);
  const rest = { ...search, filters: [...search.filters, sortedBeforeText("file", String(last))] };
  const found: SolrDocument[] = [];
  const batches = await solr.export(rest, { fields, start: 0, ...client });
  for await (const batch of visibleBatches(batches, owner, rights)) {
    found.push(...batch);
    if (found.length > rows) break;
  }
  return { documents: found.slice(0, rows), hasMore: found.length > rows };
}

function nextAddress(request: Extended, after: string): string {
  const { fields, facets, limit } = request.query;
  return operationAddress(catalogueSource(request), "searchExtended", {
    ...(fields && { fields: fields.join(",") }),
    ...(facets && { facets: facets.join(",") }),
    ...(limit !== undefined && { limit: String(limit) }),
    after,
    format: "json",
  });
}

async function table<Form extends TableName>(
  request: ListRequest & { readonly query: { readonly limit?: number | undefined } },
  services: Services,
  fields: readonly ChosenField[],
  form: Form,
) {
  const { uniq_key: key } = request.path;
  const format = tableFormat(form, fields, key);
  const name = catalogueName(catalogueSource(request));
  return answerList(request, services, format, { limit: request.query.limit, name });
}
