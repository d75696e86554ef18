/** Parses and checks the YAML definition of a data reference syntax; see docs/drs.md. */
import { parse } from "yaml";
import { nearest } from "../../domain/text/nearest-names.js";
import { DETAIL_NAMES, DETAILS, isDetail } from "../../domain/vocabulary/details.js";
import { type CountedField, isSingle } from "../../domain/vocabulary/facets.js";
import { UserError } from "../../platform/errors.js";
import {
  constantsOf,
  DefinitionError,
  list,
  patternOf,
  patternsOf,
  quoted,
  readTable,
  requireFacet,
  requireField,
  table,
  textOf,
} from "./definition-values.js";
import { BadExpression, Expression } from "./expression.js";
import type { Pattern } from "./pattern.js";
import { BadTemplate, foldersOf, formsOf, IGNORED, type Part } from "./template.js";

export interface FolderForm {
  /** As written in the file. */
  readonly template: string;
  readonly folders: readonly (readonly Part[])[];
  /** Facets of all files in these folders. */
  readonly facets: ReadonlyMap<string, string>;
  readonly patterns: ReadonlyMap<string, Pattern>;
}

export interface NameForm {
  readonly template: string;
  readonly parts: readonly Part[];
}

/** Facet or detail -> expressions for its value. The first that has a value applies. */
export type FieldExpressions = ReadonlyMap<string, readonly Expression[]>;

export interface Definition {
  readonly name: string;
  /** Standards of the package that are tested after this one. */
  readonly before: readonly string[];
  /** Attributes that identify headers of this standard, and the value of each. One match is enough. */
  readonly recognise: ReadonlyMap<string, Pattern>;
  readonly facets: ReadonlyMap<string, string>;
  readonly folders: readonly FolderForm[];
  readonly files: readonly NameForm[];
  readonly patterns: ReadonlyMap<string, Pattern>;
  readonly attributes: FieldExpressions;
  readonly hints: FieldExpressions;
  /** Facet -> the facet that determines it, and its value for each of that facet's values. */
  readonly derived: ReadonlyMap<
    string,
    { readonly from: string; readonly values: ReadonlyMap<string, string> }
  >;
  readonly defaults: FieldExpressions;
  readonly storage: readonly { readonly path: Pattern; readonly fsType: string }[];
}

/** The file does not define a data reference syntax. The message names the file, the key in it and the reason. */
export class InvalidStandard extends UserError {}

export const MAX_FILE = 64 * 1024;

export function readDefinition(text: string, source: string): Definition {
  if (text.length > MAX_FILE) {
    throw new InvalidStandard(`${source}: has more than ${MAX_FILE / 1024} kB.`);
  }
  try {
    return definition(parsed(text));
  } catch (error) {
    if (!(error instanceof DefinitionError)) throw error;
    throw new InvalidStandard(
      `${source}: ${error.keyPath === "" ? "" : `${error.keyPath} `}${error.message}.`,
    );
  }
}

/** Parses tables as maps: no key is special. Rejects aliases, which can expand without limit. */
function parsed(text: string): unknown {
  try {
    return parse(text, { mapAsMap: true, maxAliasCount: 0, prettyErrors: true });
  } catch (error) {
    // Deep nesting exhausts the parser's stack.
    if (error instanceof RangeError) throw new DefinitionError("", "is nested too deeply");
    throw new DefinitionError(
      "",
      `is not YAML: ${`${(error as Error).message}`.split("\n", 1)[0]}`,
    );
  }
}

const SECTIONS = [
  "name",
  "before",
  "recognise",
  "facets",
  "folders",
  "files",
  "patterns",
  "attributes",
  "hints",
  "derived",
  "defaults",
  "storage",
];

function definition(document: unknown): Definition {
  const sections = table(document, "");
  for (const section of sections.keys()) {
    if (!SECTIONS.includes(section)) {
      const near = nearest(section, SECTIONS).join(", ");
      throw new DefinitionError(quoted(section), `is no section here; did you mean ${near}`);
    }
  }
  const name = sections.get("name");
  if (typeof name !== "string" || name.trim() === "")
    throw new DefinitionError("name", "must be a text");
  const patterns = patternsOf(sections.get("patterns"), "patterns");
  const result: Definition = {
    name,
    before: list(sections.get("before"), "before").map(([one, keyPath]) => textOf(one, keyPath)),
    recognise: patternsOf(sections.get("recognise"), "recognise", () => {}),
    facets: constantsOf(sections.get("facets"), "facets"),
    folders: list(sections.get("folders"), "folders").flatMap(folderForms),
    files: list(sections.get("files"), "files").flatMap(nameForms),
    patterns,
    attributes: fieldExpressions(sections.get("attributes"), "attributes", true),
    hints: fieldExpressions(sections.get("hints"), "hints", true),
    derived: derivedOf(sections.get("derived")),
    defaults: fieldExpressions(sections.get("defaults"), "defaults", false),
    storage: storageOf(sections.get("storage")),
  };
  if (result.folders.length === 0) throw new DefinitionError("folders", "must name a template");
  if (result.files.length === 0) throw new DefinitionError("files", "must name a template");
  return result;
}

