/** A JSON file that somebody else may change: read again when it did. */
import { readFile, stat } from "node:fs/promises";
import type { z } from "zod";
import { writePrivateFile } from "../private-files.js";

/** A file of the data folder that cannot be used; the message is one sentence. */
export class UnusableFile extends Error {
  override readonly name = "UnusableFile";
}

export class JsonFile<T> {
  #seen = "";
  #value: T | undefined;

  /** @param initial what a missing file stands for */
  constructor(
    readonly path: string,
    private readonly schema: z.ZodType<T>,
    private readonly initial: T,
  ) {}

  /** What the file says now. @throws UnusableFile when it is not as it must be */
  async read(): Promise<T> {
    const found = await stat(this.path, { bigint: true }).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined;
      throw error;
    });
    if (found === undefined) return this.initial;
    // Every write makes a new file, so the three together never stay the same.
    const state = `${found.ino} ${found.size} ${found.mtimeNs}`;
    if (this.#value !== undefined && state === this.#seen) return this.#value;
    const value = this.#parse(await readFile(this.path, "utf8"));
    this.#seen = state;
    this.#value = value;
    return value;
  }

  /** Replaces the file, all or nothing, with mode 0600. */
  async write(value: T): Promise<void> {
    await writePrivateFile(this.path, `${JSON.stringify(value, null, 2)}\n`);
  }

  #parse(text: string): T {
    try {
      return this.schema.parse(JSON.parse(text));
    } catch (cause) {
      throw new UnusableFile(`${this.path} is not a valid file of this service.`, { cause });
    }
  }
}
