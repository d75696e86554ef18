/** Common parts of the pages without scripts; all values in them are escaped. */
import { hash } from "node:crypto";
import { html, raw } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";

export type Markup = HtmlEscapedString;

/** Makes markup; values are escaped unless they are markup. */
export const markup = (parts: TemplateStringsArray, ...values: unknown[]): Markup =>
  // The result is a promise only if a value is one.
  html(parts, ...values) as Markup;

export const PAGE_STYLE = `
:root { color-scheme: light dark; --text: #1d2b36; --quiet: #4a5b68; --ground: #fff; --raised: #eef2f5; --line: #cfd8df; --link: #0b5a94; }
@media (prefers-color-scheme: dark) { :root { --text: #dde6ec; --quiet: #a9b8c2; --ground: #12181d; --raised: #1f2a33; --line: #33434f; --link: #7cc0f2; } }
* { box-sizing: border-box; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0; color: var(--text); background: var(--ground); overflow-wrap: anywhere; }
main { max-width: 72rem; margin: 0 auto; padding: 1.5rem 1.25rem 3rem; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .25rem; } h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; }`;

export const styleSheet = (css: string): Markup => markup`<style>${raw(css)}</style>`;

/** A whole page. @param head contents of the head beside the title */
export function wholePage(title: string, head: Markup, body: Markup): string {
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${head}
</head>
<body>
${body}
</body>
</html>
`.toString();
}

/** The policy of a page that may not load or run anything. @param formAction targets of its form, redirects included */
export const pagePolicy = (style: string, formAction = "'none'"): string =>
  policyOf([`style-src 'sha256-${hash("sha256", style, "base64")}'`, "img-src data:"], formAction);

/** A Content-Security-Policy that allows only these sources. */
export const policyOf = (sources: readonly string[], formAction: string): string =>
  [
    "default-src 'none'",
    ...sources,
    "base-uri 'none'",
    `form-action ${formAction}`,
    "frame-ancestors 'none'",
  ].join("; ");
