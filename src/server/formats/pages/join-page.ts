/** The plan of a joined store as a page. */
import type { components } from "../../../../generated/openapi.js";
import { MODES } from "../../../files/zarr/join/plan/planned.js";
import { type Markup, markup, PAGE_STYLE, pagePolicy, styleSheet, wholePage } from "./page.js";

type JoinPlan = components["schemas"]["JoinPlan"];

const STYLE = `${PAGE_STYLE}
p { margin: .25rem 0; } .quiet { color: var(--quiet); }
table { border-collapse: collapse; width: 100%; font-size: .95rem; }
th { color: var(--quiet); font-weight: 600; }
th, td { text-align: left; padding: .4rem .6rem; border-bottom: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere; }`;

/** The page loads nothing, and names of files are escaped. */
export const JOIN_PAGE_POLICY = pagePolicy(STYLE);

const MAX_FILES = 1000;

function list(title: string, sentences: readonly string[] = []): Markup | "" {
  if (sentences.length === 0) return "";
  return markup`<section><h2>${title}</h2><ul>${sentences.map((one) => markup`<li>${one}</li>`)}</ul></section>`;
}

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): Markup {
  const cells = (row: readonly (string | number)[]): Markup[] =>
    row.map((cell) => markup`<td>${cell}</td>`);
  return markup`<table><thead><tr>${head.map((one) => markup`<th scope="col">${one}</th>`)}</tr></thead>
<tbody>${rows.map((row) => markup`<tr>${cells(row)}</tr>`)}</tbody></table>`;
}

function joined({ axis, files = [], arrays = [], gaps, overlaps, notes }: JoinPlan): Markup {
  const rows = files
    .slice(0, MAX_FILES)
    .map((one) => [one.file, one.group, one.first, one.last, one.steps]);
  const more = files.length - rows.length;
  return markup`<p>${files.length} files, ${axis?.steps ?? 0} steps along ${axis?.name ?? "time"}, in ${axis?.units ?? ""} (${axis?.calendar ?? ""}).</p>
${list("Gaps", gaps)}${list("Overlaps", overlaps)}${list("Notes", notes)}
<section><h2>Variables</h2>${table(
    ["variable", "chunks", "how", "why"],
    arrays.map(({ name, chunks, passed, mode, reasons }) => [
      ...[name, `${passed} of ${chunks} as stored`, MODES[mode], reasons.join(" ")],
    ]),
  )}</section>
<section><h2>Files</h2>${table(["file", "group", "from", "to", "steps"], rows)}
${more > 0 ? markup`<p class="quiet">and ${more} more.</p>` : ""}</section>`;
}

export function joinPage(plan: JoinPlan): string {
  const title =
    plan.state === "joined" ? "How these files are joined" : "These files are not joined";
  const body = markup`<main><header><h1>${title}</h1></header>
${plan.state === "joined" ? joined(plan) : markup`<p>${plan.reason ?? ""}</p>`}
</main>`;
  return wholePage(
    title,
    markup`<link rel="icon" href="data:,">
${styleSheet(STYLE)}`,
    body,
  );
}
