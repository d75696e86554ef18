/** Files that have spoiled the processes that read them. */
import { LRUCache } from "lru-cache";
import type { FileIdentity } from "../../netcdf/source/file-identity.js";

interface Record {
  /** What the file was: replaced by another one, it begins anew. */
  readonly identity: string;
  /** Processes that it made an end of. */
  ended: number;
  /** Until when it is not tried again; by `performance.now()`. */
  until: number;
}

/** Processes that one file may cost before it is left alone. */
const FORGIVEN = 3;
/** Milliseconds for which it is left alone then, and for which its past is remembered. */
const LEFT_ALONE = 60_000;
const REMEMBERED = 600_000;

export class Offenders {
  readonly #records = new LRUCache<string, Record>({ max: 10_000, ttl: REMEMBERED });
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Notes that a process was given up after this file, which was told in order. */
  notice(path: string, identity: FileIdentity | undefined): void {
    this.#records.set(path, this.#record(path, identity));
  }

  /** Notes that a process had to be ended, or has ended, over this file. */
  note(path: string, identity: FileIdentity | undefined): void {
    const record = this.#record(path, identity);
    record.ended += 1;
    if (record.ended >= FORGIVEN) record.until = this.#now() + LEFT_ALONE;
    this.#records.set(path, record);
  }

  #record(path: string, identity: FileIdentity | undefined): Record {
    const known = this.#find(path, identity);
    return known ?? { identity: JSON.stringify(identity ?? null), ended: 0, until: 0 };
  }

  /** Whether a file is better left alone for a while. */
  isLeftAlone(path: string, identity: FileIdentity | undefined): boolean {
    const record = this.#find(path, identity);
    return record !== undefined && record.until > this.#now();
  }

  /** Whether a file has spoiled a process before. */
  isKnown(path: string, identity: FileIdentity | undefined): boolean {
    return this.#find(path, identity) !== undefined;
  }

  #find(path: string, identity: FileIdentity | undefined): Record | undefined {
    const record = this.#records.get(path);
    const isSame =
      identity === undefined ||
      record?.identity === "null" ||
      record?.identity === JSON.stringify(identity);
    return isSame ? record : undefined;
  }
}
