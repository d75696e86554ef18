import { countedFacets } from "../../../domain/aggregation/counted-facets.js";
import { invalidParameter } from "../../../domain/errors.js";
import { type ChosenField, chosenFields } from "../../../domain/search/chosen-fields.js";
import { afterText, readAfter } from "../../../domain/search/page-cursor.js";
import { buildSearch, type FacetSearch } from "../../../domain/search/search.js";
import type { CountedField } from "../../../domain/vocabulary/facets.js";
import type { Flavour } from "../../../domain/vocabulary/flavours.js";
import type { DocumentBatches, SolrDocument } from "../../../index/export/export.js";
import type { Page, PagePart } from "../../../index/query/facets.js";
import { seen, seenFields } from "../../access/visibility.js";
import type { Handler, Request } from "../../contract/operation.js";
import { unknownValuesHeader } from "../../contract/structured-field.js";
import { facetSummary } from "../../formats/aggregation/facet-summary.js";
import { attachment, catalogueName, operationAddress } from "../../formats/catalogue.js";
import { csvTable, parquetTable, record } from "../../formats/records.js";
import { byteStream } from "../../formats/streams/byte-stream.js";
import { oneBatch } from "../../formats/streams/one-batch.js";
import { catalogueSource } from "../catalogues/catalogue-search.js";
import { clientKey } from "../common/client-key.js";
import { askedForm, FORM_HEADERS } from "../common/content-negotiation.js";
import { taggedReply } from "../common/tagged-reply.js";
import { owningCaller, withFlavour } from "../flavours/requested-flavour.js";
import type { Services } from "../services.js";
import { listCaching } from "./list-caching.js";
import { exportListed, listedGroups } from "./listed-groups.js";
import { tellSearch } from "./searched.js";
import { checkValues } from "./unknown-values.js";
import { guardNames } from "./user-name-guard.js";
import { whyAddress, whyEmpty, whyLink } from "./why-link.js";

const TYPES = {
  json: "application/json",
  csv: "text/csv",
  parquet: "application/vnd.apache.parquet",
} as const;

/** Documents of a page. */
const PAGE = { usual: 100, most: 10_000 };

type Asked = Request<"searchExtended">;
type Extended = Omit<Asked, "path"> & {
  readonly path: Omit<Asked["path"], "flavour"> & { readonly flavour: Flavour };
};

/** Documents with chosen fields: a page of them with the counts of all, or all of them as a table. */
export function searchExtended(services: Services): Handler<"searchExtended"> {
  return async (asked) => {
    const { form, request } = askedForm(await withFlavour(asked, services), TYPES);
    const { path, query, principal } = request;
    const fields = chosenFields({ path, query });
    const facets = query.facets === undefined ? [] : countedFacets({ path, query });
    refuseUnfit(form, query);
    guardNames([...fields.map(({ field }) => field), ...facets], principal);
    const search = buildSearch({ path, query });
    return form === "json"
      ? page(request, services, { search, fields, facets })
      : table(request, services, { search, fields, form });
  };
}

