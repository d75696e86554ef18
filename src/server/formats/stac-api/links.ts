/** Links and addresses of the STAC API. */
import type { components } from "../../../../generated/openapi.js";
import { apiRoot } from "../download/addresses.js";

type Schemas = components["schemas"];
export type StacLink = Schemas["StacLink"];
export type StacCatalog = Schemas["StacCatalog"];
export type StacCollection = Schemas["StacCollection"];
export type StacItem = Schemas["StacItem"];
export type StacItems = Schemas["StacItems"];
export type StacSchema = Schemas["StacSchema"];
export type StacAggregations = Schemas["StacAggregations"];

export const JSON_TYPE = "application/json";
export const GEOJSON = "application/geo+json";
export const SCHEMA_TYPE = "application/schema+json";
/** The media type of the contract, by the very text that links say (OGC 17-069r4, 7.2). */
export const CONTRACT_TYPE = "application/vnd.oai.openapi+json;version=3.1";

export const TITLE = "climate-nextgen";

export const stacRoot = (base: string): string => `${apiRoot(base)}/stac`;

export const collectionAddress = (root: string, id: string): string =>
  `${root}/collections/${encodeURIComponent(id)}`;

export const itemAddress = (root: string, collection: string, id: string): string =>
  `${collectionAddress(root, collection)}/items/${encodeURIComponent(id)}`;

/** An address with the parameters that are given. */
export function withParameters(
  address: string,
  parameters: Readonly<Record<string, unknown>>,
): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  const texts = given.map(([name, value]) => [name, String(value)]);
  return texts.length === 0 ? address : `${address}?${new URLSearchParams(texts)}`;
}

export const link = (rel: string, href: string, type: string, title: string): StacLink => ({
  rel,
  href,
  type,
  title,
});

export const rootLink = (root: string): StacLink => link("root", root, JSON_TYPE, TITLE);

const QUERYABLES = "http://www.opengis.net/def/rel/ogc/1.0/queryables";

export const queryablesLink = (address: string): StacLink =>
  link(QUERYABLES, `${address}/queryables`, SCHEMA_TYPE, "Properties that filters can compare");

/** The link to the aggregations below an address: the root, or a collection. */
export const aggregationLinks = (address: string): StacLink[] => [
  link("aggregations", `${address}/aggregations`, JSON_TYPE, "What can be counted"),
  link("aggregate", `${address}/aggregate`, JSON_TYPE, "Count datasets"),
];
