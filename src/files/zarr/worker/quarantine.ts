/** Files that ended processes which read them. */
import { LRUCache } from "lru-cache";
import { type ReadingError, ReadingTimeout } from "../../netcdf/errors.js";
import type { FileIdentity } from "../../netcdf/source/file-identity.js";
import type { Task } from "./protocol.js";

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

/** The error of a file in quarantine. */
export const leftAlone = (): ReadingError =>
  new ReadingTimeout("This file has ended several readers, and is left alone for now.");

/** Records the files of tasks that end or damage their process. */
export class Quarantine {
  readonly #records = new LRUCache<string, FileRecord>({ max: 10_000, ttl: TTL });
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Notes that a process was replaced after this file, without being ended by it. */
  notice(task: Task): void {
    this.#records.set(task.path, this.#record(task));
  }

  /** Notes that a process ended, or had to be ended, because of this file. */
  note(task: Task): void {
    const record = this.#record(task);
    record.ended += 1;
    if (record.ended >= MAX_ENDED) record.until = this.#now() + QUARANTINE;
    this.#records.set(task.path, record);
  }

  #record(task: Task): FileRecord {
    const identity = JSON.stringify(identityOf(task) ?? null);
    return this.#find(task) ?? { identity, ended: 0, until: 0 };
  }

  /** Whether a file is in quarantine. */
  isQuarantined(task: Task): boolean {
    const record = this.#find(task);
    return record !== undefined && record.until > this.#now();
  }

  /** Whether a file has cost a process before. */
  isKnown(task: Task): boolean {
    return this.#find(task) !== undefined;
  }

  #find(task: Task): FileRecord | undefined {
    const record = this.#records.get(task.path);
    const identity = identityOf(task);
    const isSame =
      identity === undefined ||
      record?.identity === "null" ||
      record?.identity === JSON.stringify(identity);
    return isSame ? record : undefined;
  }
}

const identityOf = (task: Task): FileIdentity | undefined =>
  "identity" in task ? task.identity : undefined;
