/**
 * What a file holds, whatever its format: groups, variables, attributes, and where the values lie.
 *
 * Plain data throughout, so that it can be handed from process to process.
 */
import type { ChunkedStorage } from "./hdf5/chunks/chunked-storage.js";
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

/** A member of a structured type: its name, and its zarr type. */
export type StructField = readonly [name: string, dtype: string];

/** The type of a variable's elements as zarr v2 names it; sizes in bytes. */
export type ElementType =
  | { readonly kind: "plain"; readonly dtype: string; readonly size: number }
  | { readonly kind: "struct"; readonly fields: readonly StructField[]; readonly size: number }
  | { readonly kind: "text" };

/** How an element lies in the file, and what makes of it one of the variable's type. */
export type StoredElement =
  | { readonly kind: "as-is"; readonly size: number }
  | {
      readonly kind: "integer";
      readonly size: number;
      readonly bitOffset: number;
      readonly precision: number;
      readonly signed: boolean;
      readonly bigEndian: boolean;
    }
  | {
      readonly kind: "fixed-text";
      readonly size: number;
      readonly padding: "nul-terminated" | "nul" | "space";
    }
  | { readonly kind: "vlen-text"; readonly size: number }
  | {
      readonly kind: "packed";
      readonly size: number;
      /** The pieces of the element that stay; what lies between is padding. */
      readonly pieces: readonly { readonly from: number; readonly length: number }[];
    };

/** Where the values lie; offsets and lengths in bytes of the file. */
export type Storage =
  | { readonly kind: "absent" }
  /** Where it is not read; the values are told to exist, and asking for them is an error. */
  | { readonly kind: "elsewhere"; readonly reason: string }
  | { readonly kind: "compact"; readonly bytes: Uint8Array }
  | { readonly kind: "contiguous"; readonly offset: number }
  | {
      readonly kind: "records";
      /** The first record's piece of this variable. */
      readonly offset: number;
      /** From one record's piece to the next one's. */
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
  /** The lengths that are stored: less where another variable made an unlimited dimension longer. */
  readonly storedShape: readonly number[];
  readonly attributes: readonly Attribute[];
  readonly type: ElementType;
  readonly stored: StoredElement;
  readonly storage: Storage;
  /** A stored element that nobody wrote, as it reads; undefined: of zeros. */
  readonly fill: Uint8Array | undefined;
  /** An element beyond what is stored, as it reads. */
  readonly padding: Uint8Array | undefined;
}

export interface Group {
  /** Names from the root on, joined by "/"; the root's is "". */
  readonly path: string;
  readonly attributes: readonly Attribute[];
  readonly variables: readonly Variable[];
  readonly groups: readonly Group[];
  /** What stands in the file, but has no place in zarr. */
  readonly leftOut: readonly LeftOut[];
}

/** A variable or group that is not served, by its name in its group. */
export interface LeftOut {
  readonly name: string;
  /** As the end of a sentence that begins with the name. */
  readonly reason: string;
}
