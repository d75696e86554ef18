/**
 * The state store: tokens, limits and, if so configured, accounts and keys, shared by all instances of the service.
 * Implemented by Solr's collection `state` (src/index/state/solr-state-store.ts).
 */

export interface StateEntry {
  /** The kind of entry, by which entries are listed. */
  readonly kind: string;
  /** JSON. Passwords and tokens are stored only as hashes, private keys only sealed. */
  readonly value: unknown;
  /** Milliseconds since 1970. Solr deletes the entry after that. */
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
  /** The current state of an entry. */
  read(id: string, signal?: AbortSignal): Promise<StoredEntry | undefined>;
  /** The current state of several entries. Missing ones are left out. */
  readAll(ids: readonly string[]): Promise<ReadonlyMap<string, StoredEntry>>;
  /**
   * Writes an entry if it still has the version that was read. Of several concurrent writers exactly one succeeds.
   *
   * @param previous the result of `read`; undefined: the entry must not exist
   * @returns false if another write came first
   * @throws SolrUnavailable, SolrTimeout: it may have been written or not
   */
  write(id: string, entry: StateEntry, previous: StoredEntry | undefined): Promise<boolean>;
  /** Writes an entry unconditionally. */
  overwrite(id: string, entry: StateEntry): Promise<void>;
  /**
   * The entries of some kinds. Those written within the last second may be missing.
   *
   * @param since a version: only entries written since then, by the clock of one Solr node
   */
  list(kinds: readonly string[], since?: string): Promise<readonly ListedEntry[]>;
}
