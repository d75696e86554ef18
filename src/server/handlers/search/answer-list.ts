/** Answers with a list of what a search finds, or of its complete groups: checks it, opens it in Solr, and streams it in a format. */
import { groupQuery } from "../../../domain/completeness/group-query.js";
import type { Groups } from "../../../domain/completeness/groups.js";
import {
  type RequirementInput,
  requirementOf,
  withNeededValues,
} from "../../../domain/completeness/requirement.js";
import { TooManyResults } from "../../../domain/errors.js";
import type { FacetSearch, SearchInput } from "../../../domain/search/search.js";
import { without } from "../../../index/export/document-batch.js";
import type { DocumentBatches } from "../../../index/export/export.js";
import type { Export } from "../../../index/export/export-admission.js";
import type { ExportOptions } from "../../../index/export/segments.js";
import type { FacetAggregation } from "../../../index/query/facet-aggregations.js";
import type { SearchClient } from "../../../index/query/query-admission.js";
import { nonEmpty, visibilityFields, visibleBatches } from "../../access/visibility.js";
import type { AnyRequest } from "../../contract/operation.js";
import { unknownValuesHeader } from "../../contract/structured-field.js";
import { attachment } from "../../formats/catalogue.js";
import { pieceBody } from "../../formats/streams/piece-body.js";
import type { DirectBytes } from "../../http/answer.js";
import { endUnread } from "../../http/write-pieces.js";
import { whyEmpty } from "../catalogues/catalogue-source.js";
import { listCaching } from "../common/caching.js";
import { owningCaller } from "../common/client.js";
import type { Services } from "../services.js";
import type { ListFormat } from "./list-formats.js";
import { recordSearch, searchOf } from "./requested-search.js";
import { checkValues } from "./unknown-values.js";

export interface ListRequest extends AnyRequest {
  readonly path: SearchInput["path"];
  readonly query: SearchInput["query"] & RequirementInput["query"];
}

export interface ListOptions {
  readonly start?: number;
  /** Entries after which the list ends. Only for formats that can be empty. */
  readonly limit?: number | undefined;
  /** Results above which the request is refused; negative for no bound. Only for formats that cannot be empty. */
  readonly maxResults?: number;
  /** The name of a downloaded file, without its extension. */
  readonly name?: string;
}

type Headers = Readonly<Record<string, string>>;

interface ListReply<Type extends string> {
  readonly status: 200;
  readonly type: Type;
  readonly headers: Headers;
  readonly body: DirectBytes;
}

/**
 * The answer with what a search finds and its caller may see. If Solr fails after the headers were sent, the transfer breaks
 * off, so that a short list never looks complete.
 */
export async function answerList<Type extends string>(
  request: ListRequest,
  services: Services,
  format: ListFormat<Type>,
  options: ListOptions = {},
): Promise<ListReply<Type>> {
  const { solr, rights } = services;
  const { start = 0, limit, maxResults = -1, name } = options;
  const { search, client } = searchOf(request);
  // Runs beside the other requests to Solr.
  const check = checkValues(withNeededValues(request, search), solr, client);
  // The groups come from the index version that is current now. Files added since then appear in the list if their group was
  // already complete; groups that became complete since then do not.
  const requirement = requirementOf(request, search);
  const groups =
    requirement && (await solr.completeGroups(groupQuery(search, requirement), client));
  const open = (): Promise<Export> => {
    const fields = visibilityFields(format.fields, rights);
    return exportListed(solr, search, { fields, start, ...client }, groups);
  };
  const { Nothing } = format;
  if (Nothing === undefined) {
    const documents = await open();
    const isFound = !documents.isEmpty;
    recordSearch(request, search, isFound);
    const unknown = unknownValuesHeader(
      await check({ isFound }).catch(async (error) => {
        await endUnread(documents[Symbol.asyncIterator]());
        throw error;
      }),
    );
    // A start behind the last result needs no explanation.
    const why = isFound || start > 0 ? {} : whyEmpty(request, groups);
    const visible = visibleBatches(documents, owningCaller(request), rights);
    const listed = limit === undefined ? visible : atMost(visible, limit);
    const headers = { ...unknown, ...why, ...listCaching(request, services) };
    return listReply(format, listed, headers, name);
  }
  const numbers =
    format.facets && solr.aggregateFacets({ ...search, facets: format.facets }, client);
  // It may fail before it is awaited.
  numbers?.catch(() => {});
  const count = await countListed(solr, search, groups, maxResults, client);
  recordSearch(request, search, count > 0);
  const unknown = await check({ isFound: count > 0 });
  if (count <= start) throw new Nothing(unknown);
  if (maxResults >= 0 && count > maxResults) throw new TooManyResults(count, maxResults);
  const counted = await numbers;
  // Last, as documents that are open and that nobody reads would keep a list's place.
  const documents = await open();
  // The count of complete groups is an upper bound.
  if (groups !== undefined && documents.isEmpty) throw new Nothing();
  const visible = rights?.hides
    ? await nonEmpty(visibleBatches(documents, owningCaller(request), rights))
    : documents;
  if (visible === undefined) throw new Nothing();
  const headers = { ...unknownValuesHeader(unknown), ...listCaching(request, services) };
  return listReply(format, visible, headers, name, counted);
}

