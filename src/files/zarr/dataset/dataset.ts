import type { FileIdentity } from "../../netcdf/source/file-identity.js";
import type { ByteRange } from "../chunk-place.js";
import type { DatasetHeader } from "../metadata/header.js";
import { nameOf } from "../metadata/keys.js";
import type { Summary } from "../metadata/summary.js";
import type { Selection } from "../slice/selection.js";
import type { ReadingClient } from "../worker/client.js";

/** Bytes of a file that can be sent unchanged. */
export interface StoredRange extends ByteRange {
  readonly path: string;
  readonly identity: FileIdentity;
  /**
   * Whether the path must lead to the file until its last byte is read: a whole file is sent under its name, and may
   * take hours.
   */
  readonly isNamed?: true;
}

export type Content =
  | Value
  /** A missing document or an unwritten chunk. Only these are answered with 404. */
  | { readonly kind: "absent"; readonly reason: "no-such-document" | "unwritten-chunk" }
  /**
   * Neither a document nor a chunk of a known array. Not 404: clients would take a misspelt chunk key for an unwritten
   * chunk and fill it.
   */
  | { readonly kind: "unknown-key" };

export const NO_SUCH_DOCUMENT: Content = { kind: "absent", reason: "no-such-document" };
export const UNWRITTEN: Content = { kind: "absent", reason: "unwritten-chunk" };
export const UNKNOWN_KEY: Content = { kind: "unknown-key" };

/** Existing content; `tag` is a strong entity tag without quotes. */
export type Value =
  /** A JSON document of zarr. */
  | { readonly kind: "document"; readonly text: string; readonly tag: string }
  /** Bytes that can be sent from the file; see `Datasets.body`. */
  | { readonly kind: "range"; readonly range: StoredRange; readonly tag: string }
  /** Bytes that were decoded or joined. */
  | { readonly kind: "bytes"; readonly data: Uint8Array; readonly tag: string };

/**
 * The place of a chunk: a range of a file that holds its bytes, or none. "unwritten" chunks hold fill values, "decoded"
 * ones are made by decoding what is stored.
 */
export type ChunkPlace = StoredRange | "unwritten" | "decoded";

/** Values of an array as an NPY file; `tag` is a strong entity tag without quotes. */
export interface Slice {
  readonly data: Uint8Array;
  readonly tag: string;
}

/** The properties of an array that are needed to request a slice. */
export interface ArrayFacts {
  readonly shape: readonly number[];
  /** Whether its elements are numbers. */
  readonly hasNumbers: boolean;
}

const DOCUMENTS = new Set([".zmetadata", ".zgroup", ".zattrs", ".zarray", "zarr.json"]);

/** Whether a key is a JSON document of zarr v2 or v3. */
export const isDocumentKey = (key: string): boolean => DOCUMENTS.has(nameOf(key));

/** A file or a store, presented as a zarr store. */
export interface Dataset {
  readonly path: string;
  readonly format: string;
  /** The text of a document; undefined if it does not exist. */
  document(key: string): Promise<string | undefined>;
  /**
   * The content of a key; `tag` is a strong entity tag without quotes.
   *
   * @param client clients take turns in reading
   * @throws ReadingError; a failure is never `absent`
   */
  content(key: string, client?: ReadingClient): Promise<Content>;
  /** The data of files for references, with chunks that are stored ranges wherever the files allow it; left out for a store. */
  referable?(): ReferableDataset;
  /** The properties of an array; undefined if there is none at this path. */
  array(path: string, client?: ReadingClient): Promise<ArrayFacts | undefined>;
  /** The tag that `slice` would return, without reading; left out if it is unknown, as one of several files may change. */
  sliceTag?(path: string, selection: Selection): string | undefined;
  /** Values of an array, unpacked, as an NPY file in single precision. */
  slice(
    path: string,
    selection: Selection,
    client?: ReadingClient,
    signal?: AbortSignal,
  ): Promise<Slice>;
  /** The tag that `content` would return, without reading; left out if it is unknown. */
  tag?(key: string): string | undefined;
  /** The metadata in CF form, and what of them cannot be shown. */
  header(client?: ReadingClient): Promise<DatasetHeader>;
  /** A summary for people, of bounded length. */
  summary(client?: ReadingClient): Promise<Summary>;
}

/** Data of files, whose ranges can be referenced. */
export interface ReferableDataset extends Dataset {
  /** The texts of all documents but `.zmetadata`, by key. */
  documents(): Promise<ReadonlyMap<string, string>>;
  /** The place of a chunk, without reading its values; undefined if the key is no chunk of a known array. */
  locate(key: string, client?: ReadingClient): Promise<ChunkPlace | undefined>;
}
