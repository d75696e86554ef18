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
  // By a format, not by a reference: clients would fetch the schema from another host, and drop all properties without it.
  geometry: { title: "Region of the data", format: "geometry-any" },
  datetime: { title: "Period of the data", ...INSTANT },
  start_datetime: { title: "Start of the period", ...INSTANT },
  end_datetime: { title: "End of the period", ...INSTANT },
  created: { title: "When the first file came into the catalogue", ...INSTANT },
  updated: { title: "When a file was changed last", ...INSTANT },
  dataset_id: { title: "Name of the dataset, without version", type: "string" },
  latest: { title: "Whether it is the newest version", type: "boolean" },
  access: { title: "How this service gives the files", type: "string", enum: [WEB_ACCESS] },
  retracted: { title: "Whether the data were withdrawn", type: "boolean" },
};

/** Properties with values of fields that are not facets of a standard. */
const OTHERS: Readonly<Record<string, { readonly field: string; readonly title: string }>> = {
  project: { field: "project", title: "Project" },
  version: { field: "version", title: "Version" },
  "alternate:name": { field: "fs_type", title: "Store of the files" },
};

export const listedFields = (projects: readonly string[]): readonly string[] => [
  ...new Set([
    ...projects.flatMap((project) => itemFacets(project).map(({ facet }) => facet)),
    ...Object.values(OTHERS).map(({ field }) => field),
    ...ITEM_DETAILS,
  ]),
];

/** Projects whose properties have the same names, and the values of these. */
export interface NamedValues {
  readonly projects: readonly string[];
  /** By field, as written; a field with too many is missing. */
  readonly values: ReadonlyMap<string, readonly string[]>;
}

/** @param parts the first one has the values of the properties that all items have */
export function queryablesJson(
  address: string,
  parts: readonly NamedValues[],
  isOpen: boolean,
): StacSchema {
  const text = (title: string, values: readonly string[] = []): object => {
    const isShort = values.length > 0 && values.length < MAX_LISTED;
    return { title, type: "string", ...(isShort && { enum: values }) };
  };
  const properties: Record<string, object> = { ...COMMON };
  const common = parts[0]?.values;
  for (const [name, { field, title }] of Object.entries(OTHERS)) {
    properties[name] = text(title, common?.get(field));
  }
  for (const { projects, values } of parts) {
    for (const { facet, name } of projects.flatMap(itemFacets)) {
      properties[name] ??= text(FACETS[facet].description, values.get(facet));
    }
  }
  for (const field of ITEM_DETAILS) {
    properties[field] = text(DETAILS[field].description, common?.get(field));
  }
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: `${address}/queryables`,
    type: "object",
    title: "Properties that filters can compare",
    properties,
    additionalProperties: isOpen,
  };
}
