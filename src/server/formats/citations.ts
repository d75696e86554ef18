/** Citations of sources as BibTeX, CSL-JSON and text. */
import type { components } from "../../../generated/openapi.js";
import {
  CITED_FIELDS,
  type CitationRule,
  type CitedSource,
  type KeptTexts,
  SourceAccumulator,
} from "../../domain/citations/sources.js";
import type { FormatOf } from "../../domain/vocabulary/list-formats.js";
import { listFormat } from "../handlers/search/list-formats.js";

type CslItem = components["schemas"]["CslItem"];

export type CitationForm = FormatOf<"cite">;

const TEXTS: Readonly<
  Record<CitationForm, (sources: readonly CitedSource[], day: string, unnamed: number) => string>
> = {
  text: citationText,
  bibtex: (sources, day) => bibtex(sources, day),
  "csl-json": (sources, day) => `${JSON.stringify(cslItems(sources, day), null, 1)}\n`,
};

/** Citations for all documents of a list. @param day ISO date of the access */
export const citationFormat = <Form extends CitationForm>(
  form: Form,
  rules: readonly CitationRule[],
  day: string,
) =>
  listFormat(form, {
    // Solr does not export documents that lack all requested fields, so the key is always requested.
    fields: ["file", ...CITED_FIELDS],
    async *write(batches) {
      const found = new SourceAccumulator(rules);
      for await (const documents of batches) for (const one of documents) found.add(one);
      yield TEXTS[form](found.sources, day, found.unnamed);
    },
  });

const counted = (count: number, thing: string): string =>
  `${count} ${thing}${count === 1 ? "" : "s"}`;

/** The first texts, and how many more there are, if their number is known. */
function someOf({ texts, hasMore }: KeptTexts, separator: string): string {
  const shown = texts.slice(0, MAX_SHOWN).join(separator);
  if (hasMore) return `${shown} ${AND_MORE}`;
  return texts.length > MAX_SHOWN ? `${shown} and ${texts.length - MAX_SHOWN} more` : shown;
}

const MAX_SHOWN = 10;
const AND_MORE = "and more";
const NOT_KNOWN = "not known";

/** Facts about a source besides its reference; one sentence each. */
function notesOf(source: CitedSource): string[] {
  const { reference, url, licences, licensed, files, furtherInfo, versions, datasets } = source;
  const without = files - licensed;
  const terms = [
    ...licences.texts,
    ...(licences.hasMore ? [AND_MORE] : []),
    ...(without > 0
      ? [without === files ? NOT_KNOWN : `${NOT_KNOWN} for ${counted(without, "file")}`]
      : []),
  ];
  return [
    ...(reference === undefined
      ? [`Authors: ${url === undefined ? NOT_KNOWN : "see the address"}`]
      : []),
    `Licence: ${terms.join("; ")}`,
    ...(furtherInfo.texts.length > 0 ? [`Further information: ${someOf(furtherInfo, " ")}`] : []),
    ...(versions.texts.length > 0 ? [`Versions: ${someOf(versions, ", ")}`] : []),
    `${counted(files, "file")} in ${counted(datasets, "dataset")}`,
  ].map(oneLine);
}

/** Without control characters, which values of files may have. */
const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim();

function citationText(sources: readonly CitedSource[], day: string, unnamed: number): string {
  const paragraphs = sources.map((source) => {
    const { reference, url = NOT_KNOWN, name } = source;
    const head = reference === undefined ? name : written(reference);
    return [head, `Citation: ${url}`, ...notesOf(source)]
      .map((line, index) => `${index === 0 ? "" : "  "}${oneLine(line)}\n`)
      .join("");
  });
  const rest =
    unnamed > 0
      ? [`Files without a dataset: ${unnamed}\n  Citation: ${NOT_KNOWN}\n`]
      : sources.length === 0
        ? ["Nothing is found.\n"]
        : [];
  return [...paragraphs, ...rest, `Accessed: ${day}\n`].join("\n");
}

