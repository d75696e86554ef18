/** Lists of what is found, or of that part of it which is of complete groups. */

import { groupQuestion } from "../../../domain/completeness/group-query.js";
import type { Groups } from "../../../domain/completeness/groups.js";
import { type RequirementInput, requirementOf } from "../../../domain/completeness/requirement.js";
import type { FacetSearch } from "../../../domain/search/search.js";
import { without } from "../../../index/export/batches.js";
import type { DocumentBatches, SolrDocument } from "../../../index/export/export.js";
import type { Export, ExportOptions } from "../../../index/export/export-admission.js";
import type { SearchClient } from "../../../index/query/query-admission.js";
import { ifAny } from "../../access/visibility.js";
import type { Services } from "../services.js";

/**
 * The groups whose files are to be listed; undefined where all that is found is. They are those of the version of the
 * index in which they were last looked at: of what is written between that and the list, files of these groups
 * come into the list, groups that become complete do not.
 *
 * @throws InvalidParameters, TooManyResults, and what a search throws
 */
export async function listedGroups(
  input: RequirementInput,
  search: FacetSearch,
  { solr }: Pick<Services, "solr">,
  client: SearchClient,
): Promise<Groups | undefined> {
  const requirement = requirementOf(input, search);
  return requirement && solr.completeGroups(groupQuestion(search, requirement), client);
}

/** Everything that is found, or, where groups are given, of it the files of the complete ones. @throws as Solr.export */
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
  const listed = await ifAny(without(options.start, ofGroups(found, groups)));
  return listed === undefined ? NOTHING : { ...listed, isEmpty: false };
}

/**
 * How many files of the complete groups there are.
 *
 * @param limit beyond which they have to be counted exactly, which reads them all; below 0 none. What is given for
 *   fewer may be more than there are
 */
export async function countListed(
  solr: Services["solr"],
  search: FacetSearch,
  groups: Groups,
  limit: number,
  client: SearchClient,
): Promise<number> {
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
