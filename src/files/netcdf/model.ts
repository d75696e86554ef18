/**
 * The content of a file in any format: groups, variables, attributes, and the location of values.
 *
 * Plain data that can be sent between processes.
 */
import { asReadingError, DamagedFile, NotReadableFormat } from "./errors.js";
import type { ChunkedStorage } from "./hdf5/chunks/chunked-storage.js";
import type { IntegerType } from "./hdf5/datatype.js";
import type { Filter } from "./hdf5/messages.js";

export type AttributeValue =
  | { readonly kind: "text"; readonly value: string }
  | { readonly kind: "texts"; readonly values: readonly string[] }
  | {
      readonly kind: "numbers";
      /** Whether the type is a floating-point one: 1.0 and 1 are different attributes. */
      readonly isFloat: boolean;
      readonly values: readonly (number | bigint)[];
    };

export interface Attribute {
  readonly name: string;
  readonly value: AttributeValue;
}

/** A member of a structured type: its name and its zarr type. */
export type StructField = readonly [name: string, dtype: string];

/** The type of a variable's elements in zarr v2's terms; sizes in bytes. */
export type ElementType =
  | { readonly kind: "plain"; readonly dtype: string; readonly size: number }
  | { readonly kind: "struct"; readonly fields: readonly StructField[]; readonly size: number }
  | { readonly kind: "text" };

/** The stored form of an element, and its conversion to the variable's type. */
export type StoredElement =
  | { readonly kind: "as-is"; readonly size: number }
  | IntegerType
  | {
      readonly kind: "fixed-text";
      readonly size: number;
      readonly padding: "nul-terminated" | "nul" | "space";
    }
  | { readonly kind: "vlen-text"; readonly size: number }
  | {
      readonly kind: "packed";
      readonly size: number;
      /** The parts of the element to keep; the rest is padding. */
      readonly pieces: readonly { readonly from: number; readonly length: number }[];
    };

/** The location of values; offsets and lengths in bytes of the file. */
export type Storage =
  | { readonly kind: "absent" }
  | { readonly kind: "compact"; readonly bytes: Uint8Array }
  | { readonly kind: "contiguous"; readonly offset: number }
  | {
      readonly kind: "records";
      /** Position of this variable in the first record. */
      readonly offset: number;
      /** Bytes from one record to the next. */
      readonly stride: number;
    }
  | {
      readonly kind: "chunked";
      readonly chunks: ChunkedStorage;
      /** In the order in which they were applied when writing. */
      readonly filters: readonly Filter[];
    };

export interface Variable {
  readonly name: string;
  readonly dimensions: readonly string[];
  /** The lengths of the dimensions. */
  readonly shape: readonly number[];
  /** The stored lengths. They are smaller where a resizable variable ends before its dimension does. */
  readonly storedShape: readonly number[];
  readonly attributes: readonly Attribute[];
  readonly type: ElementType;
  readonly stored: StoredElement;
  readonly storage: Storage;
  /** The value of unwritten elements; undefined for zeros. */
  readonly fill: Uint8Array | undefined;
  /** The value of elements beyond the stored shape. */
  readonly padding: Uint8Array | undefined;
}

export interface Group {
  /** Names from the root, joined by "/"; "" for the root. */
  readonly path: string;
  readonly attributes: readonly Attribute[];
  readonly variables: readonly Variable[];
  readonly groups: readonly Group[];
  /** Members of the file that zarr cannot represent. */
  readonly leftOut: readonly LeftOut[];
}

/** A variable or group that is not served, by its name in its group. */
export interface LeftOut {
  readonly name: string;
  /** The end of a sentence that begins with the name. */
  readonly reason: string;
}

/** The result of a reading. One that the file does not allow is listed with its reason, and gives undefined. */
export function leavingOut<T>(
  leftOut: LeftOut[],
  name: string,
  read: () => T | undefined,
): T | undefined {
  try {
    return read();
  } catch (thrown) {
    const error = asReadingError(thrown);
    if (!(error instanceof DamagedFile || error instanceof NotReadableFormat)) throw error;
    leftOut.push({ name, reason: error.message });
    return undefined;
  }
}