/** @throws InvalidParameters for what is said of another form of the answer */
function refuseUnfit(form: keyof typeof TYPES, query: Asked["query"]): void {
  const { limit, after, facets } = query;
  if (form === "json") {
    if (limit !== undefined && limit > PAGE.most) {
      throw invalidParameter("limit", `must be at most ${PAGE.most}`);
    }
    // Of a page all is counted, which of complete groups Solr cannot.
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

const cachingOf = (request: Extended, services: Services): Readonly<Record<string, string>> => {
  const caching = listCaching(request, services);
  const vary = [FORM_HEADERS.Vary, ...(caching.Vary === undefined ? [] : [caching.Vary])];
  return { ...caching, Vary: vary.join(", ") };
};

interface PageSearch {
  readonly search: FacetSearch;
  readonly fields: readonly ChosenField[];
  readonly facets: readonly CountedField[];
}

async function page(request: Extended, services: Services, { search, fields, facets }: PageSearch) {
  const { path, query, signal } = request;
  const { solr } = services;
  const client = { clientKey: clientKey(request), signal };
  const check = checkValues(search, solr, client, facets);
  const part: PagePart = {
    // What comes next goes by the file.
    fields: seenFields(
      [...new Set([...fields.map(({ field }) => field), "file"])],
      services.rights,
    ),
    rows: query.limit ?? PAGE.usual,
    behind: query.after === undefined ? undefined : readAfter(query.after),
  };
  const found = await solr.page(search, { facets, part, ...client });
  tellSearch(request, search, found.total > 0);
  const unknown = await check({ isFound: found.total > 0, counts: found.counts });
  const why = found.total === 0 ? whyAddress(request) : undefined;
  const shown = await visiblePage(request, services, { search, part, found });
  const last = shown.hasMore ? shown.documents.at(-1)?.file : undefined;
  const after = last === undefined ? null : afterText(String(last));
  const shape = {
    ...facetSummary(found, path.flavour, query.translate, { unknown, why }),
    documents: shown.documents.map((document) => record(document, fields)),
    ...{ after, next: after && nextAddress(request, after) },
  };
  const told = { ...unknownValuesHeader(unknown), ...(why && whyLink(why)) };
  const headers = { ...told, ...cachingOf(request, services) };
  return taggedReply(request, shape, headers);
}

interface Shown {
  readonly documents: readonly SolrDocument[];
  readonly hasMore: boolean;
}

/**
 * What of a page its caller sees. The next one begins behind what was shown, never behind what is hidden, whose path would
 * be told so; of what is hidden altogether the next is read at once.
 */
async function visiblePage(
  request: Extended,
  { solr, rights }: Services,
  { search, part, found }: { search: FacetSearch; part: PagePart; found: Page },
): Promise<Shown> {
  if (!rights?.hides) return found;
  const owner = owningCaller(request);
  const client = { clientKey: clientKey(request), signal: request.signal };
  for (let { documents, hasMore } = found; ; ) {
    const visible: SolrDocument[] = [];
    for await (const some of seen(oneBatch(documents), owner, rights)) visible.push(...some);
    const last = documents.at(-1)?.file;
    if (visible.length > 0 || !hasMore || last === undefined)
      return { documents: visible, hasMore };
    const next = { ...part, behind: String(last) };
    ({ documents, hasMore } = await solr.page(search, { facets: [], part: next, ...client }));
  }
}

function nextAddress(request: Extended, after: string): string {
  const source = catalogueSource(request);
  const { fields, facets, limit } = request.query;
  const options = {
    ...source.options,
    ...(fields && { fields: fields.join(",") }),
    ...(facets && { facets: facets.join(",") }),
    ...(limit !== undefined && { limit: String(limit) }),
    ...{ after, format: "json" },
  };
  return operationAddress({ ...source, options }, "extended-search");
}

interface TableSearch extends Omit<PageSearch, "facets"> {
  readonly form: "csv" | "parquet";
}

async function table(request: Extended, services: Services, { search, fields, form }: TableSearch) {
  const { path, query, signal } = request;
  const { solr, rights } = services;
  const client = { clientKey: clientKey(request), signal };
  const check = checkValues(search, solr, client);
  // Solr exports nothing of which a document has none; and the key is in every one.
  const names = [...new Set([...fields.map(({ field }) => field), path.uniq_key])];
  const options = { fields: seenFields(names, rights), start: 0, ...client };
  const groups = await listedGroups(request, search, services, client);
  const documents = await exportListed(solr, search, options, groups);
  tellSearch(request, search, !documents.isEmpty);
  const unknown = unknownValuesHeader(await check({ isFound: !documents.isEmpty }));
  const visible = atMost(seen(documents, owningCaller(request), rights), query.limit);
  const name = attachment(`${catalogueName(catalogueSource(request))}.${form}`);
  const told = { ...unknown, ...(documents.isEmpty && whyEmpty(request, groups)) };
  const headers = { ...told, ...cachingOf(request, services), "Content-Disposition": name };
  const pieces = form === "csv" ? csvTable(visible, fields) : parquetTable(visible, fields);
  return { status: 200, type: TYPES[form], headers, body: byteStream(pieces, 1) } as const;
}

/** The first of them. @param limit undefined for all */
function atMost(batches: DocumentBatches, limit: number | undefined): DocumentBatches {
  return limit === undefined ? batches : first(batches, limit);
}

async function* first(batches: DocumentBatches, limit: number) {
  let left = limit;
  for await (const documents of batches) {
    yield documents.slice(0, left);
    left -= documents.length;
    if (left <= 0) return;
  }
}
