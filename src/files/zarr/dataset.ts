import type { Header } from "../cf/header.js";
import type { FileIdentity } from "../netcdf/source/file-identity.js";
import { nameOf } from "./metadata/keys.js";
import type { Summary } from "./metadata/summary.js";
import type { Selection } from "./slice/selection.js";
import type { ReadingClient } from "./worker/client.js";

/** Bytes of a file that can be sent as they are. */
export interface StoredRange {
  readonly path: string;
  readonly identity: FileIdentity;
  /** Byte of the file. */
  readonly offset: number;
  /** Bytes. */
  readonly length: number;
}

/** What a key of a data set stands for. */
export type Content =
  | Value
  /** Nothing: a document that is not there, or a chunk that was never written. The only thing that is a 404. */
  | { readonly kind: "absent"; readonly reason: "no-such-document" | "unwritten-chunk" }
  /**
   * Neither a document nor a chunk of an array that the metadata know. Not 404: whoever asks for a
   * chunk by a wrong name would take it for one that nobody wrote, and fill it.
   */
  | { readonly kind: "unknown-key" };

/** What there is; `tag` is a strong entity tag without quotes. */
export type Value =
  /** A JSON document of zarr. */
  | { readonly kind: "document"; readonly text: string; readonly tag: string }
  /** Bytes that lie so in a file: see `Datasets.body`. */
  | { readonly kind: "range"; readonly range: StoredRange; readonly tag: string }
  /** Bytes that were decoded or joined. */
  | { readonly kind: "bytes"; readonly data: Uint8Array; readonly tag: string };

/** Values of an array as a file of NumPy; `tag` is a strong entity tag without quotes. */
export interface Slice {
  readonly data: Uint8Array;
  readonly tag: string;
}

/** What has to be known of an array before a slice of it can be asked for. */
export interface ArrayFacts {
  readonly shape: readonly number[];
  /** Whether its elements are numbers. */
  readonly hasNumbers: boolean;
}

const DOCUMENTS = new Set([".zmetadata", ".zgroup", ".zattrs", ".zarray", "zarr.json"]);

/** Whether a key is a JSON document of zarr v2 or v3. */
export const isDocumentKey = (key: string): boolean => DOCUMENTS.has(nameOf(key));

/** A file or a store, as the keys of a zarr store. */
export interface Dataset {
  readonly path: string;
  readonly format: string;
  /** Keys of all documents, `.zmetadata` included; chunks are not listed. */
  keys(): Promise<string[]>;
  /** The text of a document; undefined when there is none of this key. @throws ReadingError */
  document(key: string): Promise<string | undefined>;
  /**
   * What a key stands for; `tag` is a strong entity tag without quotes.
   *
   * @param by who asks: callers take turns in reading
   * @throws ReadingError; never `absent` for a failure
   */
  content(key: string, by?: ReadingClient): Promise<Content>;
  /** What an array is; undefined where there is none of this path. @throws ReadingError */
  array(path: string, by?: ReadingClient): Promise<ArrayFacts | undefined>;
  /** The tag that `slice` would give, without reading; undefined where that cannot be told. */
  sliceTag(path: string, selection: Selection): string | undefined;
  /**
   * Values of an array, unpacked, as a file of NumPy in single precision.
   *
   * @param selection of as many dimensions as the array has
   * @param signal gives it up while it waits for its turn
   * @throws ReadingError
   */
  slice(
    path: string,
    selection: Selection,
    by?: ReadingClient,
    signal?: AbortSignal,
  ): Promise<Slice>;
  /** The tag that `content` would give, without reading; undefined where that cannot be told. */
  tag(key: string): string | undefined;
  /** What it says of itself, for whoever looks for its time and its place. */
  header(by?: ReadingClient): Promise<Header>;
  /** The same for a person, of a bounded length. */
  summary(by?: ReadingClient): Promise<Summary>;
}
