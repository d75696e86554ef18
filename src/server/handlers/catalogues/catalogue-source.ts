import type { RequirementInput } from "../../../domain/completeness/requirement.js";
import type { SearchInput } from "../../../domain/search/search.js";
import { datasetId } from "../../../files/zarr/address.js";
import type { Caller } from "../../contract/caller.js";
import type { CatalogueSource } from "../../formats/catalogue.js";
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
  const filters = Object.entries(lists).flatMap(([key, values = []]) =>
    values.map((value) => [key, value] as const),
  );
  const options = {
    ...(query.time_select !== "flexible" && { time_select: query.time_select }),
    ...(query.bbox_select !== "flexible" && { bbox_select: query.bbox_select }),
    ...(query["multi-version"] && { "multi-version": "true" }),
    ...(!query.translate && { translate: "false" }),
  };
  const { group_by, need, require_all_on } = query;
  const groups = Object.entries({ group_by, need, require_all_on }).flatMap(([key, values = []]) =>
    values.map((value) => [key, value] as const),
  );
  return {
    flavour: path.flavour,
    key: path.uniq_key,
    translate: query.translate,
    multiVersion: query["multi-version"],
    filters,
    options,
    groups,
    isHttp: query.location === "https",
    api: apiRoot(caller.base),
    stream: (file) => zarrAddress(caller.base, datasetId(file), query.zarr_format === "3" ? 3 : 2),
  };
}
