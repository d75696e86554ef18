/** Messages between the page and the worker that reads data. */
import type { WorkerError } from "./failures.js";
import type { Axis, Dataset, Field, FieldOptions, Geometry, Indexes, Series } from "./types.js";

/** A request to the worker; `kind` is the key of its result in Answers. */
export type WorkerRequest =
  | {
      readonly kind: "open";
      readonly id: string;
      /** Address of the API, with a trailing slash. */
      readonly base: string;
    }
  | { readonly kind: "axes" | "geometry"; readonly path: string }
  | {
      readonly kind: "field";
      readonly path: string;
      readonly indexes: Indexes;
      readonly options: FieldOptions;
    }
  | {
      readonly kind: "series";
      readonly path: string;
      readonly indexes: Indexes;
      readonly along: string;
    };

export interface Answers {
  readonly open: Dataset;
  readonly axes: readonly Axis[];
  readonly geometry: Geometry;
  readonly field: Field;
  readonly series: Series;
}

export type ToWorker =
  | {
      readonly number: number;
      readonly request: WorkerRequest;
      /** The newest access token, kept in memory only. */
      readonly token: string | undefined;
    }
  | { readonly aborted: number };

export type FromWorker =
  | { readonly number: number; readonly answer: Answers[keyof Answers] }
  | { readonly number: number; readonly failing: WorkerError };
