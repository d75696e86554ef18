/** Records in a file of the data folder. Changes need the folder's lock (src/cli/accounts/edit-accounts.ts). */
import { join } from "node:path";
import { ListFile, type Report } from "./json-file.js";
import type { Records, RecordsOf } from "./records.js";

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
