/** Lists of all results of a search, or only of files that belong to complete groups. */
import { groupQuery } from "../../../domain/completeness/group-query.js";
import type { Groups } from "../../../domain/completeness/groups.js";
import { type RequirementInput, requirementOf } from "../../../domain/completeness/requirement.js";
import type { FacetSearch } from "../../../domain/search/search.js";
import { type SolrDocument, without } from "../../../index/export/document-batch.js";
import type { DocumentBatches } from "../../../index/export/export.js";
import type { Export } from "../../../index/export/export-admission.js";
import type { ExportOptions } from "../../../index/export/segments.js";
import type { SearchClient } from "../../../index/query/query-admission.js";
import { nonEmpty } from "../../access/visibility.js";
import type { Services } from "../services.js";

/**
 * The complete groups whose files are listed; undefined if the request does not ask for groups. The groups come from the
 * index version that was current when they were computed. Files added since then appear in the list if their group was
 * already complete; groups that became complete since then do not.
 */
export async function listedGroups(
  input: RequirementInput,
  search: FacetSearch,
  { solr }: Pick<Services, "solr">,
  client: SearchClient,
): Promise<Groups | undefined> {
  const requirement = requirementOf(input, search);
  return requirement && solr.scan("groups", groupQuery(search, requirement), client);
}

/** All results, or only the files of the complete groups if groups are given. */
export async function exportListed(
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
export async function countListed(
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

const NOTHING: Export = {
  isEmpty: true,
  async *[Symbol.asyncIterator]() {},
};

const within = (search: FacetSearch, groups: Groups): FacetSearch => ({
  ...search,
  filters: [...search.filters, ...groups.filters],
});

type Batches = AsyncGenerator<readonly SolrDocument[], void, undefined>;

async function* ofGroups(batches: DocumentBatches, groups: Groups): Batches {
  for await (const documents of batches) {
    const listed = documents.filter((document) => groups.has(document));
    if (listed.length > 0) yield listed;
  }
}
