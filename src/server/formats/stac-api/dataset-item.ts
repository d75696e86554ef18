/** A dataset as a STAC item. Sources: STAC 1.1.0, item specification; the dialect of ESGF's clients (docs/stac-api.md). */
import { FIRST, LAST } from "../../../domain/cql2/temporal-clauses.js";
import type { ItemFacts } from "../../../domain/stac/item-facts.js";
import {
  CITED_PROJECT,
  ITEM_DETAILS,
  itemFacets,
  WEB_ACCESS,
} from "../../../domain/stac/properties.js";
import { versioned } from "../../../domain/vocabulary/versioned.js";
import { lastTimestamp, timestamp } from "../aggregation/timestamps.js";
import { apiRoot } from "../download/addresses.js";
import {
  bboxArray,
  Extent,
  FIRST_INSTANT,
  geometry,
  LAST_INSTANT,
  readBox,
} from "../stac/extent.js";
import { MEMBER, STAC_VERSION } from "../stac/item.js";
import { assetsOf, filesQuery } from "./assets.js";
import {
  collectionAddress,
  GEOJSON,
  itemAddress,
  JSON_TYPE,
  link,
  rootLink,
  type StacItem,
  stacRoot,
} from "./links.js";

/** The collection of an item: its project, the first one if there are several. */
const collectionOf = ({ values }: ItemFacts): string => values.get("project")?.[0] ?? "";

export const idOf = ({ name, version }: ItemFacts): string => versioned(name, version) ?? name;

/** Both ends, as items require; limited to the years 1 to 9999. */
function periodOf({ start, end }: Pick<ItemFacts, "start" | "end">) {
  const isEarly = start <= FIRST;
  const isLate = end > LAST;
  return {
    start_datetime: isEarly ? FIRST_INSTANT : start > LAST ? LAST_INSTANT : timestamp(start),
    end_datetime: isLate
      ? LAST_INSTANT
      : end <= FIRST
        ? FIRST_INSTANT
        : lastTimestamp({ start, end }),
  };
}

/** One value as it is, several as a list. */
const oneOrMore = (values: readonly string[]): string | readonly string[] =>
  values.length === 1 ? (values[0] ?? "") : values;

/** One box around all, and its geometry; of a dataset without boxes neither. */
function extentOf(boxes: readonly string[]) {
  const known = boxes.flatMap((text) => readBox(text) ?? []);
  const [first] = known;
  if (first === undefined) return { geometry: null };
  const extent = new Extent();
  for (const box of known) extent.add(box, undefined);
  const [west = 0, south = 0, east = 0, north = 0] =
    known.length === 1 ? bboxArray(first) : extent.bbox();
  return {
    bbox: [west, south, east, north],
    geometry: geometry({ west, south, east, north }),
  };
}

/** CMIP6 names the variant beside the member; clients read both. */
function addVariant(properties: Record<string, unknown>): void {
  const [, , variant] = MEMBER.exec(String(properties["cmip6:member_id"] ?? "")) ?? [];
  if (variant !== undefined) properties["cmip6:variant_label"] = variant;
}

/** The address of a CMIP6 dataset's citation, as ESGF's publisher writes it; undefined for other data. */
function citationOf({ values, version }: ItemFacts, id: string): string | undefined {
  const isCited = values.get("project")?.some((one) => one.toLowerCase() === CITED_PROJECT);
  if (!isCited || version === "") return undefined;
  return `https://cera-www.dkrz.de/WDCC/meta/CMIP6/${encodeURIComponent(id)}.json`;
}

/** @param latest whether searches find this version */
export function datasetItem(facts: ItemFacts, latest: boolean, base: string): StacItem {
  const root = stacRoot(base);
  const [collection, id] = [collectionOf(facts), idOf(facts)];
  const { assets, extensions } = assetsOf(facts, latest, base);
  const citation = citationOf(facts, id);
  const properties: Record<string, unknown> = {
    title: facts.name,
    datetime: null,
    ...periodOf(facts),
    ...(facts.created !== undefined && { created: facts.created }),
    ...(facts.updated !== undefined && { updated: facts.updated }),
    project: oneOrMore(facts.values.get("project") ?? []),
    dataset_id: facts.name,
    ...(facts.version !== "" && { version: facts.version }),
    latest,
    retracted: facts.isRetracted,
    files: facts.files,
    ...(facts.sizedFiles === facts.files && { size: facts.bytes }),
    ...(facts.isServed && { access: [WEB_ACCESS] }),
    ...(citation !== undefined && { citation_url: citation }),
  };
  for (const { facet, name } of itemFacets(collection)) {
    const values = facts.values.get(facet) ?? [];
    if (values.length > 0) properties[name] = oneOrMore(values);
  }
  addVariant(properties);
  for (const field of ITEM_DETAILS) {
    const values = facts.values.get(field) ?? [];
    if (values.length > 0) properties[field] = oneOrMore(values);
  }
  const parent = collectionAddress(root, collection);
  const listed = filesQuery(facts, latest);
  return {
    type: "Feature",
    stac_version: STAC_VERSION,
    stac_extensions: [...extensions],
    id,
    ...extentOf(facts.boxes),
    properties,
    links: [
      link("self", itemAddress(root, collection, id), GEOJSON, facts.name),
      link("parent", parent, JSON_TYPE, collection),
      link("collection", parent, JSON_TYPE, collection),
      rootLink(root),
      ...(citation === undefined
        ? []
        : [link("cite-as", citation, JSON_TYPE, "How to cite this dataset")]),
      link(
        "via",
        `${apiRoot(base)}/databrowser/datasets/native?${listed}`,
        JSON_TYPE,
        "What the files of this dataset cover",
      ),
    ],
    assets,
    collection,
  };
}
