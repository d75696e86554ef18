/** The messages between the service and its reading processes. */

import type { ChunkTable } from "../../netcdf/chunk-table.js";
import type { Variable } from "../../netcdf/model.js";
import type { Box } from "../../netcdf/render/region.js";
import type { FileIdentity } from "../../netcdf/source/file-identity.js";
import type { StoredRange } from "../dataset/dataset.js";
import type { Conversion } from "../join/convert.js";
import type { FileFacts } from "../join/file-facts.js";
import type { ArrayPlan } from "../metadata/array-plan.js";
import type { FileIndex } from "../metadata/documents.js";
import type { DatasetHeader } from "../metadata/header.js";
import type { Summary } from "../metadata/summary.js";
import type { Selection } from "../slice/selection.js";
import type { StoreResults, StoreTask } from "../store/orders.js";

/** A task on a file, which must still be the one that was opened. */
interface OnFile {
  readonly path: string;
  readonly identity: FileIdentity;
}

/** A task on an array of a file. */
export interface OnArray extends OnFile {
  readonly plan: ArrayPlan;
}

export type Task =
  | StoreTask
  /** Without an identity: whatever the file is. */
  | { readonly kind: "index"; readonly path: string; readonly identity?: FileIdentity }
  | (OnFile & { readonly kind: "header" | "summary" })
  /** The facts about one file that joining files needs. */
  | (OnFile & { readonly kind: "join-facts" })
  | (OnFile & { readonly kind: "table"; readonly variable: Variable })
  | (OnArray & { readonly kind: "render"; readonly place: readonly number[] })
  /** The decoded values of a box of an array. Without a conversion they stay as they are. */
  | (OnArray & { readonly kind: "box"; readonly box: Box; readonly to: Conversion | undefined })
  /** A slice of an array, unpacked, as a NumPy file. */
  | (OnArray & { readonly kind: "slice"; readonly selection: Selection })
  /** The decoded values of small arrays, chunk after chunk. Arrays that cannot be read are left out. */
  | (OnFile & { readonly kind: "arrays"; readonly plans: readonly ArrayPlan[] })
  | {
      /** Documents of zarr v2 -> `zarr.json` of v3; undefined if v3 cannot express the array. */
      readonly kind: "version-3";
      readonly path: string;
      readonly version3: "group" | "array";
      readonly document: DocumentPart | undefined;
      readonly attributes: DocumentPart | undefined;
    }
  /** JSON as Python writes it -> standard JSON, from a text or a file. Undefined if it is standard already. */
  | (DocumentPart & { readonly kind: "strict"; readonly path: string });

/** A document: its text, or where it lies. */
export interface DocumentPart {
  readonly text?: string;
  readonly range?: StoredRange;
}

export interface Results extends StoreResults {
  readonly index: FileIndex;
  readonly table: ChunkTable;
  readonly render: Uint8Array;
  readonly box: Uint8Array;
  readonly "join-facts": FileFacts;
  readonly slice: Uint8Array;
  /** By path. */
  readonly arrays: ReadonlyMap<string, Uint8Array>;
  readonly header: DatasetHeader;
  readonly summary: Summary;
  readonly strict: string | undefined;
  readonly "version-3": string | undefined;
}

/** The bytes that a result is or contains. */
export function bytesIn(result: Results[keyof Results]): Uint8Array | undefined {
  if (result instanceof Uint8Array) return result;
  const isGathered = typeof result === "object" && "value" in result;
  return isGathered && result.value instanceof Uint8Array ? result.value : undefined;
}

export interface Order {
  readonly task: Task;
  /** Milliseconds. */
  readonly time: number;
}
