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

/** The Content-Security-Policy of a page with this style: it may load, run and send nothing. */
export function pagePolicy(style: string): string {
  const hash = createHash("sha256").update(style).digest("base64");
  return [
    "default-src 'none'",
    `style-src 'sha256-${hash}'`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}
