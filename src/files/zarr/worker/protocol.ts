/** The messages between the service and its reading processes. */
import type { Header } from "../../cf/header.js";
import type { ChunkTable } from "../../netcdf/chunk-table.js";
import type { Variable } from "../../netcdf/model.js";
import type { Box } from "../../netcdf/render/region.js";
import type { FileIdentity } from "../../netcdf/source/file-identity.js";
import type { StoredRange } from "../dataset/dataset.js";
import type { PortableError } from "../errors.js";
import type { Conversion } from "../join/convert.js";
import type { FileFacts } from "../join/file-facts.js";
import type { ArrayPlan } from "../metadata/array-plan.js";
import type { FileIndex } from "../metadata/documents.js";
import type { Summary } from "../metadata/summary.js";
import type { Selection } from "../slice/selection.js";
import type { StoreResults, StoreTask } from "../store/orders.js";

export type Task =
  | StoreTask
  | {
      readonly kind: "index";
      readonly path: string;
      /** The expected identity of the file. Left out: any. */
      readonly identity?: FileIdentity;
    }
  | {
      readonly kind: "table";
      readonly path: string;
      readonly identity: FileIdentity;
      readonly variable: Variable;
    }
  | {
      readonly kind: "render";
      readonly path: string;
      readonly identity: FileIdentity;
      readonly plan: ArrayPlan;
      readonly place: readonly number[];
    }
  | {
      /** The decoded values of a box of an array. */
      readonly kind: "box";
      readonly path: string;
      readonly identity: FileIdentity;
      readonly plan: ArrayPlan;
      readonly box: Box;
      /** Undefined to leave them as they are. */
      readonly to: Conversion | undefined;
    }
  | {
      /** Reads the facts about one file that joining files needs. */
      readonly kind: "join-facts";
      readonly path: string;
      readonly identity: FileIdentity;
    }
  | {
      /** A slice of an array, unpacked, as a NumPy file. */
      readonly kind: "slice";
      readonly path: string;
      readonly identity: FileIdentity;
      readonly plan: ArrayPlan;
      readonly selection: Selection;
    }
  | {
      /** The decoded values of small arrays, chunk after chunk. Arrays that cannot be read are left out. */
      readonly kind: "arrays";
      readonly path: string;
      readonly identity: FileIdentity;
      readonly plans: readonly ArrayPlan[];
    }
  | {
      readonly kind: "header" | "summary";
      readonly path: string;
      readonly identity: FileIdentity;
    }
  | {
      /** Documents of zarr v2 -> `zarr.json` of v3; undefined if v3 cannot express the array. */
      readonly kind: "version-3";
      readonly path: string;
      readonly version3: "group" | "array";
      readonly document: DocumentPart | undefined;
      readonly attributes: DocumentPart | undefined;
    }
  | {
      /** JSON as Python writes it -> standard JSON, from a text or a file. Undefined if it is standard already. */
      readonly kind: "strict";
      readonly path: string;
      readonly text?: string;
      readonly range?: StoredRange;
    };

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
  readonly header: Header;
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

export type Answer =
  | { readonly ok: true; readonly result: Results[keyof Results] }
  | {
      readonly ok: false;
      readonly error: PortableError;
      /** Whether the state of the process may be damaged, so that it must be replaced. */
      readonly isSpoiled: boolean;
    };
