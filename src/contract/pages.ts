/** The pages for people. Their addresses are relative, so they work below any prefix of a proxy. */

import { markup, styleSheet, wholePage } from "../formats/page.js";

const EXAMPLE =
  "api/climate-nextgen/databrowser/metadata-search/cmip6/file?variable_id=tas&facets=source_id";
const LIST =
  "api/climate-nextgen/databrowser/data-search/cmip6/file?variable_id=tas&experiment_id=historical";

/** Where to go, for a person who opens the service's address. */
export function landingPage(): string {
  const style = styleSheet(`
body { font: 16px/1.55 system-ui, sans-serif; max-width: 44rem; margin: 4rem auto; padding: 0 1.25rem; color: #1d2b36; }
h1 { font-size: 1.7rem; margin-bottom: .25rem; }
a { color: #0b63a5; }
dt { font-weight: 600; margin-top: 1rem; }
dd { margin: 0; }
code { background: #eef2f5; padding: .1rem .3rem; border-radius: .25rem; overflow-wrap: anywhere; }
@media (prefers-color-scheme: dark) { body { background: #12181d; color: #dde6ec; } a { color: #6db7ee; } code { background: #1f2a33; } }
`);
  return wholePage(
    "climate-nextgen",
    markup`<link rel="icon" href="docs/favicon-32x32.png">\n${style}`,
    markup`<h1>climate-nextgen</h1>
<p>Find climate data by the facets of a data reference syntax.</p>
<dl>
<dt><a href="docs">API documentation</a></dt>
<dd>Every operation, to read and to try out.</dd>
<dt><a href="api/climate-nextgen/databrowser/overview">Overview</a></dt>
<dd>The flavours that can be searched, with their facets.</dd>
<dt><a href="${EXAMPLE}">A first search</a></dt>
<dd>Which CMIP6 models have near-surface air temperature?</dd>
<dt><a href="${LIST}">A first list</a></dt>
<dd>Where are the files of their historical experiments?</dd>
<dt>The contract</dt>
<dd><a href="openapi.yaml">openapi.yaml</a>, <a href="openapi.json">openapi.json</a>, <a href="openapi-3.0.json">openapi-3.0.json</a>: for generated clients.</dd>
</dl>`,
  );
}

/** Swagger UI on the contract; what the page does with it is in web/docs. */
export function swaggerPage(): string {
  return wholePage(
    "climate-nextgen API",
    markup`<link rel="stylesheet" href="docs/swagger-ui.css">
<link rel="stylesheet" href="docs/page.css">
<link rel="icon" href="docs/favicon-32x32.png">`,
    markup`<div id="swagger-ui"></div>
<script src="docs/swagger-ui-bundle.js"></script>
<script type="module" src="docs/start.js"></script>`,
  );
}
