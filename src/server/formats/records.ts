/** Converts documents into records with chosen fields: JSON objects and table rows. */
import { envelopeNumbers } from "../../domain/extent/region.js";
import type { ChosenField } from "../../domain/search/chosen-fields.js";
import { SIDES, type Side, sideColumn } from "../../domain/vocabulary/catalogue-names.js";
import type { SolrDocument } from "../../index/export/document-batch.js";
import type { DocumentBatches } from "../../index/export/export.js";
import { valuesOf } from "./catalogue.js";
import { type Cell, csvLine } from "./csv.js";
import type { ParquetColumn } from "./parquet/column.js";
import { parquetFile } from "./parquet/file.js";

/** A box in degrees, as registered: longitudes in any convention. */
export type BoxRecord = Readonly<Record<Side, number>>;

/** Orders boxes by their sides: west, east, south, north. */
export const compareBoxes = (a: BoxRecord, b: BoxRecord): number =>
  SIDES.map((side) => a[side] - b[side]).find((difference) => difference !== 0) ?? 0;

type FieldValue = Cell | BoxRecord;

const RANGE = /^\[(\S+) TO (\S+)\]$/;

/** A period in the form that searches accept. */
const readable = (range: string): string => range.replace(RANGE, "$1 to $2");

/** Parses the text of a box. @returns undefined if it is none */
export function boxRecord(text: string): BoxRecord | undefined {
  const [west, east, north, south] = envelopeNumbers(text) ?? [];
  if (west === undefined || east === undefined) return undefined;
  return north === undefined || south === undefined ? undefined : { west, east, south, north };
}

/** The value of a field: a list if the field may have several values; undefined if there is none. */
function valueOfField(document: SolrDocument, { field, kind, several }: ChosenField): FieldValue {
  const values = valuesOf(document, field);
  const [first] = values;
  if (first === undefined) return undefined;
  if (several) return values;
  if (kind === "bytes") return Number(first);
  if (kind === "flag") return first === "true";
  if (kind === "period") return readable(first);
  return kind === "box" ? boxRecord(first) : first;
}

/** A document as JSON, without missing fields. */
export function record(document: SolrDocument, fields: readonly ChosenField[]) {
  const entries = fields.map((field) => [field.name, valueOfField(document, field)] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as Record<
    string,
    Exclude<FieldValue, undefined | readonly string[]> | string[]
  >;
}

const KIND = {
  text: "text",
  period: "text",
  bytes: "integer",
  timestamp: "timestamp",
  flag: "flag",
} as const;

interface TableColumn extends ParquetColumn {
  cell(document: SolrDocument): Cell;
}

/** The columns of a table: one for each field, or for each side of a box. */
function tableColumns(fields: readonly ChosenField[]): TableColumn[] {
  return fields.flatMap((field): TableColumn[] => {
    const { name, kind, several } = field;
    if (kind !== "box") {
      const cell = (document: SolrDocument) => valueOfField(document, field) as Cell;
      return [{ name, kind: KIND[kind], list: several, cell }];
    }
    return SIDES.map((side) => ({
      ...({ name: sideColumn(side), kind: "number", list: false } as const),
      cell: (document: SolrDocument) =>
        (valueOfField(document, field) as BoxRecord | undefined)?.[side],
    }));
  });
}

/** The documents as CSV, with column names in the first line. */
export async function* csvTable(
  batches: DocumentBatches,
  fields: readonly ChosenField[],
): AsyncGenerator<string, void, undefined> {
  const columns = tableColumns(fields);
  yield csvLine(columns.map(({ name }) => name));
  for await (const documents of batches) {
    let text = "";
    for (const document of documents) text += csvLine(columns.map(({ cell }) => cell(document)));
    yield text;
  }
}

export function parquetTable(
  batches: DocumentBatches,
  fields: readonly ChosenField[],
): AsyncGenerator<Buffer, void, undefined> {
  const columns = tableColumns(fields);
  return parquetFile(columns, rows(batches, columns));
}

async function* rows(batches: DocumentBatches, columns: readonly TableColumn[]) {
  for await (const documents of batches) {
    yield documents.map((document) => columns.map(({ cell }) => cell(document)));
  }
}
