/** Formats answers about a search as text. Pure. */
import type { components } from "../../../generated/openapi.js";
import { EXCLUDES } from "../../domain/vocabulary/query-words.js";
import { count, number, size } from "../terminal/plurals.js";
import { printable } from "../terminal/printable.js";
import type { Look } from "../terminal/terminal.js";
import { NO_BREAK_SPACE, properties, table } from "../terminal/text-table.js";

/** Maximal number of values of a facet if all facets are shown. */
const MAX_VALUES = 20;

/** Pairs up values and counts, which alternate in the answer. */
const pairsOf = (values: readonly string[]): [value: string, count: number][] =>
  Array.from({ length: values.length / 2 }, (_, i) => [
    values[2 * i] ?? "",
    Number(values[2 * i + 1]),
  ]);

/** @param areNamed whether the facets were named; then all their values are shown */
export function facetReport(
  { total_count: total, facets, more_values: further = {} }: MetadataSearchResult,
  areNamed: boolean,
  look: Look,
): string {
  const named = Object.entries(facets).filter(([, values]) => values.length > 0 || areNamed);
  const [only] = named;
  const found = `${count(total, "file")}.`;
  if (only === undefined) return found;
  if (named.length === 1) {
    const columns = [{ name: "files", isNumber: true }, { name: only[0] }];
    const rows = pairsOf(only[1]).map(([value, files]) => [number(files), value]);
    const more = (further[only[0]]?.count ?? rows.length) - rows.length;
    const rest = more > 0 ? `\n... and ${number(more)} more; search for fewer files.` : "";
    return table(columns, rows, look) + rest;
  }
  const lines = named.map(([name, values]) => {
    const pairs = pairsOf(values);
    const shown = areNamed ? pairs : pairs.slice(0, MAX_VALUES);
    const more = (further[name]?.count ?? pairs.length) - shown.length;
    const texts = shown.map(([value, files]) => `${value}${NO_BREAK_SPACE}(${number(files)})`);
    return [name, texts.join(", ") + (more > 0 ? ` and ${number(more)} more` : "")] as const;
  });
  return `${properties(lines, look)}\n${found}`;
}

const unknownSize = (files: number, sized: number): string =>
  files === sized ? "" : `, of ${number(files - sized)} not known`;

export function summaryReport(summary: Summary, look: Look): string {
  const { files, datasets, bytes, sized_files: sized, start, end, retracted } = summary;
  const { path_list, intake_catalogue, stac_archive } = summary.estimated_bytes;
  const lines: [string, string][] = [
    ["files", number(files)],
    ["datasets", number(datasets)],
    ["size", sized === 0 ? "not known" : size(bytes) + unknownSize(files, sized)],
    ["time", start === null || end === null ? "none" : `${start} to ${end}`],
    ["formats", summary.formats.map((one) => `${one.format} ${number(one.files)}`).join(", ")],
    [
      "storage",
      summary.storage
        .map((one) => {
          const total = one.sized_files === 0 ? "" : `, ${size(one.bytes)}`;
          return `${one.fs_type} ${number(one.files)}${total}`;
        })
        .join("; "),
    ],
    ["retracted", number(retracted)],
    [
      "lists, about",
      `paths ${size(path_list)}, intake-esm ${size(intake_catalogue)}, STAC ${size(stac_archive)}`,
    ],
  ];
  return properties(files === 0 ? lines.slice(0, 1) : lines, look);
}

type Constraint = Why["constraints"][number];

/** A constraint as written on the command line. */
const written = ({ name, values }: Pick<Constraint, "name" | "values">): string =>
  name.endsWith(EXCLUDES)
    ? `${name.slice(0, -EXCLUDES.length)}!=${values.join(",")}`
    : `${name}=${values.join(",")}`;

const nearOf = ({ unmatched }: Constraint): string[] =>
  unmatched
    .filter(({ near }) => near.length > 0)
    .map(({ value, near }) => {
      const instead = near.map((one) => `${one.value} (${number(one.count)})`);
      return `instead of ${value}: ${instead.join(", ")}`;
    });

export function whyReport({ total_count: total, constraints, excluding }: Why, look: Look): string {
  const rows = constraints.map((one) => [
    ...[number(one.count_without), written(one), nearOf(one).join("; ")],
  ]);
  const columns = [
    { name: "files without it", isNumber: true },
    { name: "constraint" },
    { name: "" },
  ];
  const found = `With all of them: ${count(total, "file")}.`;
  const whole = constraints.length === 0 ? found : `${table(columns, rows, look)}\n${found}`;
  if (excluding === null) return whole;
  const together = excluding.length === 1 ? "alone excludes" : "together exclude";
  return `${whole}\n${printable(excluding.join(" and "))} ${together} everything.`;
}

/** Maximal number of constraints in the line. */
const MAX_NAMED = 3;

/** One line: which constraint to drop, and values similar to those that no file has. */
export function nothingFound({ constraints, excluding }: Why): string {
  if (constraints.length === 0) return "Nothing is found: there is nothing here.";
  const helping = constraints.filter(({ count_without: without }) => without > 0);
  const drops = helping
    .slice(0, MAX_NAMED)
    .map((one) => `${written(one)} there would be ${count(one.count_without, "file")}`);
  const near = constraints.flatMap(nearOf).slice(0, MAX_NAMED);
  const several =
    excluding === null || excluding.length === 0
      ? "No constraint alone is in the way"
      : `${excluding.join(" and ")} ${excluding.length === 1 ? "excludes" : "exclude"} everything, and so does another`;
  const sentences = [
    "Nothing is found",
    drops.length > 0 ? `Without ${drops.join(", without ")}` : several,
    ...(near.length > 0 ? [`Try ${near.join("; ")}`] : []),
  ];
  return printable(`${sentences.join(". ")}.`);
}

type Schemas = components["schemas"];
export type Complete = Schemas["Complete"];
export type Coverage = Schemas["Coverage"];
export type ExtendedSearchResult = Schemas["ExtendedSearchResult"];
export type MetadataSearchResult = Schemas["MetadataSearchResult"];
export type Summary = Schemas["Summary"];
export type Why = Schemas["Why"];
