/** A data reference syntax: what the path of a file says of it. */
import { LRUCache } from "lru-cache";
import type { Facet } from "../../domain/vocabulary/facets.js";
import type { Header } from "../../files/cf/header.js";
import { withoutTrailing } from "../../platform/trailing-characters.js";
import type { Definition, FolderForm, NameForm } from "./definition.js";
import { attributeText, MAX_TEXT } from "./header-text.js";
import { readNameTime } from "./name-time.js";
import { Pattern } from "./pattern.js";
import { type Admission, match, type Part } from "./template.js";

/** Facets by native name. */
export type Facets = Readonly<Partial<Record<Facet, string | readonly string[]>>>;

export interface PathFacts {
  /** Of the folders and of the file's name; where they differ the folders hold. */
  readonly facets: Readonly<Partial<Record<Facet, string>>>;
  /** Such as v20190710; undefined where the path has none, or `latest`. */
  readonly version: string | undefined;
  /** `[A TO B]` of the time range in the file's name, to the end of its unit. */
  readonly time: string | undefined;
  /** Whether the name says that the data are the means of many years. */
  readonly isClimatology: boolean;
  /** What folders and file name contradict, one line each. */
  readonly notes: readonly string[];
}

/** What a path says, or why it is no path of this standard: a predicate of the path. */
export type PathReading = PathFacts | { readonly reason: string };

/** What is no part of a file's name but tells its format. */
const EXTENSION = /\.(?:nc[34]?|cdf|netcdf|h5|hdf5|hdf|he5|zarr|grb2?|grib2?)$/i;

const DEFAULT_PATTERNS: ReadonlyMap<string, Pattern> = new Map([
  ["version", new Pattern("v#|latest")],
]);
const MAX_PATH = 8192;
const MAX_FOLDERS = 500;

export class Standard {
  readonly definition: Definition;

  /** Folders that were read of late: those of many files. */
  readonly #known = new LRUCache<string, FolderReading>({
    max: MAX_FOLDERS,
    memoMethod: (path) => this.#readFolders(path),
  });
  /** As a list of one, always the same. */
  readonly itself: readonly Standard[] = [this];

  constructor(definition: Definition) {
    this.definition = definition;
  }

  get name(): string {
    return this.definition.name;
  }

  /**
   * Reads a path from its end: whatever lies above the standard's folders is of no interest.
   *
   * @param path of a file or a store, with `/` between folders; a store may also be the last folder itself
   */
  read(path: string): PathReading {
    if (path.length > MAX_PATH) return { reason: "is too long a path" };
    const bare = withoutTrailing(path, "/");
    const cut = bare.lastIndexOf("/");
    const name = bare.slice(cut + 1);
    // A file's own name would pass for a folder of any name.
    if (!EXTENSION.test(name)) {
      const whole = this.#known.memo(bare);
      if ("values" in whole) return factsOf(whole.form, whole.values, NONE, name);
    }
    const above = this.#known.memo(bare.slice(0, Math.max(cut, 0)));
    if ("reason" in above) return above;
    const file = this.#fileName(name.replace(EXTENSION, ""), above.form, above.values);
    return "reason" in file ? file : factsOf(above.form, above.values, file.values, name);
  }

  /** The kind of storage by the path's rule; undefined where there is none. */
  storage(path: string): string | undefined {
    return this.definition.storage.find((rule) => rule.path.fits(path))?.fsType;
  }

  /** Whether a header says that it is of this standard. */
  recognises(header: Header): boolean {
    return [...this.definition.recognise].some(([attribute, pattern]) => {
      const text = attributeText(header, attribute);
      return text !== undefined && text.length <= MAX_TEXT && pattern.fits(text);
    });
  }

  #admission(form: FolderForm | undefined, known: ReadonlyMap<string, string>): Admission {
    return {
      admits: (field, value) => {
        // A range of dates is no name, where a name before it is missing.
        const isTime =
          (field === "time" || value.includes("-")) && readNameTime(value) !== undefined;
        return isTime === (field === "time") && (this.#pattern(form, field)?.fits(value) ?? true);
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

/** @param file what the file's name says, which holds where the folders say nothing */
function factsOf(form: FolderForm, folders: Values, file: Values, name: string): PathFacts {
  const facets: Partial<Record<Facet, string>> = {};
  const notes: string[] = [];
  for (const [field, value] of [...form.facets, ...folders]) facets[field as Facet] = value;
  for (const [field, value] of file) {
    const before = facets[field as Facet];
    if (before === undefined) facets[field as Facet] = value;
    else if (before !== value)
      notes.push(`${field}: the folder says ${before}, the file name ${value}`);
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

/** `latest` is no version, but where the newest can be found. */
function versionOf(text: string | undefined): string | undefined {
  if (text === undefined || text === "latest") return undefined;
  return /^\d/.test(text) ? `v${text}` : text;
}
