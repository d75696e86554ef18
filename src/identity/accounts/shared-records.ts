/**
 * Entries in the store that all instances share, each an entry of the store under the hash of its name: so of two who
 * add one name at once one is told of the other, and nothing in a name means anything to the store.
 */
import type { CopiedEntries, Edit, ReadEntry, StateCopy } from "../../index/state/state-copy.js";
import { UserError } from "../../platform/errors.js";
import { sha256 } from "../../platform/sha256.js";
import type { Report } from "./json-file.js";
import type { Records, RecordsOf } from "./records.js";

/** An entry of the store that cannot be used; the message is one sentence. */
export class UnusableEntry extends UserError {
  override readonly name = "UnusableEntry";
}

/** Milliseconds for which what was removed is still said to be so: longer than any instance is out of touch and lives on. */
const REMOVED_MS = 24 * 3600 * 1000;

/** What stands in the place of an entry that was removed. */
interface Removed {
  readonly removed: true;
}

const isRemoved = (value: unknown): value is Removed =>
  (value as Partial<Removed> | null)?.removed === true;

export class SharedRecords<T> implements Records<T> {
  readonly #entries: CopiedEntries<T>;
  readonly #kind: string;

  /** @param report hears of entries that are not valid; they are left out */
  constructor(copy: StateCopy, { kind, schema, nameOf }: RecordsOf<T>, report: Report) {
    this.#kind = kind;
    const told = new Set<string>();
    this.#entries = copy.of(kind, (value, id) => {
      if (isRemoved(value)) return undefined;
      const parsed = schema.safeParse(value);
      // Under another's name it could be somebody's way in.
      if (parsed.success && idOf(kind, nameOf(parsed.data)) === id) return parsed.data;
      if (!told.has(id))
        report(`The entry ${id} of Solr's collection state is no ${kind}, and is left out.`);
      told.add(id);
      return undefined;
    });
  }

  async list(): Promise<readonly T[]> {
    return this.#entries.values();
  }

  find(name: string): Promise<T | undefined> {
    return this.#entries.find(idOf(this.#kind, name));
  }

  async current(name: string): Promise<T | undefined> {
    return (await this.#entries.read(idOf(this.#kind, name))).value;
  }

  /** Whether there is or was one of this name of late. @throws SolrUnavailable, SolrTimeout */
  async wasThere(name: string): Promise<boolean> {
    return (await this.#entries.read(idOf(this.#kind, name))).previous !== undefined;
  }

  async edit(
    name: string,
    change: (before: T | undefined) => T | undefined,
  ): Promise<T | undefined> {
    const id = idOf(this.#kind, name);
    const work = ({ previous, value: before }: ReadEntry<T>): Edit<T | undefined> => {
      if (previous !== undefined && before === undefined && !isRemoved(previous.value)) {
        throw new UnusableEntry(`The entry ${id} of Solr's collection state is no ${this.#kind}.`);
      }
      const value = change(before);
      if (value !== undefined) return { result: before, next: { value } };
      if (before === undefined) return { result: undefined };
      const removed: Removed = { removed: true };
      return { result: before, next: { value: removed, expires: Date.now() + REMOVED_MS } };
    };
    return this.#entries.edit(id, work, "This entry is being changed by others; please try again.");
  }
}

const idOf = (kind: string, name: string): string => `${kind}:${sha256(name)}`;
