/** The landing page of the STAC API, as JSON and as a page, and the conformance classes that it fulfils. */
import { markup, PAGE_STYLE, pagePolicy, styleSheet, wholePage } from "../pages/page.js";
import { STAC_VERSION } from "../stac/item.js";
import {
  aggregationLinks,
  CONTRACT_TYPE,
  collectionAddress,
  GEOJSON,
  JSON_TYPE,
  link,
  queryablesLink,
  rootLink,
  type StacCatalog,
  stacRoot,
  TITLE,
} from "./links.js";

const DESCRIPTION =
  "Climate datasets in their newest versions. Each item is a dataset with its files as assets, each collection a project.";

export function landingPage(base: string, collections: readonly string[]): StacCatalog {
  const root = stacRoot(base);
  const search = link("search", `${root}/search`, GEOJSON, "Search datasets");
  return {
    type: "Catalog",
    stac_version: STAC_VERSION,
    id: TITLE,
    title: TITLE,
    description: DESCRIPTION,
    conformsTo: [...CONFORMANCE],
    links: [
      link("self", root, JSON_TYPE, TITLE),
      rootLink(root),
      link("conformance", `${root}/conformance`, JSON_TYPE, "Conformance classes"),
      link("service-desc", `${root}/api`, CONTRACT_TYPE, "The contract, OpenAPI 3.1"),
      link("service-doc", `${base}/docs`, "text/html", "The contract, for people"),
      link("data", `${root}/collections`, JSON_TYPE, "Collections"),
      { ...search, method: "GET" },
      { ...search, method: "POST" },
      queryablesLink(root),
      ...aggregationLinks(root),
      ...collections.map((id) => link("child", collectionAddress(root, id), JSON_TYPE, id)),
    ],
  };
}

const STYLE = `${PAGE_STYLE}
pre { background: var(--raised); padding: .75rem 1rem; overflow-x: auto; }
a { color: var(--link); } li { margin: .25rem 0; } code { font-size: .95em; }`;

export const LANDING_POLICY = pagePolicy(STYLE);

/** A page for people who open the address in a browser: what it is for. */
export function landingHtml(base: string, collections: readonly string[]): string {
  const root = stacRoot(base);
  const python = `from pystac_client import Client

catalog = Client.open("${root}")
search = catalog.search(filter="variable_id = 'tas'", filter_lang="cql2-text", max_items=10)
for item in search.items():
    print(item.id)`;
  const names = collections.map(
    (id) => markup`<li><a href="${collectionAddress(root, id)}">${id}</a></li>`,
  );
  const addresses = [
    [`${root}/collections`, "Collections, one for each project"],
    [`${root}/search?limit=10`, "Search: the first ten datasets"],
    [`${root}/queryables`, "Properties that filters can compare"],
    [`${root}/aggregations`, "What can be counted"],
    [`${root}/conformance`, "Conformance classes"],
    [`${base}/docs`, "The whole contract"],
  ].map(([address, title]) => markup`<li><a href="${address}">${title}</a></li>`);
  return wholePage(
    `STAC API - ${TITLE}`,
    styleSheet(STYLE),
    markup`<main>
<h1>STAC API</h1>
<p>${DESCRIPTION}</p>
<p>Give this address to a STAC client: <code>${root}</code></p>
<h2>Python</h2>
<p><code>pip install pystac-client</code></p>
<pre>${python}</pre>
<h2>curl</h2>
<pre>curl '${root}/search?filter=variable_id%3D%27tas%27'</pre>
<h2>STAC Browser, QGIS, metagrid</h2>
<p>Enter the address as that of a STAC API.</p>
<h2>In this browser</h2>
<ul>${addresses}</ul>
<h2>Collections</h2>
<ul>${names}</ul>
</main>`,
  );
}

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
