/** The formats in which lists of documents are written. */
import {
  NoEntries,
  NoItems,
  type NothingFound,
  type UnknownValue,
} from "../../../domain/errors.js";
import type { ChosenField } from "../../../domain/search/chosen-fields.js";
import type { UniqKey } from "../../../domain/search/search.js";
import type { DocumentBatches } from "../../../index/export/export.js";
import type { CatalogueSource } from "../../formats/catalogue.js";
import { intakeCatalogue, intakeFields } from "../../formats/intake.js";
import { pathList } from "../../formats/path-list.js";
import { csvTable, parquetTable } from "../../formats/records.js";
import { stacArchive, stacFields } from "../../formats/stac/archive.js";
import { zip } from "../../formats/streams/zip.js";

export interface ListFormat<Type extends string = string> {
  readonly type: Type;
  /** The extension of a downloaded file. */
  readonly extension: string;
  /** Fields of the index that are read of each document. */
  readonly fields: readonly string[];
  /** The error of a list without entries. Formats without one can be empty. */
  readonly Nothing?: new (
    unknown?: readonly UnknownValue[],
  ) => NothingFound;
  /** Characters or bytes that are gathered before the first are sent; see byteStream. */
  readonly firstPiece?: number;
  write(documents: DocumentBatches): AsyncIterable<string | Uint8Array>;
}

/** Locations, one per line. */
export const pathFormat = (key: UniqKey): ListFormat<"text/plain"> => ({
  type: "text/plain",
  extension: "txt",
  fields: [key],
  write: (documents) => pathList(documents, key),
});

/** Addresses of zarr streams, one per line. @param stream the address for a file */
export const zarrFormat = (stream: (file: string) => string): ListFormat<"text/plain"> => ({
  type: "text/plain",
  extension: "txt",
  fields: ["file"],
  Nothing: NoEntries,
  async *write(batches) {
    for await (const documents of batches) {
      yield documents.map(({ file }) => `${stream(String(file))}\n`).join("");
    }
  },
});

export const TABLE_TYPES = {
  csv: "text/csv",
  parquet: "application/vnd.apache.parquet",
} as const;

/** A table with a row per document. */
export const tableFormat = <Form extends keyof typeof TABLE_TYPES>(
  form: Form,
  columns: readonly ChosenField[],
  key: UniqKey,
): ListFormat<(typeof TABLE_TYPES)[Form]> => ({
  type: TABLE_TYPES[form],
  extension: form,
  // Solr does not export documents that lack all requested fields, so the key is always requested.
  fields: [...new Set([...columns.map(({ field }) => field), key])],
  firstPiece: 1,
  write: (documents) => (form === "csv" ? csvTable : parquetTable)(documents, columns),
});

/** An intake-esm catalogue. @param elsewhere as intakeCatalogue */
export const intakeFormat = (
  source: CatalogueSource,
  now: Date,
  elsewhere?: Parameters<typeof intakeCatalogue>[3],
): ListFormat<"application/json"> => ({
  type: "application/json",
  extension: "json",
  fields: [...new Set([...(elsewhere ? ["file"] : []), ...intakeFields(source)])],
  Nothing: NoEntries,
  write: (documents) => intakeCatalogue(documents, source, now, elsewhere),
});

/** A static STAC catalogue in a zip archive. */
export const stacFormat = (source: CatalogueSource): ListFormat<"application/zip"> => ({
  type: "application/zip",
  extension: "zip",
  fields: stacFields(source),
  Nothing: NoItems,
  write: (documents) => zip(stacArchive(documents, source)),
});
