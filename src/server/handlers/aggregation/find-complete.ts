import type { components } from "../../../../generated/openapi.js";
import { groupQuery } from "../../../domain/completeness/group-query.js";
import type { Groups } from "../../../domain/completeness/groups.js";
import { requirementOf, withNeededValues } from "../../../domain/completeness/requirement.js";
import { invalidParameter } from "../../../domain/errors.js";
import { SECOND } from "../../../domain/extent/durations.js";
import type { Interval } from "../../../domain/extent/intervals.js";
import { unknownValuesHeader } from "../../contract/structured-field.js";
import { timestamp } from "../../formats/aggregation/timestamps.js";
import { type CatalogueSource, operationAddress } from "../../formats/catalogue.js";
import { catalogueSource } from "../catalogues/catalogue-source.js";
import { taggedReply } from "../common/tagged-reply.js";
import { withFlavour } from "../flavours/requested-flavour.js";
import { recordSearch, searchOf } from "../search/requested-search.js";
import { checkValues } from "../search/unknown-values.js";
import type { Handler } from "../services.js";

/** Finds the complete groups of files, and what the others lack. */
export const findComplete: Handler<"findComplete"> = async (received, services) => {
  const request = await withFlavour(received, services);
  const { search, client } = searchOf(request);
  const requirement = requirementOf(request, search);
  if (requirement === undefined) {
    const reason = "is required, unless require_all_on is given";
    throw invalidParameter("group_by", reason);
  }
  const { solr } = services;
  const check = checkValues(withNeededValues(request, search), solr, client);
  const groups = await solr.scan("groups", groupQuery(search, requirement), client);
  recordSearch(request, search, groups.count > 0);
  const unknown = await check({ isFound: groups.complete.length > 0 });
  const answer = complete(groups, request.query.near, catalogueSource(request));
  return taggedReply(request, answer, unknownValuesHeader(unknown));
};

/** `to` is the last second, as in all answers. */
const gap = ({ start, end }: Interval) => ({ from: timestamp(start), to: timestamp(end - SECOND) });

/** @param near number of incomplete groups to list */
function complete(
  groups: Groups,
  near: number,
  source: CatalogueSource,
): components["schemas"]["Complete"] {
  const names = groups.groupBy.map(({ name }) => name);
  const named = (values: readonly string[]): Record<string, string> =>
    Object.fromEntries(names.map((name, index) => [name, values[index] ?? ""]));
  return {
    group_by: names,
    needs: groups.needs.map(({ text, on, from, to }) => ({
      need: text,
      on: on.map((index) => names[index] ?? ""),
      ...(from !== undefined && { from }),
      ...(to !== undefined && { to }),
    })),
    group_count: groups.count,
    complete_count: groups.complete.length,
    ...(groups.files !== undefined && { files: groups.files }),
    complete: groups.complete.map(named),
    near_misses: groups.near.slice(0, near).map(({ values, missing }) => ({
      group: named(values),
      missing: missing.map(({ need, gaps }) => ({ need, ...(gaps && { gaps: gaps.map(gap) }) })),
    })),
    links: {
      path_list: operationAddress(source, "searchData"),
      intake_catalogue: operationAddress(source, "createIntakeCatalogue"),
      stac_archive: operationAddress(source, "createStacCatalogue"),
    },
  };
}
