/** The state store in Solr's collection `state`, shared by all instances of the service. */
import { randomBytes } from "node:crypto";
import { isObject } from "../../domain/text/json-object.js";
import { type CallOptions, SolrCollection } from "../transport/client.js";
import { type SolrHttp, VersionConflict } from "../transport/http.js";
import { parseWithVersions } from "../transport/json-response.js";
import type { ListedEntry, StateEntry, StateStore, StoredEntry } from "./state-store.js";

const COLLECTION = "state";
/** Entries in one page of a list. */
const PAGE_SIZE = 10_000;

interface StateDocument {
  readonly id: string;
  readonly kind: string;
  readonly data: string;
  readonly expires_at: string;
  readonly _version_: string;
}

/**
 * The property with the id of the write. After a node failure, a write that succeeded may be sent again and then finds
 * another version. The id shows that this version is its own and not that of another instance.
 */
const WRITE_ID = "_writing_";

function entryOf(document: StateDocument): StoredEntry {
  const data: unknown = JSON.parse(document.data);
  const { [WRITE_ID]: _, ...value } = isObject(data) ? data : {};
  return {
    kind: document.kind,
    value: isObject(data) ? value : data,
    expires: Date.parse(document.expires_at),
    version: document._version_,
  };
}

export class SolrState implements StateStore {
  readonly #state: SolrCollection;

  constructor(http: SolrHttp) {
    this.#state = new SolrCollection(http, COLLECTION);
  }

  /** A real-time get, which sees uncommitted changes too. */
  async read(id: string, signal?: AbortSignal): Promise<StoredEntry | undefined> {
    return (await this.readAll([id], signal)).get(id);
  }

  async readAll(
    ids: readonly string[],
    signal?: AbortSignal,
  ): Promise<ReadonlyMap<string, StoredEntry>> {
    const found = await this.#state.get<StateDocument>(ids, undefined, { signal });
    const now = Date.now();
    const entries = found.map((document) => [document.id, entryOf(document)] as const);
    return new Map(entries.filter(([, { expires }]) => expires > now));
  }

  async write(id: string, entry: StateEntry, previous: StoredEntry | undefined): Promise<boolean> {
    if (await this.#put(id, entry, previous?.version ?? "-1")) return true;
    return previous === undefined && (await this.#replaceExpired(id, entry));
  }

  async overwrite(id: string, entry: StateEntry): Promise<void> {
    // An unconditional write can safely be sent twice.
    await this.#add(id, entry, "0", { idempotent: true });
  }

  /**
   * Reads page by page in the order of versions. An entry that changes meanwhile gets a higher version and so moves to
   * the end.
   */
  async list(kinds: readonly string[], since?: string): Promise<readonly ListedEntry[]> {
    const entries = new Map<string, ListedEntry>();
    let from = since;
    for (;;) {
      const page = await this.#page(kinds, from);
      for (const entry of page) entries.set(entry.id, entry);
      const last = page.at(-1)?.version;
      if (page.length < PAGE_SIZE || last === from) return [...entries.values()];
      from = last;
    }
  }

  /** Makes earlier writes visible to lists, also to those of other instances. */
  async makeVisible(): Promise<void> {
    await this.#state.commit(true);
  }

  async #page(kinds: readonly string[], from: string | undefined): Promise<ListedEntry[]> {
    const parameters = new URLSearchParams({
      q: `{!terms f=kind}${kinds.join(",")}`,
      fq: "{!cache=false}expires_at:[NOW TO *]",
      sort: "_version_ asc",
      rows: String(PAGE_SIZE),
    });
    if (from !== undefined) parameters.append("fq", `{!cache=false}_version_:[${from} TO *]`);
    const { text } = await this.#state.select(parameters);
    const { response } = parseWithVersions(text) as { response: { docs: StateDocument[] } };
    return response.docs.map((document) => ({ id: document.id, ...entryOf(document) }));
  }

  /** Replaces an entry that has expired but was not deleted yet. */
  async #replaceExpired(id: string, entry: StateEntry): Promise<boolean> {
    const [doc] = await this.#state.get<StateDocument>([id]);
    if (doc === undefined || entryOf(doc).expires > Date.now()) return false;
    return this.#put(id, entry, doc._version_);
  }

  /** Writes an entry if it still has a version. @returns false if it has another */
  async #put(id: string, entry: StateEntry, version: string): Promise<boolean> {
    const isNamed = this.#state.http.hasSeveralNodes && isObject(entry.value);
    const writing = randomBytes(12).toString("base64url");
    const named = isNamed
      ? { ...entry, value: { ...(entry.value as object), [WRITE_ID]: writing } }
      : entry;
    try {
      await this.#add(id, named, version, { idempotent: isNamed });
      return true;
    } catch (error) {
      if (!(error instanceof VersionConflict)) throw error;
      return isNamed && (await this.#isStoredBy(id, writing));
    }
  }

  /** Whether an entry is stored as a write has left it. */
  async #isStoredBy(id: string, writing: string): Promise<boolean> {
    const [doc] = await this.#state.get<StateDocument>([id]);
    const data: unknown = doc && JSON.parse(doc.data);
    return isObject(data) && data[WRITE_ID] === writing;
  }

  async #add(id: string, entry: StateEntry, version: string, options: CallOptions): Promise<void> {
    const document = {
      id,
      kind: entry.kind,
      data: JSON.stringify(entry.value),
      expires_at: new Date(entry.expires).toISOString(),
    };
    // The version is a parameter: a JSON number would lose its last digits.
    await this.#state.update(JSON.stringify([document]), { _version_: version }, options);
  }
}
