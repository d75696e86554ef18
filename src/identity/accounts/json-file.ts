/** A JSON file that somebody else may change: read again when it did. */

import { readFile, stat } from "node:fs/promises";
import type { z } from "zod";
import { isMissing, UserError } from "../../platform/errors.js";
import { writePrivateFile } from "../../platform/private-files.js";

/** A file of the data folder that cannot be used; the message is one sentence. */
export class UnusableFile extends UserError {
  override readonly name = "UnusableFile";
}

/** Gets one line a problem. */
export type Report = (problem: string) => void;

/** What hears of steps and of problems. */
export interface Reports {
  /** For the person who started this. */
  readonly say: Report;
  /** Hears of entries that are not valid. */
  readonly report: Report;
}

/** For whoever runs a command. */
export const tell: Report = (problem) => void process.stderr.write(`${problem}\n`);

/** Entries of a file as `read` gives them. */
interface Content<T> {
  readonly entries: readonly T[];
  /** As they stand in the file; they are written back as they are. */
  readonly broken: readonly unknown[];
}

/** A file that holds a list under one key. An entry that is not valid is named, and the others count. */
export class ListFile<T> {
  #seen = "";
  #content: Content<T> = { entries: [], broken: [] };
  readonly #key: string;
  readonly #schema: z.ZodType<T>;
  readonly #report: Report;
  readonly #nameOf: (entry: unknown) => unknown;

  /**
   * @param key under which the list stands
   * @param nameOf what an entry that is not valid is called, beside its place in the list
   */
  constructor(
    readonly path: string,
    key: string,
    schema: z.ZodType<T>,
    report: Report,
    nameOf: (entry: unknown) => unknown,
  ) {
    this.#key = key;
    this.#schema = schema;
    this.#report = report;
    this.#nameOf = nameOf;
  }

  /** What the file says now; a missing one has no entries. @throws UnusableFile when it is no such file */
  async read(): Promise<readonly T[]> {
    return (await this.#read()).entries;
  }

  /** Replaces the entries, all or nothing, with mode 0600. @throws UnusableFile */
  async write(entries: readonly T[]): Promise<void> {
    const { broken } = await this.#read();
    const text = JSON.stringify({ [this.#key]: [...entries, ...broken] }, null, 2);
    await writePrivateFile(this.path, `${text}\n`);
  }

  async #read(): Promise<Content<T>> {
    const found = await stat(this.path, { bigint: true }).catch((error: unknown) => {
      if (isMissing(error)) return undefined;
      throw error;
    });
    if (found === undefined) return { entries: [], broken: [] };
    // Every write makes a new file, so the three together never stay the same.
    const state = `${found.ino} ${found.size} ${found.mtimeNs}`;
    if (state === this.#seen) return this.#content;
    const content = this.#parse(await readFile(this.path, "utf8"));
    this.#seen = state;
    this.#content = content;
    return content;
  }

  #parse(text: string): Content<T> {
    const entries: T[] = [];
    const broken: unknown[] = [];
    for (const [index, entry] of this.#list(text).entries()) {
      const parsed = this.#schema.safeParse(entry);
      if (parsed.success) {
        entries.push(parsed.data);
        continue;
      }
      broken.push(entry);
      const name = this.#nameOf(entry);
      const called = typeof name === "string" ? ` (${JSON.stringify(name)})` : "";
      const what = parsed.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
      this.#report(`${this.path}: ${this.#key}[${index}]${called} is left out: ${what.join("; ")}`);
    }
    return { entries, broken };
  }

  #list(text: string): readonly unknown[] {
    try {
      const list = (JSON.parse(text) as Record<string, unknown> | null)?.[this.#key];
      if (Array.isArray(list)) return list;
    } catch {
      // The parser's own words would show a part of what it read.
    }
    throw new UnusableFile(`${this.path} is not a valid file of this service.`);
  }
}
