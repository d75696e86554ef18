/** Reads the facets of a file from its path, by the rules of a data reference syntax. */
import { LRUCache } from "lru-cache";
import type { Facet } from "../../domain/vocabulary/facets.js";
import type { Header } from "../../files/cf/header.js";
import { withoutTrailing } from "../../platform/trailing-characters.js";
import type { Definition, FolderForm, NameForm } from "./definition.js";
import { attributeText, MAX_TEXT } from "./header-text.js";
import { isNameRange, readNameTime } from "./name-time.js";
import { Pattern } from "./pattern.js";
import { type Admission, IGNORED, match, type Part } from "./template.js";

/** Facets by native name. */
export type Facets = Readonly<Partial<Record<Facet, string | readonly string[]>>>;

export interface PathFacts {
  /** From the folders and the file's name. The folders override the name. */
  readonly facets: Readonly<Partial<Record<Facet, string>>>;
  /** For example v20190710; undefined if the path has none, or `latest`. */
  readonly version: string | undefined;
  /** `[A TO B]` of the time range in the file's name, to the end of its unit. */
  readonly time: string | undefined;
  /** Whether the name marks the data as means of many years. */
  readonly isClimatology: boolean;
  /** Contradictions between folders and file name, one line each. */
  readonly notes: readonly string[];
}

/** The facts from a path, or the reason why it does not fit this standard, as a predicate of the path. */
export type PathReading = PathFacts | { readonly reason: string };

/** The extension, which is not matched by the templates. */
const EXTENSION = /\.(?:nc[34]?|cdf|netcdf|h5|hdf5|hdf|he5|zarr|grb2?|grib2?)$/i;

const DEFAULT_PATTERNS: ReadonlyMap<string, Pattern> = new Map([
  ["version", new Pattern("v#|latest")],
]);
const MAX_PATH = 8192;
const MAX_FOLDERS = 500;

export class Standard {
  readonly definition: Definition;

