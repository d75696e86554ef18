import type { FileIdentity } from "./file-identity.js";
import type { Summary } from "./summary.js";

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
  /** A JSON document of zarr. */
  | { readonly kind: "document"; readonly text: string; readonly tag: string }
  /** Bytes that lie so in a file: see `Datasets.body`. */
  | { readonly kind: "range"; readonly range: StoredRange; readonly tag: string }
  /** Bytes that were decoded or joined. */
  | { readonly kind: "bytes"; readonly data: Uint8Array; readonly tag: string }
  /** Nothing: no such key, or a chunk that was never written. The only thing that is a 404. */
  | { readonly kind: "absent"; readonly reason: "no-such-key" | "unwritten-chunk" };

/** Whether a key is a JSON document of zarr v2 or v3; chunks are all others. */
export function isDocumentKey(key: string): boolean {
  return /(^|\/)(\.z[a-z]+|zarr\.json)$/.test(key);
}

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
  content(key: string, by?: string): Promise<Content>;
  /** The tag that `content` would give, without reading; undefined where that cannot be told. */
  tag(key: string): string | undefined;
  summary(by?: string): Promise<Summary>;
}
