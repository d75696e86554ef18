/** The page of the contract. Its addresses are relative, so it works below any prefix of a proxy. */

import { markup, wholePage } from "../../formats/pages/page.js";

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
