/** The collection `state`: small entries that several instances of the service share. */
import { randomBytes } from "node:crypto";
import { isObject } from "../../domain/text/json-object.js";
import { type CallOptions, SolrCollection } from "../transport/client.js";
import { type SolrHttp, VersionConflict } from "../transport/http.js";
import { parseWithVersions } from "../transport/version-json.js";
import type { ListedEntry, StateEntry, StateStore, StoredEntry } from "./state-store.js";

const COLLECTION = "state";
/** Entries that a list asks for at a time. */
const PAGE = 10_000;

interface StateDocument {
  readonly id: string;
  readonly kind: string;
  readonly data: string;
  readonly expires_at: string;
  readonly _version_: string;
}

/**
 * In what is stored, the name of the writing. Where a node was killed, a write may be sent a second time that was done
 * already: that it finds another version then must not be taken for somebody else's doing.
 */
const WRITING = "_writing_";

function entryOf(document: StateDocument): StoredEntry {
  const data: unknown = JSON.parse(document.data);
  const { [WRITING]: _, ...value } = isObject(data) ? data : {};
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

  /** Real-time get: sees what no commit has made visible yet. */
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
    // What is written whatever there was may be written twice.
    await this.#add(id, entry, "0", { idempotent: true });
  }

  /**
   * In the order of versions, page by page: what changes meanwhile gets a higher one, and so is only moved to the end.
   */
  async list(kinds: readonly string[], since?: string): Promise<readonly ListedEntry[]> {
    const entries = new Map<string, ListedEntry>();
    let from = since;
    for (;;) {
      const page = await this.#page(kinds, from);
      for (const entry of page) entries.set(entry.id, entry);
      const last = page.at(-1)?.version;
      if (page.length < PAGE || last === from) return [...entries.values()];
      from = last;
    }
  }

  /** Makes what was written until now visible to lists, also of other instances. @throws SolrUnavailable, SolrTimeout */
  async show(): Promise<void> {
    await this.#state.commit(true);
  }

  async #page(kinds: readonly string[], from: string | undefined): Promise<ListedEntry[]> {
    const parameters = new URLSearchParams({
      q: `{!terms f=kind}${kinds.join(",")}`,
      fq: "{!cache=false}expires_at:[NOW TO *]",
      sort: "_version_ asc",
      rows: String(PAGE),
    });
    if (from !== undefined) parameters.append("fq", `{!cache=false}_version_:[${from} TO *]`);
    const { text } = await this.#state.select(parameters);
    const { response } = parseWithVersions(text) as { response: { docs: StateDocument[] } };
    return response.docs.map((document) => ({ id: document.id, ...entryOf(document) }));
  }

  /** An entry that has expired but was not deleted yet must not stand in the way of a new one. */
  async #replaceExpired(id: string, entry: StateEntry): Promise<boolean> {
    const [doc] = await this.#state.get<StateDocument>([id]);
    if (doc === undefined || entryOf(doc).expires > Date.now()) return false;
    return this.#put(id, entry, doc._version_);
  }

  /** Writes an entry if it is still in a version. @returns false when it is not */
  async #put(id: string, entry: StateEntry, version: string): Promise<boolean> {
    const isNamed = this.#state.http.hasSeveralNodes && isObject(entry.value);
    const writing = randomBytes(12).toString("base64url");
    const named = isNamed
      ? { ...entry, value: { ...(entry.value as object), [WRITING]: writing } }
      : entry;
    try {
      await this.#add(id, named, version, { idempotent: isNamed });
      return true;
    } catch (error) {
      if (!(error instanceof VersionConflict)) throw error;
      return isNamed && (await this.#stands(id, writing));
    }
  }

  /** Whether an entry is what a writing has left. */
  async #stands(id: string, writing: string): Promise<boolean> {
    const [doc] = await this.#state.get<StateDocument>([id]);
    const data: unknown = doc && JSON.parse(doc.data);
    return isObject(data) && data[WRITING] === writing;
  }

  async #add(id: string, entry: StateEntry, version: string, options: CallOptions): Promise<void> {
    const document = {
      id,
      kind: entry.kind,
      data: JSON.stringify(entry.value),
      expires_at: new Date(entry.expires).toISOString(),
    };
    // The version as a parameter: as a number in JSON it would lose its last digits.
    await this.#state.update(JSON.stringify([document]), { _version_: version }, options);
  }
}