/** Details that an attribute can state: texts that are not derived from other fields. */
const ATTRIBUTE_DETAILS: readonly string[] = DETAIL_NAMES.filter(
  (detail) => DETAILS[detail].kind === "text" && !DETAILS[detail].derived && detail !== "checksum",
);

function folderForms([value, keyPath]: readonly [unknown, string]): FolderForm[] {
  const entry = value instanceof Map ? table(value, keyPath) : new Map([["path", value]]);
  for (const key of entry.keys()) {
    if (!["path", "facets", "patterns"].includes(key)) {
      throw new DefinitionError(keyPath, `has ${quoted(key)} beside path, facets and patterns`);
    }
  }
  const template = textOf(entry.get("path"), `${keyPath}.path`);
  const facets = constantsOf(entry.get("facets"), `${keyPath}.facets`);
  const patterns = patternsOf(entry.get("patterns"), `${keyPath}.patterns`);
  return forms(template, keyPath).map((parts) => {
    const folders = foldersOf(parts);
    if (folders.length === 0) throw new DefinitionError(keyPath, "has a form without a folder");
    return { template, folders, facets, patterns };
  });
}

function nameForms([value, keyPath]: readonly [unknown, string]): NameForm[] {
  const template = textOf(value, keyPath);
  if (template.includes("/"))
    throw new DefinitionError(keyPath, "is a file's name, which has no / in it");
  return forms(template, keyPath).map((parts) => {
    if (parts.length === 0) throw new DefinitionError(keyPath, "has a form without a name");
    return { template, parts };
  });
}

/** Reads a template or an expression of a definition. An error names its key. */
function atKey<T>(keyPath: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const isBad = error instanceof BadTemplate || error instanceof BadExpression;
    throw isBad ? new DefinitionError(keyPath, error.message) : error;
  }
}

function forms(template: string, keyPath: string): readonly (readonly Part[])[] {
  const all = atKey(keyPath, () => formsOf(template));
  for (const parts of all) {
    const fields = parts.flatMap((part) => ("field" in part ? [part.field] : []));
    const known = fields.filter((field) => field !== IGNORED && field !== "time");
    for (const field of known) requireField(field, keyPath);
    const twice = fields.find((field, i) => field !== IGNORED && fields.indexOf(field) < i);
    if (twice !== undefined) throw new DefinitionError(keyPath, `has {${twice}} twice`);
  }
  return all;
}

/** @param ofAttributes whether the expressions name attributes (any name, braces optional) or facets */
function fieldExpressions(
  value: unknown,
  keyPath: string,
  ofAttributes: boolean,
): FieldExpressions {
  const checkName = ofAttributes ? () => {} : requireFacet;
  return readTable(value, keyPath, (name, said, at) => {
    if (!ATTRIBUTE_DETAILS.includes(name)) requireField(name, keyPath);
    const isOne = isDetail(name) ? !DETAILS[name].several : isSingle(name as CountedField);
    const expressions = list(said, at).map(([one, place]) =>
      expressionOf(one, place, ofAttributes, checkName),
    );
    if (isOne && expressions.some(({ isList }) => isList)) {
      throw new DefinitionError(at, "has [*], but a file has one of it at the most");
    }
    return expressions;
  });
}

function expressionOf(
  value: unknown,
  keyPath: string,
  isName: boolean,
  checkName: (name: string, keyPath: string) => void,
): Expression {
  const text = textOf(value, keyPath);
  const whole = isName && !/[{}]/.test(text) ? `{${text}}` : text;
  const expression = atKey(keyPath, () => new Expression(whole));
  for (const name of expression.names) checkName(name, keyPath);
  return expression;
}

const derivedOf = (value: unknown): Definition["derived"] =>
  readTable(value, "derived", (name, rule, keyPath) => {
    requireFacet(name, keyPath);
    const entry = table(rule, keyPath);
    const from = textOf(entry.get("from"), `${keyPath}.from`);
    requireFacet(from, `${keyPath}.from`);
    const at = `${keyPath}.values`;
    return { from, values: readTable(entry.get("values"), at, (_, text) => textOf(text, at)) };
  });

function storageOf(value: unknown): Definition["storage"] {
  return list(value, "storage").map(([rule, keyPath]) => {
    const entry = table(rule, keyPath);
    return {
      path: patternOf(entry.get("path"), `${keyPath}.path`),
      fsType: textOf(entry.get("fs_type"), `${keyPath}.fs_type`),
    };
  });
}
