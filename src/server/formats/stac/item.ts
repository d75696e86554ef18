/** Converts a document into a STAC 1.1 item. Source: STAC specification 1.1.0, item-spec. */
import { hash } from "node:crypto";
import { literally } from "../../../domain/search/lucene.js";
import { fileName } from "../../../domain/text/file-name.js";
import { MEDIA_TYPES, STREAMED } from "../../../domain/vocabulary/data-formats.js";
import type { SolrDocument } from "../../../index/export/document-batch.js";
import { type CatalogueSource, type Column, plain, valuesOf } from "../catalogue.js";
import { httpLocation, LOCATION_FIELDS } from "../download/addresses.js";
import {
  type Box,
  bboxArray,
  geometry,
  type Interval,
  isBeyondYears,
  readBox,
  readInterval,
  wholeInterval,
} from "./extent.js";

export const STAC_VERSION = "1.1.0";

/** Media types of entries that are more or less than one file of data. */
const OTHER_TYPES: Readonly<Record<string, string>> = {
  json: "application/json",
  tar: "application/x-tar",
};

/**
 * Fields of the CMIP6 extension, by facet. The extension is not declared: it requires fields
 * that the index does not have, and its own ids.
 */
const CMIP6_FIELDS: readonly (readonly [facet: string, name: string, list: boolean])[] = [
  ["project", "cmip6:mip_era", false],
  ["product", "cmip6:activity_id", true],
  ["institute", "cmip6:institution_id", false],
  ["model", "cmip6:source_id", false],
  ["experiment", "cmip6:experiment_id", false],
  ["ensemble", "cmip6:member_id", false],
  ["time_frequency", "cmip6:frequency", false],
  ["realm", "cmip6:realm", true],
  ["variable", "cmip6:variable_id", false],
  ["cmor_table", "cmip6:table_id", false],
  ["grid_label", "cmip6:grid_label", false],
];
/** A member of CMIP6: an optional sub-experiment and a variant. */
export const MEMBER = /^(?:(s\d+)-)?(r\d+i\d+p\d+f\d+)$/;

/** Adds the fields of the CMIP6 extension, if the document is of CMIP6. */
function addCmip6(properties: Record<string, unknown>, document: SolrDocument): void {
  if (!valuesOf(document, "project").some((value) => value.toLowerCase() === "cmip6")) return;
  for (const [facet, name, list] of CMIP6_FIELDS) {
    const values = valuesOf(document, facet);
    if (list && values.length > 0) properties[name] = values;
    else if (values.length === 1) properties[name] = values[0];
  }
  const member = MEMBER.exec(String(properties["cmip6:member_id"] ?? ""));
  if (member !== null) {
    properties["cmip6:variant_label"] = member[2];
    properties["cmip6:sub_experiment_id"] = member[1] ?? "none";
  }
}

const MAX_STEM = 120;

/** A unique identifier, stable across catalogues and safe in addresses and paths. */
function itemId(file: string): string {
  const stem = plain((file.split(/[/\\]/).at(-1) ?? "").replace(/\.(nc4?|zarr|gri?b2?)$/i, ""));
  const digest = hash("sha256", file, "hex").slice(0, 16);
  return stem === "" ? digest : `${stem.slice(0, MAX_STEM)}-${digest}`;
}

const OVER_HTTP = "Data, over HTTP (needs an access token unless they are public)";

function assets(document: SolrDocument, location: string, source: CatalogueSource) {
  const { api, flavour, key, isHttp } = source;
  const format = String(document.format ?? "").toLowerCase();
  const type = MEDIA_TYPES[format] ?? OTHER_TYPES[format];
  const query = new URLSearchParams({ [key]: literally(location), ...source.options });
  return {
    data: {
      href: isHttp ? httpLocation(document, source) : location,
      title: isHttp ? OVER_HTTP : key === "uri" ? "Data, by its URI" : "Data, by its path",
      ...(type !== undefined && { type }),
      roles: ["data"],
    },
    intake: {
      href: `${api}/databrowser/intake-catalogue/${flavour.name}/${key}?${query}`,
      title: "intake-esm catalogue of this entry",
      type: "application/json",
      roles: ["metadata"],
    },
    ...(STREAMED.has(format) &&
      String(document.fs_type).toLowerCase() === "posix" && {
        zarr: {
          href: source.stream(String(document.file)),
          title: "Data, as a zarr stream (needs an access token)",
          type: "application/vnd+zarr",
          roles: ["data"],
        },
      }),
  };
}

interface Item {
  readonly id: string;
  readonly json: object;
  readonly box: Box | undefined;
  /** Undefined for a fixed field; the item then covers all times. */
  readonly interval: Interval | undefined;
}

const LINKS = [
  { rel: "root", href: "../../catalog.json", type: "application/json" },
  { rel: "parent", href: "../collection.json", type: "application/json" },
  { rel: "collection", href: "../collection.json", type: "application/json" },
];

export const ITEM_FIELDS = [...LOCATION_FIELDS, "time_raw", "bbox"];

export function item(
  document: SolrDocument,
  columns: readonly Column[],
  source: CatalogueSource,
  collection: string,
): Item {
  const file = String(document.file);
  const id = itemId(file);
  const box = readBox(document.bbox);
  const interval = readInterval(document.time_raw);
  const period = wholeInterval(interval);
  const properties: Record<string, unknown> = {
    title: fileName(file) || file,
    datetime: null,
    start_datetime: period.start,
    end_datetime: period.end,
    // The whole period, if the dates above were limited.
    ...(isBeyondYears(document.time_raw) && { time: document.time_raw }),
  };
  for (const { field, name, single } of columns) {
    const values = valuesOf(document, field);
    if (values.length > 0) properties[name] = single ? values[0] : values;
  }
  addCmip6(properties, document);
  const json = {
    type: "Feature",
    stac_version: STAC_VERSION,
    stac_extensions: [],
    id,
    ...(box && { bbox: bboxArray(box) }),
    geometry: box ? geometry(box) : null,
    properties,
    links: LINKS,
    assets: assets(document, String(document[source.key]), source),
    collection,
  };
  return { id, json, box, interval };
}
