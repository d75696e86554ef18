/** Formats groups of files as the answer on completeness. */
import type { components } from "../../../../generated/openapi.js";
import type { Groups } from "../../../domain/completeness/groups.js";
import { SECOND } from "../../../domain/extent/durations.js";
import type { Interval } from "../../../domain/extent/intervals.js";
import { type CatalogueSource, operationAddress } from "../catalogue.js";
import { timestamp } from "./timestamps.js";

type Complete = components["schemas"]["Complete"];

/** `to` is the last second, as in all answers. */
const gap = ({ start, end }: Interval) => ({ from: timestamp(start), to: timestamp(end - SECOND) });

/**
 * @param near number of incomplete groups to list
 * @param source the search, with its groups
 */
export function complete(groups: Groups, near: number, source: CatalogueSource): Complete {
  const names = groups.groupBy.map(({ name }) => name);
  const named = (values: readonly string[]): Record<string, string> =>
    Object.fromEntries(names.map((name, index) => [name, values[index] ?? ""]));
  return {
    group_by: names,
    needs: groups.needs.map(({ text, on, from, to }) => ({
      need: text,
      on: on.map((place) => names[place] ?? ""),
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