/** The answer with documents that are open. @param name of a downloaded file, without its extension */
export function listReply<Type extends string>(
  { type, extension, firstPiece, write }: ListFormat<Type>,
  documents: DocumentBatches,
  headers: Headers,
  name?: string,
  numbers?: FacetAggregation,
): ListReply<Type> {
  const body = pieceBody(write(documents, numbers), firstPiece);
  const named =
    name === undefined ? {} : { "Content-Disposition": attachment(`${name}.${extension}`) };
  return { status: 200, type, headers: { ...headers, ...named }, body };
}

async function* atMost(documents: DocumentBatches, limit: number) {
  let left = limit;
  for await (const batch of documents) {
    yield batch.slice(0, left);
    left -= batch.length;
    if (left <= 0) return;
  }
}

/** All results, or only the files of the complete groups if groups are given. */
async function exportListed(
  solr: Services["solr"],
  search: FacetSearch,
  options: ExportOptions,
  groups: Groups | undefined,
): Promise<Export> {
  if (groups === undefined) return solr.export(search, options);
  if (groups.complete.length === 0) return NOTHING;
  const found = await solr.export(within(search, groups), {
    ...options,
    fields: [...new Set([...options.fields, ...groups.fields])],
    start: 0,
  });
  const listed = await nonEmpty(without(options.start, ofGroups(found, groups)));
  return listed === undefined ? NOTHING : { ...listed, isEmpty: false };
}

/**
 * The number of results, or of files in complete groups. Up to the limit, the latter can be an upper bound; above it, all files
 * are read to count them. A negative limit is none.
 */
async function countListed(
  solr: Services["solr"],
  search: FacetSearch,
  groups: Groups | undefined,
  limit: number,
  client: SearchClient,
): Promise<number> {
  if (groups === undefined) return solr.count(search, client);
  if (groups.complete.length === 0) return 0;
  if (groups.files !== undefined) return groups.files;
  const coarse = await solr.count(within(search, groups), client);
  if (limit < 0 || coarse <= limit) return coarse;
  const options = { fields: groups.fields, start: 0, ...client };
  let count = 0;
  const found = await solr.export(within(search, groups), options);
  for await (const documents of ofGroups(found, groups)) count += documents.length;
  return count;
}

/** A list of no documents. */
export const NOTHING: Export = { isEmpty: true, async *[Symbol.asyncIterator]() {} };

const within = (search: FacetSearch, groups: Groups): FacetSearch => ({
  ...search,
  filters: [...search.filters, ...groups.filters],
});

async function* ofGroups(batches: DocumentBatches, groups: Groups): DocumentBatches {
  for await (const documents of batches) {
    const listed = documents.filter((document) => groups.has(document));
    if (listed.length > 0) yield listed;
  }
}
