/** Named records, such as users, in a file of this machine or in the shared state store (shared-records.ts). */
import { join } from "node:path";
import type { z } from "zod";
import { ListFile, type Report } from "./json-file.js";

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

/** Describes one kind of records. */
export interface RecordsOf<T> {
  /** Name of the file, without its extension, and of the list in it. */
  readonly key: string;
  /** The kind of their entries in the store. */
  readonly kind: string;
  readonly schema: z.ZodType<T>;
  readonly nameOf: (entry: T) => string;
}

/** Records in a file of the data folder. Changes need the folder's lock (src/cli/accounts/edit-accounts.ts). */
export class FileRecords<T> implements Records<T> {
  readonly #file: ListFile<T>;
  readonly #nameOf: (entry: T) => string;

  constructor(dataDir: string, { key, schema, nameOf }: RecordsOf<T>, report: Report) {
    // An invalid entry may have no name, or not be an object.
    const nameIfAny = (entry: unknown): unknown =>
      typeof entry === "object" && entry !== null ? nameOf(entry as T) : undefined;
    this.#file = new ListFile(join(dataDir, `${key}.json`), key, schema, report, nameIfAny);
    this.#nameOf = nameOf;
  }

  list(): Promise<readonly T[]> {
    return this.#file.read();
  }

  async find(name: string): Promise<T | undefined> {
    return (await this.list()).find((one) => this.#nameOf(one) === name);
  }

  current(name: string): Promise<T | undefined> {
    return this.find(name);
  }

  async edit(
    name: string,
    change: (before: T | undefined) => T | undefined,
  ): Promise<T | undefined> {
    const entries = await this.list();
    const index = entries.findIndex((one) => this.#nameOf(one) === name);
    const before = entries[index];
    const next = change(before);
    if (next === undefined && before === undefined) return undefined;
    const others = entries.filter((one) => one !== before);
    const remaining =
      next === undefined ? others : others.toSpliced(index < 0 ? others.length : index, 0, next);
    await this.#file.write(remaining);
    return before;
  }
}
