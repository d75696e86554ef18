/** Facts about a dataset, summarised from its files. */
import type { Interval } from "../extent/intervals.js";

/** Numbers of files, and of retracted ones among them, and what they cover from end to end. */
export interface VersionFacts {
  files: number;
  retracted: number;
  /** Undefined if no file has a readable period. */
  span: Interval | undefined;
}

export interface StorageFacts {
  files: number;
  bytes: number;
  /** Files whose size is known. */
  sized: number;
}

export interface ExampleFile {
  readonly file: string;
  readonly uri?: string;
  readonly format?: string;
  /** Of user data. */
  readonly user?: string;
  readonly owner?: string;
}

export interface DatasetFact {
  /** Undefined for files without a dataset name. */
  readonly name: string | undefined;
  readonly files: number;
  readonly retracted: number;
  /** This and the next two by value in lower case. */
  readonly versions: ReadonlyMap<string, VersionFacts>;
  readonly formats: ReadonlyMap<string, number>;
  readonly storage: ReadonlyMap<string, StorageFacts>;
  /** Texts as stored. */
  readonly boxes: readonly string[];
  /** By field: the value, where all files have this one value. */
  readonly facets: ReadonlyMap<string, string>;
  /** Disjoint intervals that the files cover together, in order. */
  readonly periods: readonly Interval[];
  /** Intervals shared by files that differ in nothing else. */
  readonly overlaps: readonly Interval[];
  /** Number of files with a readable period. */
  readonly dated: number;
  readonly example: ExampleFile;
}

/** By name. Files without a dataset name are under undefined. */
export type DatasetFacts = ReadonlyMap<string | undefined, DatasetFact>;
