/** Entries in a file of the data folder. Whoever changes it holds the folder's lock (src/cli/accounts/edit-accounts.ts). */
import { join } from "node:path";
import { ListFile, type Report } from "./json-file.js";
import type { Records, RecordsOf } from "./records.js";

export class FileRecords<T> implements Records<T> {
  readonly #file: ListFile<T>;
  readonly #nameOf: (entry: T) => string;

  constructor(dataDir: string, { key, schema, nameOf }: RecordsOf<T>, report: Report) {
    // One that is not valid may have no name, or be nothing that has one.
    const called = (entry: unknown): unknown =>
      typeof entry === "object" && entry !== null ? nameOf(entry as T) : undefined;
    this.#file = new ListFile(join(dataDir, `${key}.json`), key, schema, report, called);
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
    const place = entries.findIndex((one) => this.#nameOf(one) === name);
    const before = entries[place];
    const next = change(before);
    if (next === undefined && before === undefined) return undefined;
    const others = entries.filter((one) => one !== before);
    const kept =
      next === undefined ? others : others.toSpliced(place < 0 ? others.length : place, 0, next);
    await this.#file.write(kept);
    return before;
  }
}
