/** Entries that have a name each, such as users: in a file of this machine, or in the store that all instances share. */
import type { z } from "zod";

export interface Records<T> {
  /** All that are known here. */
  list(): Promise<readonly T[]>;
  /** The one of a name; one that is not known here is looked for. @throws SolrUnavailable, SolrTimeout, ServiceBusy */
  find(name: string): Promise<T | undefined>;
  /** The one of a name as it is now, whatever is known here. @throws SolrUnavailable, SolrTimeout */
  current(name: string): Promise<T | undefined>;
  /**
   * Adds, changes or removes an entry, all or nothing; of two who do so at once the later one sees what the other did.
   *
   * @param change what becomes of what there is, undefined for nothing; what it throws changes nothing
   * @returns what there was
   * @throws UnusableFile, ServiceBusy; SolrUnavailable, SolrTimeout: then it may have been changed or not
   */
  edit(name: string, change: (before: T | undefined) => T | undefined): Promise<T | undefined>;
}

/** What kind of entries they are. */
export interface RecordsOf<T> {
  /** Name of the file, without its ending, and of the list in it. */
  readonly key: string;
  /** What one is called in the store. */
  readonly kind: string;
  readonly schema: z.ZodType<T>;
  readonly nameOf: (entry: T) => string;
}
