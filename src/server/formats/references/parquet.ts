/**
 * References as a folder of Parquet files in a zip archive (fsspec, "LazyReferenceMapper"): `.zmetadata` for each group, and for
 * each array files `refs.<n>.parq` with a row for each chunk, in row-major order.
 */
import { consolidated } from "../../../files/zarr/metadata/documents.js";
import { joinKey, parentOf } from "../../../files/zarr/metadata/keys.js";
import type { ReferencedArray, ReferencePlan } from "../../../files/zarr/references/plan.js";
import { type Reference, referencesOf } from "../../../files/zarr/references/references.js";
import type { ReadingClient } from "../../../files/zarr/worker/client.js";
import type { ParquetCell, ParquetColumn } from "../parquet/column.js";
import { parquetFile } from "../parquet/file.js";
import { type ZipEntry, zip } from "../streams/zip.js";

/** Rows of a file: fsspec's own number. */
const RECORD_SIZE = 10_000;

const RANGES: readonly ParquetColumn[] = [
  { name: "path", kind: "text", list: false },
  { name: "offset", kind: "integer", list: false, isRequired: true },
  { name: "size", kind: "integer", list: false, isRequired: true },
];
const BYTES: ParquetColumn = { name: "raw", kind: "bytes", list: false };

export const parquetReferences = (
  plan: ReferencePlan,
  folder: string,
  client: ReadingClient | undefined,
): AsyncGenerator<Uint8Array, void, undefined> => zip(entries(plan, folder, client));

async function* entries(
  plan: ReferencePlan,
  folder: string,
  client: ReadingClient | undefined,
): AsyncGenerator<readonly ZipEntry[], void, undefined> {
  for (const group of ["", ...plan.consolidated.keys()]) {
    const text = consolidated(ownDocuments(plan.documents, group), group);
    const data = `${text.slice(0, -1)},"record_size":${RECORD_SIZE}}`;
    yield [{ name: `${folder}/${joinKey(group, ".zmetadata")}`, data }];
  }
  for (const array of plan.arrays) yield* arrayEntries(plan, array, folder, client);
}

/**
 * The documents of a group and its arrays. Each group is a set of references of its own: fsspec takes everything below a root
 * for an array, and fails at a group.
 */
function ownDocuments(
  documents: ReadonlyMap<string, string>,
  group: string,
): ReadonlyMap<string, string> {
  return new Map(
    [...documents].filter(([key]) => {
      const parent = parentOf(key);
      return (
        parent === group ||
        (parentOf(parent) === group && documents.has(joinKey(parent, ".zarray")))
      );
    }),
  );
}

async function* arrayEntries(
  plan: ReferencePlan,
  array: ReferencedArray,
  folder: string,
  client: ReadingClient | undefined,
): AsyncGenerator<readonly ZipEntry[], void, undefined> {
  let record = 0;
  for await (const references of referencesOf(plan, array, client, RECORD_SIZE)) {
    const name = `${folder}/${array.path}/refs.${record}.parq`;
    record += 1;
    yield [{ name, data: await recordFile(references) }];
  }
}

/** fsspec takes a file without the column `raw` for one of ranges alone. */
async function recordFile(references: readonly Reference[]): Promise<Uint8Array> {
  const hasBytes = references.some((reference) => reference instanceof Uint8Array);
  const columns = hasBytes ? [...RANGES, BYTES] : RANGES;
  const pieces: Buffer[] = [];
  for await (const piece of parquetFile(columns, rows(references))) pieces.push(piece);
  return Buffer.concat(pieces);
}

async function* rows(references: readonly Reference[]): AsyncGenerator<(readonly ParquetCell[])[]> {
  yield references.map(row);
}

function row(reference: Reference): readonly ParquetCell[] {
  if (reference === undefined) return [undefined, 0, 0, undefined];
  if (reference instanceof Uint8Array) return [undefined, 0, 0, asBytes(reference)];
  const { path, offset, length } = reference;
  return [path, offset, length, undefined];
}

const MARK = "base64:";

/** fsspec decodes bytes that begin with a mark, so bytes that happen to begin with it are encoded. */
function asBytes(data: Uint8Array): Uint8Array {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  return bytes.subarray(0, MARK.length).toString("latin1") === MARK
    ? Buffer.from(MARK + bytes.toString("base64"))
    : data;
}
