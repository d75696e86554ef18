/** A document -> a STAC 1.1 item. Source: STAC specification 1.1.0, item-spec. */
import { createHash } from "node:crypto";
import type { SolrDocument } from "../../solr/export.js";
import { type CatalogueSource, type Column, plain, valuesOf } from "../catalogue.js";
import {
  type Box,
  bboxArray,
  geometry,
  type Interval,
  readBox,
  readInterval,
  wholeInterval,
} from "./extent.js";

export const STAC_VERSION = "1.1.0";

/** Media types of data, by format. */
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  nc: "application/netcdf",
  nc4: "application/netcdf",
  netcdf: "application/netcdf",
  zarr: "application/vnd+zarr",
  grb: "application/wmo-GRIB2",
  grib: "application/wmo-GRIB2",
  grb2: "application/wmo-GRIB2",
  grib2: "application/wmo-GRIB2",
  json: "application/json",
  tar: "application/x-tar",
};

/**
 * Fields of the CMIP6 extension, by facet. The extension itself is not declared: it requires much
 * that an index does not know, and ids of its own.
 */
const CMIP6_FIELDS: readonly (readonly [facet: string, name: string, list: boolean])[] = [
  ["project", "mip_era", false],
  ["product", "activity_id", true],
  ["institute", "institution_id", false],
  ["model", "source_id", false],
  ["experiment", "experiment_id", false],
  ["ensemble", "member_id", false],
  ["time_frequency", "frequency", false],
  ["realm", "realm", true],
  ["variable", "variable_id", false],
  ["cmor_table", "table_id", false],
  ["grid_label", "grid_label", false],
];
/** A member, with the sub-experiment that some have before the variant. */
const MEMBER = /^(?:(s\d+)-)?(r\d+i\d+p\d+f\d+)$/;

function cmip6(document: SolrDocument): Record<string, unknown> {
  if (!valuesOf(document, "project").some((value) => /^cmip6$/i.test(value))) return {};
  const fields: Record<string, unknown> = {};
  for (const [facet, name, list] of CMIP6_FIELDS) {
    const values = valuesOf(document, facet);
    if (list && values.length > 0) fields[`cmip6:${name}`] = values;
    else if (values.length === 1) fields[`cmip6:${name}`] = values[0];
  }
  const member = MEMBER.exec(String(fields["cmip6:member_id"] ?? ""));
  if (member !== null) {
    fields["cmip6:variant_label"] = member[2];
    fields["cmip6:sub_experiment_id"] = member[1] ?? "none";
  }
  return fields;
}

const MAX_STEM = 120;

/** An identifier that is unique, the same in every catalogue, and safe in addresses and paths. */
export function itemId(file: string): string {
  const stem = plain((file.split(/[/\\]/).at(-1) ?? "").replace(/\.(nc4?|zarr|gri?b2?)$/i, ""));
  const digest = createHash("sha256").update(file).digest("hex").slice(0, 16);
  return stem === "" ? digest : `${stem.slice(0, MAX_STEM)}-${digest}`;
}

/** Formats that the service can stream, where their files are on its disks. */
const STREAMED = new Set(["nc", "nc4", "netcdf", "zarr"]);

/** What a caller's search has to say for exactly this text. */
const literal = (text: string): string => text.replace(/[*?]/g, "\\$&");

function assets(document: SolrDocument, location: string, source: CatalogueSource) {
  const { api, flavour, key } = source;
  const format = String(document.format ?? "").toLowerCase();
  const query = new URLSearchParams({ [key]: literal(location), ...source.options });
  return {
    data: {
      href: location,
      title: key === "uri" ? "Data, by its URI" : "Data, by its path",
      ...(MEDIA_TYPES[format] && { type: MEDIA_TYPES[format] }),
      roles: ["data"],
    },
    intake: {
      href: `${api}/databrowser/intake-catalogue/${flavour}/${key}?${query}`,
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

export interface Item {
  readonly id: string;
  readonly json: object;
  readonly box: Box | undefined;
  /** Undefined where the entry always holds; the item then says so with all times. */
  readonly interval: Interval | undefined;
}

/** The fields that an item needs of its document. */
export const ITEM_FIELDS = ["file", "time_raw", "bbox"];

/**
 * An item in the collection folder's `items/`.
 *
 * @param columns the facets under the names that they get
 */
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
  const facets = columns.flatMap(({ field, name, single }) => {
    const values = valuesOf(document, field);
    return values.length === 0 ? [] : [[name, single ? values[0] : values] as const];
  });
  const json = {
    type: "Feature",
    stac_version: STAC_VERSION,
    stac_extensions: [],
    id,
    ...(box && { bbox: bboxArray(box) }),
    geometry: box ? geometry(box) : null,
    properties: {
      title: file.split("/").at(-1) || file,
      datetime: null,
      start_datetime: period.start,
      end_datetime: period.end,
      ...Object.fromEntries(facets),
      ...cmip6(document),
    },
    links: [
      { rel: "root", href: "../../catalog.json", type: "application/json" },
      { rel: "parent", href: "../collection.json", type: "application/json" },
      { rel: "collection", href: "../collection.json", type: "application/json" },
    ],
    assets: assets(document, String(document[source.key]), source),
    collection,
  };
  return { id, json, box, interval };
}
