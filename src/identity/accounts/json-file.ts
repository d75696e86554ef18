/** JSON files that other processes may change: read again after each change. */

import { readFile, stat } from "node:fs/promises";
import type { z } from "zod";
import { isMissing, UserError } from "../../platform/errors.js";
import { writePrivateFile } from "../../platform/file-system/private-files.js";

/** A file of the data folder that cannot be used. The message is one sentence. */
export class UnusableFile extends UserError {
  override readonly name = "UnusableFile";
}

/** Receives messages, one line each. */
export type Report = (problem: string) => void;

/** Receivers of messages about steps and problems. */
export interface Reports {
  /** Receives steps, for the person who started the command. */
  readonly progress: Report;
  /** Receives problems, such as invalid entries. */
  readonly report: Report;
}

/** Writes messages to standard error, for the user of a command. */
export const reportToStderr: Report = (problem) => void process.stderr.write(`${problem}\n`);

interface Content<T> {
  readonly entries: readonly T[];
  /** Invalid entries, which are written back unchanged. */
  readonly broken: readonly unknown[];
}

/** A file that holds a list under one key. Invalid entries are reported and ignored. */
export class ListFile<T> {
  #fileState = "";
  #content: Content<T> = { entries: [], broken: [] };
  readonly #key: string;
  readonly #schema: z.ZodType<T>;
  readonly #report: Report;
  readonly #nameOf: (entry: unknown) => unknown;

  /** @param nameOf the name of an invalid entry, for its message */
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

  /** The current entries of the file; none if it is missing. @throws UnusableFile if it is not a file of this kind */
  async read(): Promise<readonly T[]> {
    return (await this.#read()).entries;
  }

  /** Replaces the entries, all or nothing, with mode 0600. */
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
    // Every write makes a new file, so at least one of the three changes.
    const state = `${found.ino} ${found.size} ${found.mtimeNs}`;
    if (state === this.#fileState) return this.#content;
    const content = this.#parse(await readFile(this.path, "utf8"));
    this.#fileState = state;
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
      this.#report(`${this.path}: ${this.#key}[${index}]${called} is ignored: ${what.join("; ")}`);
    }
    return { entries, broken };
  }

  #list(text: string): readonly unknown[] {
    try {
      const list = (JSON.parse(text) as Record<string, unknown> | null)?.[this.#key];
      if (Array.isArray(list)) return list;
    } catch {
      // The parser's message would show a part of the content.
    }
    throw new UnusableFile(
      `${this.path} must contain a JSON object with a list under "${this.#key}".`,
    );
  }
}
