/** A project as a STAC collection (STAC 1.1.0, collection specification), and the properties that filters can compare. */
import { ITEM_DETAILS, itemFacets, WEB_ACCESS } from "../../../domain/stac/properties.js";
import { DETAILS } from "../../../domain/vocabulary/details.js";
import { FACETS } from "../../../domain/vocabulary/facets.js";
import { Extent, FIRST_INSTANT, LAST_INSTANT, readBox, withinYears } from "../stac/extent.js";
import { STAC_VERSION } from "../stac/item.js";
import {
  aggregationLinks,
  collectionAddress,
  GEOJSON,
  JSON_TYPE,
  link,
  queryablesLink,
  rootLink,
  type StacCollection,
  type StacSchema,
  TITLE,
} from "./links.js";

export interface CollectionFacts {
  /** As most documents write it. */
  readonly id: string;
  readonly datasets: number;
  /** Solr dates; undefined if no file has a period. */
  readonly start: string | undefined;
  readonly end: string | undefined;
  /** As stored. */
  readonly boxes: readonly string[];
  /** Values by field, as written; fields with many are missing. */
  readonly values?: ReadonlyMap<string, readonly string[]>;
}

/** The values of the properties that have few. */
function summaries({ id, values = new Map() }: CollectionFacts): Record<string, readonly string[]> {
  const listed: Record<string, readonly string[]> = {};
  for (const { facet, name } of itemFacets(id)) {
    const known = values.get(facet) ?? [];
    if (known.length > 0) listed[name] = known;
  }
  return listed;
}

export function collectionJson(facts: CollectionFacts, root: string): StacCollection {
  const extent = new Extent();
  for (const text of facts.boxes) extent.add(readBox(text), undefined);
  const address = collectionAddress(root, facts.id);
  const start = withinYears(facts.start) ?? FIRST_INSTANT;
  const end = withinYears(facts.end) ?? LAST_INSTANT;
  return {
    type: "Collection",
    stac_version: STAC_VERSION,
    stac_extensions: [],
    id: facts.id,
    title: facts.id,
    description: `The datasets of the project ${facts.id} in this catalogue: ${facts.datasets}.`,
    license: "other",
    ...(facts.values && { summaries: summaries(facts) }),
    extent: { spatial: { bbox: [extent.bbox()] }, temporal: { interval: [[start, end]] } },
    links: [
      link("self", address, JSON_TYPE, facts.id),
      link("parent", root, JSON_TYPE, TITLE),
      rootLink(root),
      link("items", `${address}/items`, GEOJSON, `Datasets of ${facts.id}`),
      queryablesLink(address),
      ...aggregationLinks(address),
    ],
  };
}

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

/**
 * The properties that filters can compare, as a JSON Schema. Source: OGC 19-079r2, 6.2; STAC API filter extension.
 *
 * @param parts the first one has the values of the properties that all items have
 */
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