  /** Recent folders, as each has many files. */
  readonly #folderCache = new LRUCache<string, FolderReading>({
    max: MAX_FOLDERS,
    memoMethod: (path) => this.#readFolders(path),
  });

  constructor(definition: Definition) {
    this.definition = definition;
  }

  get name(): string {
    return this.definition.name;
  }

  /**
   * Reads a path from its end. Folders above those of the standard are ignored.
   *
   * @param path of a file or a store, separated by `/`; a store may also be the last folder itself
   */
  read(path: string): PathReading {
    if (path.length > MAX_PATH) return { reason: "is too long a path" };
    const bare = withoutTrailing(path, "/");
    const cut = bare.lastIndexOf("/");
    const name = bare.slice(cut + 1);
    // Only without an extension: the name of a file could match a folder's template.
    if (!EXTENSION.test(name)) {
      const whole = this.#folderCache.memo(bare);
      if ("values" in whole) return factsOf(whole.form, whole.values, NONE, name);
    }
    const above = this.#folderCache.memo(bare.slice(0, Math.max(cut, 0)));
    if ("reason" in above) return above;
    const file = this.#fileName(name.replace(EXTENSION, ""), above.form, above.values);
    return "reason" in file ? file : factsOf(above.form, above.values, file.values, name);
  }

  /** The kind of storage that the rules give for a path; undefined if none applies. */
  storage(path: string): string | undefined {
    return this.definition.storage.find((rule) => rule.path.fits(path))?.fsType;
  }

  recognises(header: Header): boolean {
    return [...this.definition.recognise].some(([attribute, pattern]) => {
      const text = attributeText(header, attribute);
      return text !== undefined && text.length <= MAX_TEXT && pattern.fits(text);
    });
  }

  #admission(form: FolderForm | undefined, known: ReadonlyMap<string, string>): Admission {
    return {
      admits: (field, value) => {
        if (field === "time") return readNameTime(value) !== undefined;
        // Otherwise the dates would be taken for the name before them, if that is missing.
        const isDates = field !== IGNORED && isNameRange(value);
        return !isDates && (this.#pattern(form, field)?.fits(value) ?? true);
      },
      known: (field) => known.get(field),
    };
  }

  #pattern(form: FolderForm | undefined, field: string): Pattern | undefined {
    return (
      form?.patterns.get(field) ??
      this.definition.patterns.get(field) ??
      DEFAULT_PATTERNS.get(field)
    );
  }

  #readFolders(path: string): FolderReading {
    const parts = path.split("/").filter((part) => part !== "" && part !== ".");
    let best = { fitting: -1, reason: "" };
    for (const form of this.definition.folders) {
      const values = new Map<string, string>();
      const admission = this.#admission(form, NONE);
      let fitting = 0;
      let reason: string | undefined;
      for (; fitting < form.folders.length && reason === undefined; fitting++) {
        const template = form.folders.at(-1 - fitting) ?? [];
        const text = parts.at(-1 - fitting);
        const found = text === undefined ? undefined : match(template, text, admission);
        if (found !== undefined && "values" in found) {
          for (const [field, value] of found.values) values.set(field, value);
          continue;
        }
        const where = `in ${form.template}`;
        reason =
          text === undefined
            ? `is not deep enough: ${this.#expected(form, template[0])} is missing ${where}`
            : `has the folder ${JSON.stringify(text)} where ${this.#expected(form, template[0])} is expected ${where}`;
        break;
      }
      if (reason === undefined) return { form, values };
      if (fitting > best.fitting) best = { fitting, reason };
    }
    return { reason: best.reason };
  }

  #fileName(
    name: string,
    form: FolderForm,
    known: Values,
  ): { readonly values: Values } | { readonly reason: string } {
    let best: { left: number; form: NameForm; part: Part | undefined; found: string } | undefined;
    for (const one of this.definition.files) {
      const found = match(one.parts, name, this.#admission(undefined, known));
      if ("values" in found) return found;
      const left = found.found.length;
      if (best === undefined || left < best.left) {
        best = { left, form: one, part: found.expected, found: found.found };
      }
    }
    const at = best?.found === "" ? "its end" : JSON.stringify(best?.found);
    const expected = this.#expected(form, best?.part);
    return {
      reason: `has a file name with ${at} where ${expected} is expected in ${best?.form.template}`,
    };
  }

  #expected(form: FolderForm, part: Part | undefined): string {
    if (part === undefined) return "nothing more";
    if ("literal" in part) return JSON.stringify(part.literal);
    if (part.field === "time") return "{time} such as 185001-201412";
    const pattern = this.#pattern(form, part.field);
    return pattern === undefined ? `{${part.field}}` : `{${part.field}} as ${pattern.text}`;
  }
}

type Values = ReadonlyMap<string, string>;
type FolderReading =
  | { readonly form: FolderForm; readonly values: Values }
  | { readonly reason: string };

const NONE: Values = new Map();

/** @param file values from the file's name, used if the folders have none */
function factsOf(form: FolderForm, folders: Values, file: Values, name: string): PathFacts {
  const facets: Partial<Record<Facet, string>> = {};
  const notes: string[] = [];
  for (const [field, value] of [...form.facets, ...folders]) facets[field as Facet] = value;
  for (const [field, value] of file) {
    const before = facets[field as Facet];
    if (before === undefined) facets[field as Facet] = value;
    else if (before !== value)
      notes.push(`${field}: the folder says ${before}, the file name ${value}; the folder counts`);
  }
  const { version, time, ...others } = facets as Record<string, string>;
  return {
    facets: others,
    version: versionOf(version),
    time: readNameTime(time ?? ""),
    isClimatology: /[-_]clim$/i.test(name.replace(EXTENSION, "")),
    notes,
  };
}

/** `latest` is a link to the newest version, not a version. */
function versionOf(text: string | undefined): string | undefined {
  if (text === undefined || text === "latest") return undefined;
  return /^\d/.test(text) ? `v${text}` : text;
}
