/** What the pages for people have in common: whatever is put into them is text, and nothing of them runs. */
import { createHash } from "node:crypto";
import { html, raw } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";

/** A piece of a page in which everything that came from outside is escaped. */
export type Markup = HtmlEscapedString;

/** Markup with values in it, each of them escaped unless it is markup itself. */
export const markup = (parts: TemplateStringsArray, ...values: unknown[]): Markup =>
  // It would only be a promise if one of the values were.
  html(parts, ...values) as Markup;

/** What all of them look like: in light and dark, narrow and wide. */
export const PAGE_STYLE = `
:root { color-scheme: light dark; --text: #1d2b36; --quiet: #4a5b68; --ground: #fff; --raised: #eef2f5; --line: #cfd8df; --link: #0b5a94; }
@media (prefers-color-scheme: dark) { :root { --text: #dde6ec; --quiet: #a9b8c2; --ground: #12181d; --raised: #1f2a33; --line: #33434f; --link: #7cc0f2; } }
* { box-sizing: border-box; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0; color: var(--text); background: var(--ground); overflow-wrap: anywhere; }
main { max-width: 72rem; margin: 0 auto; padding: 1.5rem 1.25rem 3rem; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .25rem; } h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; }`;

/** A style sheet of ours within a page. */
export const styleSheet = (css: string): Markup => markup`<style>${raw(css)}</style>`;

/** A whole page. @param head what stands in its head beside the title */
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

/**
 * The Content-Security-Policy of a page with this style: it may load, run and send nothing.
 *
 * @param formAction where its form may be sent, if it has one, and where the answer to that may lead
 */
export function pagePolicy(style: string, formAction = "'none'"): string {
  const hash = createHash("sha256").update(style).digest("base64");
  return [
    "default-src 'none'",
    `style-src 'sha256-${hash}'`,
    "img-src data:",
    "base-uri 'none'",
    `form-action ${formAction}`,
    "frame-ancestors 'none'",
  ].join("; ");
}
