/** The tasks of a reading process on zarr stores: everything that interprets their documents. */
import { FileChanged } from "../../netcdf/errors.js";
import type { ReaderLimits } from "../../netcdf/file-reader.js";
import { consolidated } from "../metadata/documents.js";
import { type DatasetHeader, readHeader } from "../metadata/header.js";
import { joinKey, nameOf, parentOf } from "../metadata/keys.js";
import { type Summary, summarize } from "../metadata/summary.js";
import { asVersion2 } from "../metadata/version-2.js";
import { contentTag } from "../open/entity-tags.js";
import type { Selection } from "../slice/selection.js";
import { arrayDocument, type StoredArrayDocument } from "./array-document.js";
import { StoreFolder, type StorePlace, type UsedFile } from "./folder.js";
import type { StoreFormat } from "./format.js";
import { consolidatedVersion3, documentsBelow } from "./metadata.js";
import { consolidatedMetadata, describedNode, type StoreNode } from "./nodes.js";

/** A task on a store; `kind` selects the type of its value in StoreValues. */
export type StoreTask = StoreQuestion & {
  /** Path of the store. Tasks on one store take turns. */
  readonly path: string;
  readonly place: StorePlace;
  readonly format: StoreFormat;
};

export type StoreQuestion =
  | { readonly kind: "store-node"; readonly at: string }
  | { readonly kind: "store-made"; readonly key: string }
  | { readonly kind: "store-document"; readonly key: string }
  | { readonly kind: "store-header" }
  | { readonly kind: "store-summary" }
  | { readonly kind: "store-array"; readonly at: string }
  | {
      readonly kind: "store-slice";
      readonly at: string;
      readonly selection: Selection;
      /** Bytes of a decoded chunk, to reserve memory. */
      readonly chunkBytes: number;
    };

export interface StoreValues {
  readonly "store-node": StoreNode | undefined;
  /** Consolidated metadata and their entity tag; undefined if the store has its own. */
  readonly "store-made": { readonly text: string; readonly tag: string } | undefined;
  readonly "store-document": string | undefined;
  readonly "store-header": DatasetHeader;
  readonly "store-summary": Summary;
  readonly "store-array": StoredArray | undefined;
  readonly "store-slice": Uint8Array;
}

export type StoreResults = { readonly [K in keyof StoreValues]: Gathered<StoreValues[K]> };

/** An array's metadata, as needed before reading a slice. */
export type StoredArray = Pick<
  StoredArrayDocument,
  "shape" | "hasNumbers" | "chunks" | "chunkBytes"
>;

/** A result derived from files of the store. */
export interface Gathered<T> {
  readonly value: T;
  /** All files used. A reader must have access to each of them. */
  readonly used: readonly UsedFile[];
  /** Unwritten chunks used. A reader must have access to their folders. */
  readonly missing: readonly string[];
}

export async function answerStore(
  task: StoreTask,
  limits: ReaderLimits = {},
): Promise<StoreResults[keyof StoreResults]> {
  const files = new StoreFolder(task.place);
  const value = await gathered(task, files, limits);
  const { used, missing } = files;
  return { value, used, missing } as StoreResults[keyof StoreResults];
}

async function gathered(
  task: StoreTask,
  files: StoreFolder,
  limits: ReaderLimits,
): Promise<unknown> {
  switch (task.kind) {
    case "store-node":
      return (await describedNode(files, task.format, task.at))?.node;
    case "store-made": {
      const text = await made(files, task.key);
      return text === undefined ? undefined : { text, tag: contentTag(text) };
    }
    case "store-document":
      return (await made(files, task.key)) ?? files.text(task.key);
    case "store-header":
      return readHeader(asVersion2(await documentsOf(files, task.format)));
    case "store-array": {
      const array = await arrayDocument(files, task.format, task.at);
      if (array === undefined) return undefined;
      const { shape, hasNumbers, chunks, chunkBytes } = array;
      return { shape, hasNumbers, chunks, chunkBytes };
    }
    case "store-slice": {
      const array = await arrayDocument(files, task.format, task.at);
      if (array === undefined) throw new FileChanged("The store was changed.");
      // Loaded on demand, because only slices need the decoders.
      const { readStoreSlice } = await import("./store-slice.js");
      return readStoreSlice(files, task.at, array, task.selection, limits);
    }
    default: {
      const documents = await documentsOf(files, task.format);
      return summarize(task.format, undefined, asVersion2(documents));
    }
  }
}

async function made(files: StoreFolder, key: string): Promise<string | undefined> {
  const group = parentOf(key);
  if (nameOf(key) === "zarr.json") return consolidatedVersion3(files, group);
  if (nameOf(key) !== ".zmetadata" || (await files.text(key)) !== undefined) return undefined;
  const isGroup = (await files.text(joinKey(group, ".zgroup"))) !== undefined;
  return isGroup ? consolidated(await documentsBelow(files, group, 2), "") : undefined;
}

/** All documents: consolidated ones if present, else those in the folders. */
async function documentsOf(files: StoreFolder, format: StoreFormat): Promise<Map<string, string>> {
  const isNew = format === "zarr v3";
  const root = await consolidatedMetadata(files, format);
  if (root?.members === undefined) return documentsBelow(files, "", isNew ? 3 : 2);
  const own = isNew ? [[root.key, root.text] as const] : [];
  const others = Object.entries(root.members).map(
    ([name, value]) => [isNew ? `${name}/zarr.json` : name, JSON.stringify(value)] as const,
  );
  return new Map([...own, ...others]);
}
