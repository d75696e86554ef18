/**
 * Streams documents as an intake-esm catalogue (ESM collection specification 0.1.0) in JSON.
 *
 * Facet values are arrays (specification, 2.5), but for facets that have one value in every row: intake-esm cannot group by
 * arrays, as its `search(require_all_on=)` does. There are more scalar columns: `dataset_id`, the name of the dataset in the index; `group_id`, the common facets of the
 * variables of a run, whose files become one xarray dataset; and `data_format`.
 */
import type { components } from "../../../generated/openapi.js";
import type { FacetTree } from "../../domain/aggregation/facet-request.js";
import { storedValues } from "../../domain/completeness/folded-values.js";
import { INTAKE_COLUMNS } from "../../domain/vocabulary/catalogue-names.js";
import { datasetId } from "../../domain/vocabulary/dataset-id.js";
import { FACET_NAMES, FACETS } from "../../domain/vocabulary/facets.js";
import { translation } from "../../domain/vocabulary/flavours.js";
import { versioned } from "../../domain/vocabulary/versioned.js";
import type { SolrDocument } from "../../index/export/document-batch.js";
import type { DocumentBatches } from "../../index/export/export.js";
import type { FacetAggregation } from "../../index/query/facet-aggregations.js";
import { numberIn } from "./aggregation/buckets.js";
import {
  type CatalogueSource,
  type Column,
  catalogueName,
  columns,
  searchInWords,
} from "./catalogue.js";

type IntakeCatalogue = components["schemas"]["IntakeCatalogue"];

/** Facets that differ within a group, or name a location. */
const WITHIN_A_GROUP = new Set(["variable", "fs_type", "dataset"]);

/** Names of formats in intake-esm; others stay as they are. */
const DATA_FORMATS: Readonly<Record<string, string>> = {
  nc: "netcdf",
  nc4: "netcdf",
  netcdf: "netcdf",
  zarr: "zarr",
};

function dataFormatOf(document: SolrDocument): string {
  const format = String(document.format ?? "").toLowerCase();
  return DATA_FORMATS[format] ?? format;
}

/** Facets that can form the name of a dataset if a document lacks it. */
const NAMING = FACET_NAMES.filter((facet) => !FACETS[facet].onRequest);

export function intakeFields(source: CatalogueSource): string[] {
  const all = columns(source).map(({ field }) => field);
  return [...new Set([source.key, ...all, "dataset_id", ...NAMING])];
}

/** The name of a document's dataset: the stored one, else the one derived from its facets. */
function nameOf(document: SolrDocument, { multiVersion }: CatalogueSource): string {
  const name = textOf(document.dataset_id) ?? datasetId(document);
  return (multiVersion ? versioned(name, document.version) : name) ?? "";
}

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

/** Counts, of each facet, its values and the documents without one. */
export const scalarFacets = (source: CatalogueSource): FacetTree =>
  Object.fromEntries(
    columns(source).flatMap(({ field }) => [
      [`values_${field}`, `countvals(${field})`],
      [`missing_${field}`, `missing(${field})`],
    ]),
  );

/** The facets that have exactly one value in every document. @param counted the numbers of `scalarFacets` */
export function scalarColumns(
  source: CatalogueSource,
  counted: FacetAggregation | undefined,
): ReadonlySet<string> {
  if (counted === undefined) return new Set();
  const { found, numbers } = counted;
  const isScalar = (field: string): boolean =>
    numberIn(numbers, `values_${field}`) === found && numberIn(numbers, `missing_${field}`) === 0;
  return new Set(columns(source).flatMap(({ field }) => (isScalar(field) ? [field] : [])));
}

interface Writing {
  /** An alternative location of an entry, and its format there if it is another one. */
  readonly location?: ((document: SolrDocument) => string) | undefined;
  readonly dataFormat?: string | undefined;
  /** Facets whose values are written as texts, not as arrays. */
  readonly scalars?: ReadonlySet<string>;
}

class Written {
  readonly field: Column["field"];
  readonly isOfGroup: boolean;
  /** The name in JSON, with what separates it from the column before. */
  readonly #head: string;
  readonly #isScalar: boolean;
  /** The single value of the row before, and its text: rows are in the order of their paths, so most have it again. */
  #before: unknown;
  #text = "";

