/** The conformance classes that this service fulfils. */

const STAC = "https://api.stacspec.org/v1.0.0";
const FEATURES = "http://www.opengis.net/spec/ogcapi-features-1/1.0/conf";
const FILTERS = "http://www.opengis.net/spec/ogcapi-features-3/1.0/conf";
const CQL2 = "http://www.opengis.net/spec/cql2/1.0/conf";
const COMMON = "http://www.opengis.net/spec/ogcapi-common-2/1.0/conf";

export const CONFORMANCE: readonly string[] = [
  `${STAC}/core`,
  `${STAC}/collections`,
  `${STAC}/ogcapi-features`,
  ...["sort", "fields", "query", "filter", "free-text"].map(
    (one) => `${STAC}/ogcapi-features#${one}`,
  ),
  `${STAC}/item-search`,
  ...["sort", "fields", "query", "filter", "free-text"].map((one) => `${STAC}/item-search#${one}`),
  `${STAC}/collection-search`,
  `${STAC}/collection-search#free-text`,
  "https://api.stacspec.org/v0.3.0/aggregation",
  `${COMMON}/simple-query`,
  `${FEATURES}/core`,
  `${FEATURES}/geojson`,
  `${FEATURES}/oas30`,
  `${FILTERS}/filter`,
  `${FILTERS}/features-filter`,
  `${FILTERS}/queryables`,
  ...[
    "cql2-text",
    "cql2-json",
    "basic-cql2",
    "advanced-comparison-operators",
    "case-insensitive-comparison",
    "array-functions",
    "basic-spatial-functions",
    "temporal-functions",
    // The names of earlier drafts, by which clients and validators look for the same classes.
    "basic-spatial-operators",
    "temporal-operators",
  ].map((one) => `${CQL2}/${one}`),
];
