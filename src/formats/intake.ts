/**
 * Documents -> an intake-esm catalogue (ESM collection specification 0.1.0) as streamed JSON.
 *
 * Facet values are arrays, as the specification, 2.5, wants them. intake-esm can neither group by
 * such columns nor read a format from one, so two scalar columns stand beside the facets:
 * `dataset_id`, the facets that identify a dataset in one text, and `data_format`.
 */
import type { components } from "../../generated/openapi.js";
import type { DocumentBatches, SolrDocument } from "../solr/export.js";
import { INTAKE_COLUMNS } from "../vocabulary/catalogue-names.js";
import { translation } from "../vocabulary/flavours.js";
import {
  type CatalogueSource,
  type Column,
  catalogueName,
  columns,
  searchInWords,
  valuesOf,
} from "./catalogue.js";

type IntakeCatalogue = components["schemas"]["IntakeCatalogue"];

/** Facets that differ between files of one dataset, or say where rather than what it is. */
const WITHIN_A_DATASET = new Set(["variable", "fs_type", "dataset"]);

/** Formats as intake-esm names them; any other is given as it is. */
const DATA_FORMATS: Readonly<Record<string, string>> = {
  nc: "netcdf",
  nc4: "netcdf",
  netcdf: "netcdf",
  zarr: "zarr",
};

function dataFormat(document: SolrDocument): string {
  const format = String(document.format ?? "").toLowerCase();
  return DATA_FORMATS[format] ?? format;
}

/** The fields that the catalogue needs of each document. */
export function intakeFields(source: CatalogueSource): string[] {
  return [source.key, ...columns(source).map(({ field }) => field)];
}

/** Another place than the document's own where an entry can be opened, and its format there. */
export interface Elsewhere {
  readonly location: (document: SolrDocument) => string;
  readonly dataFormat: string;
}

function entry(
  document: SolrDocument,
  key: string,
  all: readonly Column[],
  elsewhere: Elsewhere | undefined,
): object {
  const location = elsewhere ? elsewhere.location(document) : document[key];
  const row: Record<string, unknown> = { [key]: location };
  const identity: string[] = [];
  for (const { field, name } of all) {
    const values = valuesOf(document, field);
    row[name] = field === "fs_type" ? (values[0] ?? "") : values;
    if (!WITHIN_A_DATASET.has(field) && values.length > 0) identity.push(values.join("-"));
  }
  row.dataset_id = identity.join(".");
  row.data_format = elsewhere?.dataFormat ?? dataFormat(document);
  return row;
}

type Head = Omit<IntakeCatalogue, "catalog_dict">;

function head(source: CatalogueSource, now: Date): Head {
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
    description: `${searchInWords(source)}.`,
    last_updated: now.toISOString().slice(0, 19),
    aggregation_control: {
      variable_column_name: name("variable"),
      groupby_attrs: ["dataset_id", "fs_type"],
      aggregations: [
        { type: "union", attribute_name: name("variable"), options: { compat: "override" } },
        {
          type: "join_existing",
          attribute_name: source.key,
          // Only what has a time axis is joined along it; the rest is the same in every file.
          options: { dim: "time", data_vars: "minimal", coords: "minimal", compat: "override" },
        },
      ],
    },
  };
}

/** The catalogue's JSON text, whole only when every document was read. */
export async function* intakeCatalogue(
  batches: DocumentBatches,
  source: CatalogueSource,
  now: Date,
  elsewhere?: Elsewhere,
): AsyncGenerator<string, void, undefined> {
  const all = columns(source);
  yield `${JSON.stringify(head(source, now)).slice(0, -1)},"catalog_dict":[`;
  let separator = "\n";
  for await (const documents of batches) {
    let text = "";
    for (const document of documents) {
      text += separator + JSON.stringify(entry(document, source.key, all, elsewhere));
      separator = ",\n";
    }
    yield text;
  }
  yield "\n]}\n";
}
