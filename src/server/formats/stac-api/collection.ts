/** A project as a STAC collection. Source: STAC 1.1.0, collection specification. */
import { itemFacets } from "../../../domain/stac/properties.js";
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
