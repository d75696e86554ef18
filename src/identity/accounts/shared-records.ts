/**
 * Records in the state store, shared by all instances. The id of an entry is the hash of the record's name. Two instances
 * that add the same name at once therefore conflict, and the store never interprets a name.
 */
import { DAY } from "../../domain/extent/durations.js";
import type { CopiedEntries, Edit, ReadEntry, StateCopy } from "../../index/state/state-copy.js";
import { UserError } from "../../platform/errors.js";
import { sha256 } from "../../platform/sha256.js";
import type { Records, RecordsOf, Report } from "./records.js";

/** An entry of the store that cannot be used. The message is one sentence. */
class UnusableEntry extends UserError {
  override readonly name = "UnusableEntry";
}

/**
 * Milliseconds that the marker of a removed entry is kept: longer than any instance runs without a connection to the
 * store.
 */
const REMOVED_TTL_MS = DAY;

/** The marker that replaces a removed entry. */
interface Removed {
  readonly removed: true;
}

const isRemoved = (value: unknown): value is Removed =>
  (value as Partial<Removed> | null)?.removed === true;

export class SharedRecords<T> implements Records<T> {
  readonly #entries: CopiedEntries<T>;
  readonly #kind: string;

  /** @param report gets one line for each invalid entry, which is ignored */
  constructor(copy: StateCopy, { kind, schema, nameOf }: RecordsOf<T>, report: Report) {
    this.#kind = kind;
    const reported = new Set<string>();
    this.#entries = copy.of(kind, (value, id) => {
      if (isRemoved(value)) return undefined;
      const parsed = schema.safeParse(value);
      // An entry under the id of another name could give access to that account.
      if (parsed.success && idOf(kind, nameOf(parsed.data)) === id) return parsed.data;
      if (!reported.has(id))
        report(`The entry ${id} of Solr's collection state is not a valid ${kind} and is ignored.`);
      reported.add(id);
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

  async edit(
    name: string,
    change: (before: T | undefined) => T | undefined,
  ): Promise<T | undefined> {
    const id = idOf(this.#kind, name);
    const work = ({ previous, value: before }: ReadEntry<T>): Edit<T | undefined> => {
      if (previous !== undefined && before === undefined && !isRemoved(previous.value)) {
        throw new UnusableEntry(
          `The entry ${id} of Solr's collection state is not a valid ${this.#kind}.`,
        );
      }
      const value = change(before);
      if (value !== undefined) return { result: before, next: { value } };
      if (before === undefined) return { result: undefined };
      const removed: Removed = { removed: true };
      return { result: before, next: { value: removed, expires: Date.now() + REMOVED_TTL_MS } };
    };
    return this.#entries.edit(
      id,
      work,
      "This entry is being changed by other instances; try again.",
    );
  }
}

const idOf = (kind: string, name: string): string => `${kind}:${sha256(name)}`;
