/** The page of a data set: its contents, and how to open it. */
import { fileName } from "../../../domain/text/file-name.js";
import type { Facet } from "../../../domain/vocabulary/facets.js";
import type {
  AttributeSummary,
  GroupSummary,
  Summary,
  VariableSummary,
} from "../../../files/zarr/metadata/summary.js";
import type { SolrDocument } from "../../../index/export/document-batch.js";
import { valuesOf } from "../catalogue.js";
import { type Markup, markup, PAGE_STYLE, pagePolicy, styleSheet, wholePage } from "./page.js";

const STYLE = `${PAGE_STYLE}
p { margin: .25rem 0; } .quiet { color: var(--quiet); }
pre { background: var(--raised); padding: .8rem 1rem; border-radius: .4rem; white-space: pre-wrap; font: .9rem/1.5 ui-monospace, monospace; }
table { border-collapse: collapse; table-layout: fixed; width: 100%; font-size: .95rem; } th { color: var(--quiet); font-weight: 600; }
th, td { text-align: left; padding: .4rem .6rem; border-bottom: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere; }
th:nth-child(1) { width: 34%; } th:nth-child(3) { width: 20%; }
details { margin: .1rem 0; } summary { cursor: pointer; min-height: 24px; color: var(--link); }
dl { margin: .25rem 0; } dt { font-weight: 600; } dd { margin: 0 0 .3rem 1rem; white-space: pre-wrap; }
@media (max-width: 48rem) {
  table, tbody, tr, td { display: block; width: 100%; } thead { display: none; }
  tr { border-bottom: 1px solid var(--line); padding: .5rem 0; } td { border: 0; padding: .1rem 0; }
  td[data-label]::before { content: attr(data-label) ": "; color: var(--quiet); }
}`;

/** The page loads nothing, and texts of files are escaped. */
export const DATASET_PAGE_POLICY = pagePolicy(STYLE);

/** The facets that identify a data set, in the order of a data reference syntax. */
const IDENTITY: readonly Facet[] = [
  "project",
  "product",
  "institute",
  "model",
  "experiment",
  "ensemble",
  "time_frequency",
  "cmor_table",
  "grid_label",
];

export const DATASET_PAGE_FIELDS: readonly string[] = ["file", "variable", ...IDENTITY];

const MAX_NAMED = 3;

interface Names {
  /** Names of the variables; "" if unknown. */
  readonly variables: string;
  /** Long name and unit of a single variable. */
  readonly inWords: string;
  readonly dataset: string;
}

const attribute = (all: readonly AttributeSummary[], name: string): string =>
  all.find((one) => one.name === name)?.text.trim() ?? "";

function namesOf(document: SolrDocument, { groups }: Summary): Names {
  const names = valuesOf(document, "variable");
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : "";
  const all = groups.flatMap(({ variables }) => variables);
  const only = names.length === 1 ? all.find(({ name }) => name === names[0]) : undefined;
  const longName = attribute(only?.attributes ?? [], "long_name");
  const units = attribute(only?.attributes ?? [], "units");
  const identity = IDENTITY.map((facet) => valuesOf(document, facet).join("-"));
  const known = identity.filter((value) => value !== "");
  return {
    variables: names.slice(0, MAX_NAMED).join(", ") + more,
    inWords: [longName, units && `in ${units}`].filter(Boolean).join(", "),
    // Default facets, which every document has, do not identify a data set.
    dataset:
      document.project === undefined || known.length === 0
        ? fileName(String(document.file))
        : known.join("."),
  };
}

const UNITS = ["bytes", "kB", "MB", "GB", "TB"];

function size(bytes: number | undefined): string {
  if (bytes === undefined) return "";
  let [value, unit] = [bytes, 0];
  while (value >= 1000 && unit < UNITS.length - 1) [value, unit] = [value / 1000, unit + 1];
  return `${unit === 0 ? value : value.toFixed(1)} ${UNITS[unit]}`;
}

function attributes(all: GroupSummary["attributes"], whose: string): Markup | "" {
  if (all.length === 0) return "";
  const rows = all.map(({ name, text }) => markup`<dt>${name}</dt><dd>${text}</dd>`);
  const count = all.length === 1 ? "1 attribute" : `${all.length} attributes`;
  return markup`<details><summary>${count} of ${whose}</summary><dl>${rows}</dl></details>`;
}

function variable(one: VariableSummary): Markup {
  const longName = attribute(one.attributes, "long_name");
  const words = longName === "" ? "" : markup`<br><span class="quiet">${longName}</span>`;
  const cells: [label: string, value: string][] = [
    ["type", one.type],
    ["dimensions", one.dimensions.map((name, i) => `${name}: ${one.shape[i] ?? "?"}`).join(", ")],
    ["chunks", one.chunks.join(" × ")],
    ["a chunk", size(one.chunkBytes)],
    ["all", size(one.bytes)],
    ["codecs", one.codecs.join(", ")],
  ];
  return markup`<tr role="row"><td role="cell"><strong>${one.name}</strong>${words}${attributes(one.attributes, one.name)}</td>${cells.map(
    ([label, value]) =>
      value === ""
        ? markup`<td role="cell"></td>`
        : markup`<td role="cell" data-label="${label}">${value}</td>`,
  )}</tr>`;
}

const HEAD = ["variable", "type", "dimensions", "chunks", "a chunk", "all", "codecs"];

function group(one: GroupSummary): Markup {
  const dimensions = one.dimensions.map(({ name, length }) => `${name}: ${length}`).join(", ");
  const head = HEAD.map((name) => markup`<th role="columnheader" scope="col">${name}</th>`);
  // On narrow screens the cells are blocks; screen readers then need the explicit roles.
  const table = markup`<table role="table"><thead role="rowgroup"><tr role="row">${head}</tr></thead>
<tbody role="rowgroup">${one.variables.map(variable)}</tbody></table>`;
  const leftOut = one.leftOut.map((sentence) => markup`<li>${sentence}</li>`);
  return markup`<section><h2>${one.path === "" ? "Contents" : `Group ${one.path}`}</h2>
<p>${dimensions || "No dimensions."}</p>
${one.variables.length === 0 ? "" : table}
${leftOut.length === 0 ? "" : markup`<p>Not served:</p><ul>${leftOut}</ul>`}
${attributes(one.attributes, one.path === "" ? "the data set" : one.path)}</section>`;
}

function python(address: string, needsToken: boolean): string {
  const lines = needsToken
    ? [
        'headers = {"Authorization": "Bearer " + access_token}',
        `dataset = xr.open_zarr("${address}", storage_options={"headers": headers})`,
      ]
    : [`dataset = xr.open_zarr("${address}")`];
  return ["import xarray as xr", "", ...lines].join("\n");
}

export function datasetPage(
  document: SolrDocument,
  summary: Summary,
  address: string,
  needsToken: boolean,
): string {
  const { variables, inWords, dataset } = namesOf(document, summary);
  const title = [variables, dataset].filter(Boolean).join(" · ");
  const format = [summary.format, size(summary.fileBytes)].filter(Boolean).join(", ");
  const body = markup`<main>
<header><h1>${title}</h1>
${inWords === "" ? "" : markup`<p>${inWords}</p>`}
<p class="quiet">${format}</p></header>
<section><h2>Open it with Python</h2>
<pre><code>${python(address, needsToken)}</code></pre></section>
${summary.groups.map(group)}
</main>`;
  const head = markup`<link rel="icon" href="data:,">
${styleSheet(STYLE)}`;
  return wholePage(title, head, body);
}