  constructor({ field, name }: Column, scalars: ReadonlySet<string>) {
    this.field = field;
    this.isOfGroup = !WITHIN_A_GROUP.has(field);
    this.#head = member(name);
    this.#isScalar = field === "fs_type" || scalars.has(field);
  }

  of(values: readonly unknown[]): string {
    const [value] = values;
    if (values.length !== 1) {
      // The index may have changed since the values were counted: then an entry with several keeps them all.
      const texts = values.map(String);
      return this.#head + JSON.stringify(this.field === "fs_type" ? (texts[0] ?? "") : texts);
    }
    if (value !== this.#before) {
      const text = JSON.stringify(String(value));
      this.#before = value;
      this.#text = this.#head + (this.#isScalar ? text : `[${text}]`);
    }
    return this.#text;
  }
}

const member = (name: string): string => `,${JSON.stringify(name)}:`;
const [DATASET, GROUP, FORMAT] = INTAKE_COLUMNS.map(member);

/** A row as JSON. It is made of pieces, as an object would take twice the time to make and to write. */
function row(
  document: SolrDocument,
  source: CatalogueSource,
  all: readonly Written[],
  { location: locationOf, dataFormat = dataFormatOf(document) }: Writing,
): string {
  const location = locationOf ? locationOf(document) : document[source.key];
  let text = location === undefined ? "" : member(source.key) + JSON.stringify(location);
  let group: string | undefined;
  for (const column of all) {
    const values = storedValues(document, column.field);
    text += column.of(values);
    if (!column.isOfGroup || values.length === 0) continue;
    const part = values.length === 1 ? String(values[0]) : values.join("-");
    group = group === undefined ? part : `${group}.${part}`;
  }
  text += DATASET + JSON.stringify(nameOf(document, source));
  text += GROUP + JSON.stringify(group ?? "");
  text += FORMAT + JSON.stringify(dataFormat);
  return `{${text.slice(1)}}`;
}

type Head = Omit<IntakeCatalogue, "catalog_dict">;

/** Names the columns with arrays, which intake-esm cannot group by. */
function listsInWords(source: CatalogueSource, scalars: ReadonlySet<string>): string {
  const lists = columns(source).filter(({ field }) => field !== "fs_type" && !scalars.has(field));
  if (lists.length === 0) return "";
  const names = lists.map(({ name }) => name).join(", ");
  return ` Columns with lists, because some files have none or several of their values: ${names}.`;
}

function head(source: CatalogueSource, now: Date, scalars: ReadonlySet<string>): Head {
  const { name } = translation(source.flavour, source.translate);
  const names = [source.key, ...columns(source).map((column) => column.name)];
  return {
    esmcat_version: "0.1.0",
    attributes: [...names, ...INTAKE_COLUMNS].map((column_name) => ({
      column_name,
      vocabulary: "",
    })),
    assets: { column_name: source.key, format_column_name: "data_format" },
    id: catalogueName(source),
    title: `climate-nextgen: ${source.flavour.name}`,
    description: `${searchInWords(source)}.${listsInWords(source, scalars)}`,
    last_updated: now.toISOString().slice(0, 19),
    aggregation_control: {
      variable_column_name: name("variable"),
      groupby_attrs: ["group_id", "fs_type"],
      aggregations: [
        { type: "union", attribute_name: name("variable"), options: { compat: "override" } },
        {
          type: "join_existing",
          attribute_name: source.key,
          // Only variables with a time axis are concatenated; the others are the same in every file.
          options: { dim: "time", data_vars: "minimal", coords: "minimal", compat: "override" },
        },
      ],
    },
  };
}

export async function* intakeCatalogue(
  batches: DocumentBatches,
  source: CatalogueSource,
  now: Date,
  writing: Writing = {},
): AsyncGenerator<string, void, undefined> {
  const { scalars = new Set() } = writing;
  const all = columns(source).map((column) => new Written(column, scalars));
  yield `${JSON.stringify(head(source, now, scalars)).slice(0, -1)},"catalog_dict":[`;
  let separator = "\n";
  for await (const documents of batches) {
    let text = "";
    for (const document of documents) {
      text += separator + row(document, source, all, writing);
      separator = ",\n";
    }
    yield text;
  }
  yield "\n]}\n";
}
