/** Records in a JSON file of the data folder, which other processes may change: it is read again after each change. */
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { isMissing, UserError } from "../../platform/errors.js";
import { writePrivateFile } from "../../platform/file-system/private-files.js";
import type { Records, RecordsOf, Report } from "./records.js";

/** A file of the data folder that cannot be used. The message is one sentence. */
export class UnusableFile extends UserError {
  override readonly name = "UnusableFile";
}

interface Content<T> {
  readonly entries: readonly T[];
  /** Invalid entries, which are reported, ignored, and written back unchanged. */
  readonly broken: readonly unknown[];
}

/** Changes need the folder's lock (src/cli/accounts/edit-accounts.ts). */
export class FileRecords<T> implements Records<T> {
  #fileState = "";
  #content: Content<T> = { entries: [], broken: [] };
  readonly #path: string;
  readonly #kind: RecordsOf<T>;
  readonly #report: Report;

  constructor(dataDir: string, kind: RecordsOf<T>, report: Report) {
    this.#path = join(dataDir, `${kind.key}.json`);
    this.#kind = kind;
    this.#report = report;
  }

  /** The current entries; none if the file is missing. @throws UnusableFile if it is not a file of this kind */
  async list(): Promise<readonly T[]> {
    return (await this.#read()).entries;
  }

  async find(name: string): Promise<T | undefined> {
    return (await this.list()).find((one) => this.#kind.nameOf(one) === name);
  }

  current(name: string): Promise<T | undefined> {
    return this.find(name);
  }

  /** Replaces the file, all or nothing, with mode 0600. */
  async edit(
    name: string,
    change: (before: T | undefined) => T | undefined,
  ): Promise<T | undefined> {
    const { entries, broken } = await this.#read();
    const index = entries.findIndex((one) => this.#kind.nameOf(one) === name);
    const before = entries[index];
    const next = change(before);
    if (next === undefined && before === undefined) return undefined;
    const others = entries.filter((one) => one !== before);
    const remaining =
      next === undefined ? others : others.toSpliced(index < 0 ? others.length : index, 0, next);
    const text = JSON.stringify({ [this.#kind.key]: [...remaining, ...broken] }, null, 2);
    await writePrivateFile(this.#path, `${text}\n`);
    return before;
  }

  async #read(): Promise<Content<T>> {
    const found = await stat(this.#path, { bigint: true }).catch((error: unknown) => {
      if (isMissing(error)) return undefined;
      throw error;
    });
    if (found === undefined) return { entries: [], broken: [] };
    // Every write makes a new file, so at least one of the three changes.
    const state = `${found.ino} ${found.size} ${found.mtimeNs}`;
    if (state === this.#fileState) return this.#content;
    const content = this.#parse(await readFile(this.#path, "utf8"));
    this.#fileState = state;
    this.#content = content;
    return content;
  }

  #parse(text: string): Content<T> {
    const { key, schema, nameOf } = this.#kind;
    const entries: T[] = [];
    const broken: unknown[] = [];
    for (const [index, entry] of this.#list(text).entries()) {
      const parsed = schema.safeParse(entry);
      if (parsed.success) {
        entries.push(parsed.data);
        continue;
      }
      broken.push(entry);
      // An invalid entry may have no name, or not be an object.
      const name: unknown = typeof entry === "object" && entry && nameOf(entry as T);
      const called = typeof name === "string" ? ` (${JSON.stringify(name)})` : "";
      const what = parsed.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
      this.#report(`${this.#path}: ${key}[${index}]${called} is ignored: ${what.join("; ")}`);
    }
    return { entries, broken };
  }

  #list(text: string): readonly unknown[] {
    const { key } = this.#kind;
    try {
      const list = (JSON.parse(text) as Record<string, unknown> | null)?.[key];
      if (Array.isArray(list)) return list;
    } catch {
      // The parser's message would show a part of the content.
    }
    throw new UnusableFile(`${this.#path} must contain a JSON object with a list under "${key}".`);
  }
}
