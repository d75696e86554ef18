/**
 * What tokens, limits and, where it is so set, accounts and keys are remembered in, shared by all instances of the service. Solr's collection
 * `state` implements it (src/index/state/solr-state-store.ts).
 */

export interface StateEntry {
  /** What kind of entry it is, for whoever looks into the store. */
  readonly kind: string;
  /** JSON. Never holds a password or a token, only hashes, nor a private key that is not sealed. */
  readonly value: unknown;
  /** Milliseconds since 1970, after which the entry deletes itself. */
  readonly expires: number;
}

export interface StoredEntry extends StateEntry {
  /** Changes with every write. */
  readonly version: string;
}

export interface ListedEntry extends StoredEntry {
  readonly id: string;
}

export interface StateStore {
  /** The newest state of an entry. @throws SolrUnavailable, SolrTimeout */
  read(id: string, signal?: AbortSignal): Promise<StoredEntry | undefined>;
  /** The same of several; those that there are. @throws SolrUnavailable, SolrTimeout */
  readAll(ids: readonly string[]): Promise<ReadonlyMap<string, StoredEntry>>;
  /**
   * Writes an entry if it is still in the state that was read; of several writers exactly one succeeds.
   *
   * @param previous what `read` gave; undefined: the entry must not exist
   * @returns false when another was faster
   * @throws SolrUnavailable, SolrTimeout: then it may have been written or not
   */
  write(id: string, entry: StateEntry, previous: StoredEntry | undefined): Promise<boolean>;
  /** Writes an entry whatever its state was. @throws SolrUnavailable, SolrTimeout */
  overwrite(id: string, entry: StateEntry): Promise<void>;
  /**
   * Every entry of the kinds that was written a second ago or earlier.
   *
   * @param since a version: only what was written since then, as one Solr's clock tells
   * @throws SolrUnavailable, SolrTimeout
   */
  list(kinds: readonly string[], since?: string): Promise<readonly ListedEntry[]>;
}
