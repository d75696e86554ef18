/** A data set as a page for a person: what is in it, and how to open it. */
import type { GroupSummary, Summary, VariableSummary } from "../zarr/summary.js";

/** Everything the page shows comes with it; whatever a file says is text. */
export const DATASET_PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const STYLE = `body { font: 15px/1.5 system-ui, sans-serif; max-width: 68rem; margin: 2rem auto; padding: 0 1.25rem; color: #1d2b36; }
h1 { font-size: 1.4rem; overflow-wrap: anywhere; } h2 { font-size: 1.1rem; margin-top: 2rem; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid #d7dfe5; vertical-align: top; }
pre { background: #eef2f5; padding: .8rem; border-radius: .3rem; overflow-x: auto; }
details { margin: .2rem 0; } summary { cursor: pointer; } dt { font-weight: 600; } dd { margin: 0 0 .3rem 1rem; overflow-wrap: anywhere; white-space: pre-wrap; }
@media (prefers-color-scheme: dark) { body { background: #12181d; color: #dde6ec; } pre { background: #1f2a33; } th, td { border-color: #2c3a45; } }`;

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const text = (value: string): string => value.replace(/[&<>"']/g, (found) => ENTITIES[found] ?? "");

const UNITS = ["bytes", "kB", "MB", "GB", "TB"];

function size(bytes: number | undefined): string {
  if (bytes === undefined) return "";
  let [value, unit] = [bytes, 0];
  while (value >= 1000 && unit < UNITS.length - 1) [value, unit] = [value / 1000, unit + 1];
  return `${unit === 0 ? value : value.toFixed(1)} ${UNITS[unit]}`;
}

function attributes(all: GroupSummary["attributes"]): string {
  const rows = all.map(({ name, text: value }) => `<dt>${text(name)}</dt><dd>${text(value)}</dd>`);
  return rows.length === 0
    ? ""
    : `<details><summary>${rows.length} attributes</summary><dl>${rows.join("")}</dl></details>`;
}

function variable(one: VariableSummary): string {
  const cells = [
    `<strong>${text(one.name)}</strong>${attributes(one.attributes)}`,
    text(one.type),
    text(one.dimensions.map((name, i) => `${name}: ${one.shape[i] ?? "?"}`).join(", ")),
    text(one.chunks.join(" × ")),
    text(size(one.chunkBytes)),
    text(size(one.bytes)),
    text(one.codecs.join(", ")),
  ];
  return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;
}

const HEAD = ["variable", "type", "dimensions", "chunks", "a chunk", "all", "codecs"];

function group(one: GroupSummary): string {
  const title = one.path === "" ? "" : `<h2>Group ${text(one.path)}</h2>`;
  const dimensions = one.dimensions.map(({ name, length }) => `${name}: ${length}`).join(", ");
  const head = HEAD.map((name) => `<th>${name}</th>`).join("");
  const leftOut = one.leftOut.map((sentence) => `<li>${text(sentence)}</li>`).join("");
  return `${title}<p>${text(dimensions) || "No dimensions."}</p>
<table><thead><tr>${head}</tr></thead><tbody>${one.variables.map(variable).join("")}</tbody></table>
${leftOut === "" ? "" : `<p>Not served:</p><ul>${leftOut}</ul>`}
${attributes(one.attributes)}`;
}

/** @param address of the zarr stream */
export function datasetPage(summary: Summary, address: string): string {
  const python = `import xarray as xr
headers = {"Authorization": "Bearer " + access_token}
dataset = xr.open_zarr("${address}", storage_options={"headers": headers})`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${text(address.split("/").at(-1) ?? "")}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${text(address)}</h1>
<p>${text(summary.format)}${summary.fileBytes === undefined ? "" : `, ${text(size(summary.fileBytes))}`}</p>
<pre>${text(python)}</pre>
${summary.groups.map(group).join("\n")}
</body>
</html>
`;
}
