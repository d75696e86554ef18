/** What to cite for the datasets of a search: references of the operator, and addresses that follow from a dataset's name. */

import type { Document } from "../completeness/folded-values.js";
import { type Form, fits, formOf } from "../text/wildcards.js";

/** A reference as the operator writes it. */
interface Reference {
  readonly title: string;
  /** `Family, Given`, or the name of a group. */
  readonly authors: readonly string[];
  readonly year?: number | undefined;
  readonly publisher?: string | undefined;
  /** Without `https://doi.org/`. */
  readonly doi?: string | undefined;
  readonly url?: string | undefined;
}

/** A reference and the datasets that it is for. */
export interface CitationRule {
  /** The names of its datasets, in lower case. */
  readonly form: Form;
  readonly reference: Reference;
}

/** @param dataset a name of datasets, in any case, with the wildcards `*` and `?` */
export const citationRule = (dataset: string, reference: Reference): CitationRule => ({
  form: formOf(dataset.toLowerCase()),
  reference,
});

/** Datasets with one citation, and what their files say. */
export interface CitedSource {
  readonly name: string;
  readonly reference: Reference | undefined;
  /** The address of the citation; undefined if none is known. */
  readonly url: string | undefined;
  readonly files: number;
  readonly datasets: number;
  /** Files that name a licence. */
  readonly licensed: number;
  readonly licences: KeptTexts;
  readonly furtherInfo: KeptTexts;
  readonly versions: KeptTexts;
}

/** The different texts of files, up to a bound. */
export interface KeptTexts {
  /** Sorted. */
  readonly texts: readonly string[];
  /** Whether the files have further texts, in an unknown number. */
  readonly hasMore: boolean;
}

/** The parts of a CMIP6 name that its citation stands for: up to the experiment (WIP paper on data citation). */
const CITED_PARTS = 5;

/** Licences, addresses and versions that are kept of a source. */
const MAX_TEXTS = 100;

/** The part of a dataset's name that is cited: of CMIP6, model and experiment. */
function citedName(dataset: string): string {
  const parts = dataset.split(".");
  const isCmip6 = parts[0]?.toUpperCase() === "CMIP6" && parts.length > CITED_PARTS;
  return isCmip6 ? parts.slice(0, CITED_PARTS).join(".") : dataset;
}

/** The page of WDC Climate with authors and DOI of a CMIP6 dataset; undefined for other names. */
function wdccAddress(dataset: string): string | undefined {
  const name = citedName(dataset);
  if (name === dataset) return undefined;
  return `https://www.wdc-climate.de/ui/cmip6?input=${encodeURIComponent(name)}`;
}

function ruleFor(dataset: string, rules: readonly CitationRule[]): CitationRule | undefined {
  const name = dataset.toLowerCase();
  return rules.find(({ form }) => fits(form, name));
}

/** The address to cite a dataset by: of the operator's reference, else of WDC Climate. */
export const citationAddress = (
  dataset: string,
  rules: readonly CitationRule[],
): string | undefined => addressOf(dataset, ruleFor(dataset, rules));

function addressOf(dataset: string, rule: CitationRule | undefined): string | undefined {
  const { doi, url } = rule?.reference ?? {};
  if (doi !== undefined) return `https://doi.org/${doi}`;
  return url ?? wdccAddress(dataset);
}

interface Gathered {
  readonly name: string;
  readonly reference: Reference | undefined;
  /** The address that all datasets share. */
  url: string | undefined;
  readonly datasets: Set<string>;
  readonly licences: BoundedTexts;
  readonly furtherInfo: BoundedTexts;
  readonly versions: BoundedTexts;
  files: number;
  licensed: number;
}

/** The fields of documents that sources are made of. */
export const CITED_FIELDS = ["dataset_id", "license", "further_info_url", "version"] as const;

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** Gathers the sources of files. Datasets with the same reference are one source. */
export class SourceAccumulator {
  readonly #rules: readonly CitationRule[];
  readonly #sources = new Map<CitationRule | string, Gathered>();
  /** By the name of a dataset. */
  readonly #known = new Map<string, Gathered>();
  /** Files that name no dataset. */
  unnamed = 0;

  constructor(rules: readonly CitationRule[]) {
    this.#rules = rules;
  }

  get sources(): readonly CitedSource[] {
    const sorted = [...this.#sources.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
    return sorted.map(({ datasets, licences, furtherInfo, versions, ...source }) => ({
      ...source,
      // One of several pages would be taken for that of all.
      url:
        source.url ?? (furtherInfo.kept.texts.length === 1 ? furtherInfo.kept.texts[0] : undefined),
      datasets: datasets.size,
      licences: licences.kept,
      furtherInfo: furtherInfo.kept,
      versions: versions.kept,
    }));
  }

  add(document: Document): void {
    const dataset = textOf(document.dataset_id);
    if (dataset === "") {
      this.unnamed += 1;
      return;
    }
    const source = this.#sourceOf(dataset);
    source.files += 1;
    const [licence, info] = [textOf(document.license), textOf(document.further_info_url)];
    if (licence !== "") source.licensed += 1;
    source.licences.add(licence);
    source.versions.add(textOf(document.version));
    if (/^https?:\/\/\S+$/i.test(info)) source.furtherInfo.add(info);
  }

  #sourceOf(dataset: string): Gathered {
    const known = this.#known.get(dataset);
    if (known !== undefined) return known;
    const rule = ruleFor(dataset, this.#rules);
    const name = rule?.reference.title ?? citedName(dataset);
    const url = addressOf(dataset, rule);
    const source = this.#sources.get(rule ?? name) ?? {
      name,
      reference: rule?.reference,
      url,
      datasets: new Set(),
      licences: new BoundedTexts(),
      furtherInfo: new BoundedTexts(),
      versions: new BoundedTexts(),
      files: 0,
      licensed: 0,
    };
    if (source.url !== url) source.url = undefined;
    source.datasets.add(dataset);
    this.#sources.set(rule ?? name, source);
    this.#known.set(dataset, source);
    return source;
  }
}

/** Different texts up to a bound: a source has few licences, but files may say anything. */
class BoundedTexts {
  readonly #texts = new Set<string>();
  #hasMore = false;

  add(text: string): void {
    if (text === "" || this.#texts.has(text)) return;
    if (this.#texts.size < MAX_TEXTS) this.#texts.add(text);
    else this.#hasMore = true;
  }

  get kept(): KeptTexts {
    return { texts: [...this.#texts].sort(), hasMore: this.#hasMore };
  }
}
