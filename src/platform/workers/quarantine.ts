/** Subjects of questions, such as files, that ended the workers which answered them. */
import { LRUCache } from "lru-cache";

export interface Subject {
  /** Identifies the subject: a path, for example. */
  readonly key: string;
  /** Distinguishes the file from one that replaces it, which starts without a record. Left out: all versions are one. */
  readonly version?: string | undefined;
}

interface SubjectRecord {
  readonly version: string | undefined;
  /** Workers that it has ended. */
  readonly ended: number;
  /** End of the quarantine, by `performance.now()`. */
  readonly until: number;
}

/** Workers that one subject may end before it is left alone. */
const MAX_ENDED = 3;
/** Milliseconds of quarantine, and milliseconds that a record is kept. */
const QUARANTINE = 60_000;
const TTL = 600_000;

export class Quarantine {
  readonly #records = new LRUCache<string, SubjectRecord>({ max: 10_000, ttl: TTL });

  /** Notes that a worker was replaced because of this subject. @param isEnded whether the subject ended it */
  note(subject: Subject, isEnded: boolean): void {
    const known = this.#find(subject) ?? { version: subject.version, ended: 0, until: 0 };
    const ended = known.ended + Number(isEnded);
    const isBad = isEnded && ended >= MAX_ENDED;
    const until = isBad ? performance.now() + QUARANTINE : known.until;
    this.#records.set(subject.key, { version: known.version, ended, until });
  }

  isQuarantined(subject: Subject): boolean {
    const record = this.#find(subject);
    return record !== undefined && record.until > performance.now();
  }

  /** Whether it has cost a worker before. */
  isKnown(subject: Subject): boolean {
    return this.#find(subject) !== undefined;
  }

  #find({ key, version }: Subject): SubjectRecord | undefined {
    const record = this.#records.get(key);
    const isOther = record?.version !== undefined && version !== undefined;
    return isOther && record.version !== version ? undefined : record;
  }
}
