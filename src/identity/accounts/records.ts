/** Named records, such as users, in a file of this machine (file-records.ts) or in the shared state store (shared-records.ts). */
import type { z } from "zod";

/** Receives messages, one line each. */
export type Report = (problem: string) => void;

export interface Reports {
  /** Receives steps, for the person who started the command. */
  readonly progress: Report;
  /** Receives problems, such as invalid entries. */
  readonly report: Report;
}

/** Writes messages to standard error, for the user of a command. */
export const reportToStderr: Report = (problem) => void process.stderr.write(`${problem}\n`);

export interface Records<T> {
  /** All records that this instance knows. */
  list(): Promise<readonly T[]>;
  /** The record of a name; an unknown name is looked up in the store. */
  find(name: string): Promise<T | undefined>;
  /** The record of a name, always read from the store. */
  current(name: string): Promise<T | undefined>;
  /**
   * Adds, changes or removes a record atomically. Of two concurrent changes, the later one sees the result of the other.
   *
   * @param change gives the new record, or undefined to remove it; may run several times; if it throws, nothing changes
   * @returns the previous record
   * @throws SolrUnavailable, SolrTimeout: the change may have been made or not
   */
  edit(name: string, change: (before: T | undefined) => T | undefined): Promise<T | undefined>;
}

export interface RecordsOf<T> {
  /** Name of the file, without its extension, and of the list in it. */
  readonly key: string;
  /** The kind of their entries in the store. */
  readonly kind: string;
  readonly schema: z.ZodType<T>;
  readonly nameOf: (entry: T) => string;
}
