/** Files that ended processes which read them. */
import { LRUCache } from "lru-cache";
import type { FileIdentity } from "../../netcdf/source/file-identity.js";

interface FileRecord {
  /** The identity of the file. A file that replaces it starts without a record. */
  readonly identity: string;
  /** Processes that it has ended. */
  ended: number;
  /** End of the quarantine, by `performance.now()`. */
  until: number;
}

/** Processes that one file may end before it is left alone. */
const MAX_ENDED = 3;
/** Milliseconds of quarantine, and milliseconds that a record is kept. */
const QUARANTINE = 60_000;
const TTL = 600_000;

export class Quarantine {
  readonly #records = new LRUCache<string, FileRecord>({ max: 10_000, ttl: TTL });
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Notes that a process was replaced after this file, without being ended by it. */
  notice(path: string, identity: FileIdentity | undefined): void {
    this.#records.set(path, this.#record(path, identity));
  }

  /** Notes that a process ended, or had to be ended, because of this file. */
  note(path: string, identity: FileIdentity | undefined): void {
    const record = this.#record(path, identity);
    record.ended += 1;
    if (record.ended >= MAX_ENDED) record.until = this.#now() + QUARANTINE;
    this.#records.set(path, record);
  }

  #record(path: string, identity: FileIdentity | undefined): FileRecord {
    const known = this.#find(path, identity);
    return known ?? { identity: JSON.stringify(identity ?? null), ended: 0, until: 0 };
  }

  /** Whether a file is in quarantine. */
  isQuarantined(path: string, identity: FileIdentity | undefined): boolean {
    const record = this.#find(path, identity);
    return record !== undefined && record.until > this.#now();
  }

  /** Whether a file has cost a process before. */
  isKnown(path: string, identity: FileIdentity | undefined): boolean {
    return this.#find(path, identity) !== undefined;
  }

  #find(path: string, identity: FileIdentity | undefined): FileRecord | undefined {
    const record = this.#records.get(path);
    const isSame =
      identity === undefined ||
      record?.identity === "null" ||
      record?.identity === JSON.stringify(identity);
    return isSame ? record : undefined;
  }
}
