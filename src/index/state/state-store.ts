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
  /** Set if the entry need not survive nodes that fail together. Its writes wait for no commit. */
  readonly mayBeLost?: true;
}

export interface StoredEntry extends StateEntry {
  /** Changes with every write. */
  readonly version: string;
}

export interface ListedEntry extends StoredEntry {
  readonly id: string;
}

export interface WriteResult {
  readonly isWritten: boolean;
  /** The entry after the write: the written one, or the one that came first. Undefined if there is none, or Solr does not name its version. */
  readonly entry: StoredEntry | undefined;
}

export interface StateStore {
  /** The current state of an entry. */
  read(id: string, signal?: AbortSignal): Promise<StoredEntry | undefined>;
  /** The current state of several entries. Missing ones are left out. */
  readAll(ids: readonly string[]): Promise<ReadonlyMap<string, StoredEntry>>;
  /**
   * Writes an entry if it still has the version that was read. Of several concurrent writers exactly one succeeds. Writes of
   * the same moment share a request to a single Solr.
   *
   * @param previous the entry that was read or written before; undefined: the entry must not exist
   * @throws SolrUnavailable, SolrTimeout: it may have been written or not
   */
  write(id: string, entry: StateEntry, previous: StoredEntry | undefined): Promise<WriteResult>;
  /** Writes an entry unconditionally. */
  overwrite(id: string, entry: StateEntry): Promise<void>;
  /**
   * The entries of some kinds. Those written within the last second may be missing.
   *
   * @param since a version: only entries written since then, by the clock of one Solr node
   */
  list(kinds: readonly string[], since?: string): Promise<readonly ListedEntry[]>;
}
