/** The properties that filters can compare, as a JSON Schema. Source: OGC 19-079r2, 6.2; STAC API filter extension. */

import { ITEM_DETAILS, itemFacets, WEB_ACCESS } from "../../../domain/stac/properties.js";
import { DETAILS } from "../../../domain/vocabulary/details.js";
import { FACETS } from "../../../domain/vocabulary/facets.js";
import type { StacSchema } from "./links.js";

/** Values that are listed; a property with as many or more lists none. */
export const MAX_LISTED = 200;

const INSTANT = { type: "string", format: "date-time" };

const COMMON: Readonly<Record<string, object>> = {
  id: { title: "Id of the item", type: "string" },
  collection: { title: "Collection", type: "string" },
  geometry: { title: "Region of the data", $ref: "https://geojson.org/schema/Geometry.json" },
  datetime: { title: "Period of the data", ...INSTANT },
  start_datetime: { title: "Start of the period", ...INSTANT },
  end_datetime: { title: "End of the period", ...INSTANT },
  created: { title: "When the first file came into the catalogue", ...INSTANT },
  updated: { title: "When a file was changed last", ...INSTANT },
  dataset_id: { title: "Name of the dataset, without version", type: "string" },
  latest: { title: "Whether it is the newest version", type: "boolean" },
  access: { title: "How this service gives the files", type: "string", enum: [WEB_ACCESS] },
  citation_url: { title: "How to cite the dataset", type: "string", format: "uri" },
  retracted: { title: "Whether the data were withdrawn", type: "boolean" },
};

/** Properties with values of fields that are not facets of a standard. */
const OTHERS: Readonly<Record<string, { readonly field: string; readonly title: string }>> = {
  project: { field: "project", title: "Project" },
  version: { field: "version", title: "Version" },
  "alternate:name": { field: "fs_type", title: "Store of the files" },
};

/** The fields whose values are listed. */
export const listedFields = (projects: readonly string[]): readonly string[] => [
  ...new Set([
    ...projects.flatMap((project) => itemFacets(project).map(({ facet }) => facet)),
    ...Object.values(OTHERS).map(({ field }) => field),
    ...ITEM_DETAILS,
  ]),
];

/** @param values by field, as written; a field with too many is missing */
export function queryablesJson(
  address: string,
  projects: readonly string[],
  values: ReadonlyMap<string, readonly string[]>,
  isOpen: boolean,
): StacSchema {
  const text = (title: string, field: string): object => {
    const known = values.get(field) ?? [];
    const isShort = known.length > 0 && known.length < MAX_LISTED;
    return { title, type: "string", ...(isShort && { enum: known }) };
  };
  const properties: Record<string, object> = { ...COMMON };
  for (const [name, { field, title }] of Object.entries(OTHERS)) {
    properties[name] = text(title, field);
  }
  for (const project of projects) {
    for (const { facet, name } of itemFacets(project)) {
      properties[name] ??= text(FACETS[facet].description, facet);
    }
  }
  for (const field of ITEM_DETAILS) properties[field] = text(DETAILS[field].description, field);
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: address,
    type: "object",
    title: "Properties that filters can compare",
    properties,
    additionalProperties: isOpen,
  };
}
