/** The search of a request as the origin of lists, and its links to operations that say more about it. */
import type { Groups } from "../../../domain/completeness/groups.js";
import type { RequirementInput } from "../../../domain/completeness/requirement.js";
import type { SearchInput } from "../../../domain/search/search.js";
import { datasetId } from "../../../files/zarr/address.js";
import type { Caller } from "../../contract/caller.js";
import { type CatalogueSource, operationAddress } from "../../formats/catalogue.js";
import { apiRoot, zarrAddress } from "../../formats/download/addresses.js";

/** A search, as a list of its results describes it. */
export interface SourceRequest {
  readonly path: SearchInput["path"];
  readonly query: SearchInput["query"] &
    RequirementInput["query"] & {
      readonly location?: "https" | undefined;
      readonly zarr_format?: "2" | "3" | undefined;
    };
  readonly caller: Caller;
}

/** The origin of a catalogue: the search of the request, without its offset and limit. */
export function catalogueSource({ path, query, caller }: SourceRequest): CatalogueSource {
  const lists = { ...query.filters, time: query.time, bbox: query.bbox };
  const options = {
    ...(query.time_select !== "flexible" && { time_select: query.time_select }),
    ...(query.bbox_select !== "flexible" && { bbox_select: query.bbox_select }),
    ...(query["multi-version"] && { "multi-version": "true" }),
    ...(!query.translate && { translate: "false" }),
  };
  const { group_by, need, require_all_on } = query;
  return {
    flavour: path.flavour,
    key: path.uniq_key,
    translate: query.translate,
    multiVersion: query["multi-version"],
    filters: pairsOf(lists),
    options,
    groups: pairsOf({ group_by, need, require_all_on }),
    isHttp: query.location === "https",
    api: apiRoot(caller.base),
    stream: (file) => zarrAddress(caller.base, datasetId(file), query.zarr_format === "3" ? 3 : 2),
  };
}

const pairsOf = (lists: Readonly<Record<string, readonly string[] | undefined>>) =>
  Object.entries(lists).flatMap(([key, values = []]) =>
    values.map((value) => [key, value] as const),
  );

/** The addresses of further values of facets. @param choices whether each facet is counted without its own restriction */
export function nextValues(request: SourceRequest, choices = false) {
  const source = catalogueSource(request);
  return (facet: string, after: string): string => {
    const chosen = { facets: facet, values_after: after, ...(choices && { choices: "true" }) };
    return operationAddress(source, "searchMetadata", chosen);
  };
}

/** Characters of a header field: with all headers together, an answer must still pass proxies that keep 4 KiB for them. */
const MAX_LINK = 1024;

/** The address of the same search as the operation that explains it, or that says what its groups lack. */
export const whyAddress = (request: SourceRequest, ofGroups = false): string =>
  operationAddress(catalogueSource(request), ofGroups ? "findComplete" : "explain");

/** The header of a list without files: it leads to what its groups lack if there are any, else to the explanation. */
export const whyEmpty = (
  request: SourceRequest,
  groups: Pick<Groups, "count"> | undefined,
): Readonly<Record<string, string>> =>
  whyLink(whyAddress(request, groups !== undefined && groups.count > 0));

/** The header `Link` (RFC 8288) to an address; none if the address is too long for a header. */
export function whyLink(address: string): Readonly<Record<string, string>> {
  const link = `<${address}>; rel="help"`;
  return link.length > MAX_LINK ? {} : { Link: link };
}
