/** Writes lists of documents in the formats of domain/vocabulary/list-formats.ts. */
import type { components } from "../../../../generated/openapi.js";
import type { FacetTree } from "../../../domain/aggregation/facet-request.js";
import {
  NoEntries,
  NoItems,
  type NothingFound,
  type UnknownValue,
} from "../../../domain/errors.js";
import type { ChosenField } from "../../../domain/search/chosen-fields.js";
import type { UniqKey } from "../../../domain/search/search.js";
import {
  type FormatName,
  type FormatOf,
  LIST_FORMATS,
  type TypeOf,
} from "../../../domain/vocabulary/list-formats.js";
import type { SolrDocument } from "../../../index/export/document-batch.js";
import type { DocumentBatches } from "../../../index/export/export.js";
import type { FacetAggregation } from "../../../index/query/facet-aggregations.js";
import { READABLE_FIELDS } from "../../access/readable-data.js";
import type { CatalogueSource } from "../../formats/catalogue.js";
import { apiRoot, httpLocation, LOCATION_FIELDS } from "../../formats/download/addresses.js";
import type { Layout } from "../../formats/download/entries.js";
import { DOWNLOAD_FIELDS } from "../../formats/download/entries.js";
import { downloadList } from "../../formats/download/lists.js";
import {
  intakeCatalogue,
  intakeFields,
  scalarColumns,
  scalarFacets,
} from "../../formats/intake.js";
import { pathList } from "../../formats/path-list.js";
import { csvTable, parquetTable } from "../../formats/records.js";
import { stacArchive, stacFields } from "../../formats/stac/archive.js";
import { zip } from "../../formats/streams/zip.js";

export interface ListFormat<Type extends string = string> {
  readonly type: Type;
  readonly extension: string;
  /** Fields of the index that are read of each document. */
  readonly fields: readonly string[];
  /** The error of a list without entries. Formats without one can be empty. */
  readonly Nothing?: new (
    unknown?: readonly UnknownValue[],
  ) => NothingFound;
  /** Characters or bytes that are gathered before the first are sent; see pieceBody. */
  readonly firstPiece?: number;
  /** Numbers of the whole search that `write` needs. */
  readonly facets?: FacetTree;
  write(documents: DocumentBatches, numbers?: FacetAggregation): AsyncIterable<string | Uint8Array>;
}

export function listFormat<Name extends FormatName>(
  name: Name,
  how: Omit<ListFormat, "type" | "extension">,
): ListFormat<TypeOf<Name>> {
  const { type, extension } = LIST_FORMATS[name];
  return { type, extension, ...how };
}

/** Locations, one per line. */
export const pathFormat = (key: UniqKey) =>
  listFormat("paths", { fields: [key], write: (documents) => pathList(documents, key) });

/** Addresses of zarr streams, one per line; of files, if the source has locations over HTTP. */
export const addressFormat = (source: CatalogueSource) =>
  listFormat("zarr", {
    fields: [...LOCATION_FIELDS],
    Nothing: NoEntries,
    async *write(batches) {
      const location = addressIn(source);
      for await (const documents of batches) {
        yield documents.map((document) => `${location(document)}\n`).join("");
      }
    },
  });

/** The same as JSON, with the reasons why data cannot be read here. */
export const streamFormat = (
  source: CatalogueSource,
  reasonsOf: (documents: readonly SolrDocument[]) => Promise<readonly (string | undefined)[]>,
): ListFormat<"application/json"> => ({
  type: "application/json",
  extension: "json",
  fields: [...new Set([...LOCATION_FIELDS, ...READABLE_FIELDS])],
  Nothing: NoEntries,
  async *write(batches) {
    const location = addressIn(source);
    let separator = '{"files":[';
    for await (const documents of batches) {
      const reasons = await reasonsOf(documents);
      let text = "";
      for (const [index, document] of documents.entries()) {
        const reason = reasons[index] ?? null;
        const shown: components["schemas"]["LoadedFile"] = {
          file: String(document.file),
          address: location(document),
          format: document.format === undefined ? null : String(document.format),
          readable: reason === null,
          reason,
        };
        text += separator + JSON.stringify(shown);
        separator = ",\n";
      }
      yield text;
    }
    yield "]}\n";
  },
});

/** The address of a document's data at this service. */
const addressIn = (source: CatalogueSource): ((document: SolrDocument) => string) =>
  source.isHttp
    ? (document) => httpLocation(document, source)
    : ({ file }) => source.stream(String(file));

type TableName = FormatOf<"searchExtended">;

/** How the rows of each table are written. */
const TABLES = { csv: csvTable, parquet: parquetTable } satisfies Record<TableName, unknown>;

export const tableFormat = <Name extends TableName>(
  name: Name,
  columns: readonly ChosenField[],
  key: UniqKey,
) =>
  listFormat(name, {
    // Solr does not export documents that lack all requested fields, so the key is always requested.
    fields: [...new Set([...columns.map(({ field }) => field), key])],
    firstPiece: 1,
    write: (documents) => TABLES[name](documents, columns),
  });

/** An intake-esm catalogue. @param isStreamed whether its entries are addresses of zarr streams, unless the source has others */
export function intakeFormat(source: CatalogueSource, now: Date, isStreamed = false) {
  const location = isStreamed || source.isHttp ? addressIn(source) : undefined;
  const dataFormat = isStreamed && !source.isHttp ? "zarr" : undefined;
  return listFormat("intake", {
    fields: [...new Set([...(location ? LOCATION_FIELDS : []), ...intakeFields(source)])],
    Nothing: NoEntries,
    facets: scalarFacets(source),
    write: (documents, numbers) => {
      const scalars = scalarColumns(source, numbers);
      return intakeCatalogue(documents, source, now, { location, dataFormat, scalars });
    },
  });
}

/** The files themselves, as a script or a list that downloads them. */
export const downloadFormat = <Name extends FormatOf<"downloadData">>(
  name: Name,
  layout: Layout,
  base: string,
) =>
  listFormat(name, {
    fields: DOWNLOAD_FIELDS,
    firstPiece: 1,
    write: (documents) => downloadList(documents, name, layout, apiRoot(base)),
  });

export const stacFormat = (source: CatalogueSource) =>
  listFormat("stac", {
    fields: stacFields(source),
    Nothing: NoItems,
    write: (documents) => zip(stacArchive(documents, source)),
  });
