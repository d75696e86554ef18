/** What the files of datasets say of them. */
import type { Interval } from "../extent/intervals.js";

/** Files, and how many of them were withdrawn. */
export interface VersionFacts {
  files: number;
  retracted: number;
}

export interface Stored {
  files: number;
  bytes: number;
  sized: number;
}

/** Where a file lies. */
export interface Place {
  readonly file: string;
  readonly uri?: string;
}

export interface DatasetFact {
  /** Undefined of files that do not say of which dataset they are. */
  readonly name: string | undefined;
  readonly files: number;
  readonly retracted: number;
  /** By what is compared, in lower case. */
  readonly versions: ReadonlyMap<string, VersionFacts>;
  readonly formats: ReadonlyMap<string, number>;
  readonly storage: ReadonlyMap<string, Stored>;
  /** Texts of boxes. */
  readonly boxes: readonly string[];
  /** Values that all files have and have alone, by fields. */
  readonly facets: ReadonlyMap<string, string>;
  /** What the files cover together, one after the other. */
  readonly periods: readonly Interval[];
  /** What several files have that differ in nothing else. */
  readonly overlaps: readonly Interval[];
  /** Files whose period can be read. */
  readonly dated: number;
  readonly example: Place;
}

export interface DatasetFacts {
  /** By name; what does not say one under undefined. */
  readonly byName: ReadonlyMap<string | undefined, DatasetFact>;
}
