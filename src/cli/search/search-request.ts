/** Turns the command line of `search` into a request to the service. Pure. */
import { OPERATIONS, type OperationName } from "../../../generated/operations.js";
import { formatsOf, isFormatOf } from "../../domain/vocabulary/list-formats.js";
import { FORMATS, NARROWING, type SearchOptions } from "./options.js";
import { readWords, WrongUse } from "./words.js";

export type Format = (typeof FORMATS)[number];
const TABLES = formatsOf("searchExtended");

/** The kind of answer that the options ask for. */
type Wanted =
  | "list"
  | "count"
  | "facets"
  | "summary"
  | "why"
  | "complete"
  | "coverage"
  | "documents"
  | Format;

export interface SearchRequest {
  readonly wanted: Wanted;
  readonly flavour: string;
  readonly key: "file" | "uri";
  /** Parameters that select data: filters, time, region and versions. */
  readonly search: URLSearchParams;
  /** Parameters of the kind of answer. */
  readonly more: URLSearchParams;
  /** Whether only complete groups are selected. */
  readonly isRestricted: boolean;
  readonly limit: number | undefined;
}

const GROUPS = ["groupBy", "need", "requireAllOn"] as const;

/** Options that only some kinds of answers take. */
const SPECIAL: Readonly<Partial<Record<keyof SearchOptions, readonly Wanted[]>>> = {
  uri: ["list", "count", "facets", "summary", "why", "documents", ...FORMATS],
  limit: ["list", "documents", ...TABLES],
  fields: ["documents", ...TABLES],
  near: ["complete"],
  cells: ["coverage"],
  json: ["count", "facets", "summary", "why", "complete", "coverage", "documents"],
  ...Object.fromEntries(
    GROUPS.map((name) => [name, ["list", "count", "complete", "documents", ...FORMATS]]),
  ),
};

const optionOf = (name: string): string =>
  `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** @throws WrongUse if options exclude each other, or a word is no filter */
export function searchRequestOf(words: readonly string[], options: SearchOptions): SearchRequest {
  const { flavour, filters } = readWords(words);
  const wanted = wantedOf(options);
  for (const [name, takers] of Object.entries(SPECIAL)) {
    if (options[name as keyof SearchOptions] === undefined || takers.includes(wanted)) continue;
    const what = wanted === "list" ? "a list of paths" : nameOf(wanted);
    throw new WrongUse(`${optionOf(name)} cannot be used with ${what}.`);
  }
  const isRestricted = GROUPS.some((name) => options[name] !== undefined);
  const limit = options.limit === undefined ? undefined : wholeNumber(options.limit, "--limit");
  return {
    wanted,
    flavour,
    isRestricted,
    limit,
    key: options.uri === true ? "uri" : "file",
    search: searchOf(filters, options),
    more: moreOf(wanted, options, limit),
  };
}

function wantedOf(options: SearchOptions): Wanted {
  const modes = ["count", "facets", "summary", "why", "complete", "coverage", "format"] as const;
  const given = modes.filter((name) => options[name] !== undefined);
  const [mode, other] = given;
  if (mode !== undefined && other !== undefined) {
    throw new WrongUse(`${optionOf(mode)} and ${optionOf(other)} exclude each other.`);
  }
  if (mode === "format") return options.format as Format;
  if (mode !== undefined) return mode;
  return options.fields !== undefined || options.json === true ? "documents" : "list";
}

export const isFormat = (wanted: Wanted): wanted is Format => FORMATS.some((one) => one === wanted);

const nameOf = (wanted: Wanted): string =>
  isFormat(wanted) ? `--format ${wanted}` : `--${wanted}`;

function searchOf(
  filters: readonly (readonly [string, string])[],
  options: SearchOptions,
): URLSearchParams {
  const search = new URLSearchParams();
  for (const [key, value] of filters) search.append(key, value);
  for (const [option, key] of NARROWING) {
    const value = options[option];
    if (value !== undefined) search.append(key, value);
  }
  if (options.multiVersion === true) search.append("multi-version", "true");
  return search;
}

function moreOf(wanted: Wanted, options: SearchOptions, limit?: number): URLSearchParams {
  const { facets, groupBy, need = [], requireAllOn, near, coverage, cells, fields } = options;
  const more = new URLSearchParams();
  // A small facet: a search without facets is not possible.
  if (wanted === "count") more.append("facets", "fs_type");
  if (typeof facets === "string") more.append("facets", facets);
  if (groupBy !== undefined) more.append("group_by", groupBy);
  for (const one of need) more.append("need", one);
  if (requireAllOn !== undefined) more.append("require_all_on", requireAllOn);
  if (near !== undefined) more.append("near", near);
  if (coverage !== undefined) {
    const [rows, columns, ...others] = coverage.split(",");
    if (!rows || !columns || others.length > 0) {
      throw new WrongUse("--coverage takes two facets, as in --coverage source_id,experiment_id.");
    }
    more.append("rows", rows);
    more.append("columns", columns);
  }
  if (cells !== undefined) more.append("cells", cells);
  if (fields !== undefined) more.append("fields", fields);
  if (isFormatOf(wanted, "searchExtended")) {
    more.append("format", wanted);
    if (limit !== undefined) more.append("limit", String(limit));
  }
  if (wanted === "complete" && groupBy === undefined && requireAllOn === undefined) {
    throw new WrongUse("--complete needs --group-by with --need, or --require-all-on.");
  }
  return more;
}

function wholeNumber(text: string, option: string): number {
  if (!/^\d{1,15}$/.test(text) || Number(text) === 0) {
    throw new WrongUse(`${option} takes a number from 1.`);
  }
  return Number(text);
}

/** The segments of an operation's path below `databrowser`. */
export function pathOf(
  operation: OperationName,
  { flavour, key }: Pick<SearchRequest, "flavour" | "key">,
): string[] {
  const values: Readonly<Record<string, string>> = { "{flavour}": flavour, "{uniq_key}": key };
  return OPERATIONS[operation].path
    .split("/")
    .slice(2)
    .map((segment) => values[segment] ?? segment);
}