function written({ authors, year, title, publisher }: NonNullable<CitedSource["reference"]>) {
  const by = [authors.join("; "), year === undefined ? "" : `(${year})`].filter(Boolean).join(" ");
  return [by, title, publisher].filter(Boolean).join(". ");
}

/** Items of the Citation Style Language's data (csl-data.json 1.0). */
const cslItems = (sources: readonly CitedSource[], day: string): CslItem[] =>
  withKeys(sources).map(([id, source]) => {
    const { reference, url, name, versions } = source;
    const { authors = [], year, publisher, doi } = reference ?? {};
    return {
      id,
      type: "dataset",
      title: oneLine(reference?.title ?? name),
      ...(authors.length > 0 && { author: authors.map(cslName) }),
      ...(year !== undefined && { issued: { "date-parts": [[year]] } }),
      ...(publisher !== undefined && { publisher }),
      ...(doi !== undefined && { DOI: doi }),
      ...(url !== undefined && { URL: url }),
      ...(versions.texts.length > 0 && { version: oneLine(someOf(versions, ", ")) }),
      accessed: { "date-parts": [day.split("-").map(Number)] },
      note: notesOf(source).join(". "),
    };
  });

function cslName(author: string): { family: string; given: string } | { literal: string } {
  const [family = "", ...given] = author.split(",").map((part) => part.trim());
  return given.length > 0 ? { family, given: given.join(", ") } : { literal: family };
}

/** BibTeX, in UTF-8. */
const bibtex = (sources: readonly CitedSource[], day: string): string =>
  withKeys(sources)
    .map(([key, source]) => {
      const { reference, url, name } = source;
      const { authors = [], year, publisher, doi } = reference ?? {};
      const fields: readonly (readonly [string, string | undefined])[] = [
        // Inner braces keep capitals.
        ["author", authors.length > 0 ? authors.map(bibtexName).join(" and ") : undefined],
        ["title", `{${escaped(reference?.title ?? name)}}`],
        ["year", year === undefined ? undefined : String(year)],
        ["publisher", publisher === undefined ? undefined : escaped(publisher)],
        ["doi", doi === undefined ? undefined : inUrl(doi)],
        ["url", url === undefined ? undefined : inUrl(url)],
        ["urldate", day],
        ["note", notesOf(source).map(escaped).join(". ")],
      ];
      const lines = fields.flatMap(([field, value]) =>
        value === undefined ? [] : [`  ${field} = {${value}},\n`],
      );
      return `@misc{${key},\n${lines.join("")}}\n`;
    })
    .join("\n");

/** A group is one name, whatever commas or `and` it has. */
const bibtexName = (author: string): string =>
  author.includes(",") ? escaped(author) : `{${escaped(author)}}`;

const ESCAPES: Readonly<Record<string, string>> = {
  // BibTeX counts braces even behind a backslash.
  "\\": "\\textbackslash{}",
  "{": "\\textbraceleft{}",
  "}": "\\textbraceright{}",
  "~": "\\textasciitilde{}",
  "^": "\\textasciicircum{}",
};

/** A text in a field of BibTeX, where TeX's special characters stand for themselves. */
const escaped = (text: string): string =>
  oneLine(text).replaceAll(/[\\{}~^%&#_$]/g, (one) => ESCAPES[one] ?? `\\${one}`);

/** An address, which `\url` takes as it is but for braces and backslashes. */
const inUrl = (url: string): string =>
  url.replaceAll(/[\s{}\\"<>^`\p{Cc}]/gu, (one) => encodeURIComponent(one));

/** Each source with a key of its own, of characters that BibTeX takes. */
function withKeys(sources: readonly CitedSource[]): (readonly [string, CitedSource])[] {
  const used = new Map<string, number>();
  return sources.map((source) => {
    const letters = source.name.normalize("NFD").replaceAll(/\p{M}+/gu, "");
    const key = letters.match(/[A-Za-z0-9.:_-]+/g)?.join("-") ?? "source";
    const number = (used.get(key.toLowerCase()) ?? 0) + 1;
    used.set(key.toLowerCase(), number);
    return [number === 1 ? key : `${key}--${number}`, source] as const;
  });
}
