/** The state store in Solr's collection `state`, shared by all instances of the service. */
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { isObject } from "../../domain/text/json-object.js";
import { SingleFlight } from "../../platform/concurrency/single-flight.js";
import { SolrUnavailable } from "../errors.js";
import { SolrCollection } from "../transport/client.js";
import { type SolrHttp, VersionConflict } from "../transport/http.js";
import { parseWithVersions } from "../transport/json-response.js";
import type {
  ListedEntry,
  StateEntry,
  StateStore,
  StoredEntry,
  WriteResult,
} from "./state-store.js";

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
 * The property with the id of the write, if Solr has several nodes. A write may be stored although Solr answers with a conflict, if it
 * was sent again after a node failed. The id shows that a stored version is its own.
 */
const WRITE_ID = "_writing_";
/** Attempts to repeat a write, and milliseconds between them: replicas are behind their leader for a moment. */
const MAX_ATTEMPTS = 40;
const RETRY_PAUSE_MS = 25;
/** Solr's version of an entry that must not exist. */
const ABSENT = "-1";

/** A write that waits for its request. */
interface PendingWrite {
  readonly id: string;
  readonly entry: StateEntry;
  /** Undefined if Solr has one node, or the value cannot hold it. */
  readonly writeId: string | undefined;
  readonly version: string;
  /** How often it was repeated. */
  readonly attempts: number;
  readonly resolve: (result: WriteResult) => void;
  readonly reject: (reason: unknown) => void;
}

const writeIdOf = ({ data }: StateDocument): unknown =>
  (JSON.parse(data) as Partial<Record<typeof WRITE_ID, unknown>> | null)?.[WRITE_ID];

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
  #pending: PendingWrite[] = [];
  readonly #commits = new SingleFlight<void>();

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

  write(id: string, entry: StateEntry, previous: StoredEntry | undefined): Promise<WriteResult> {
    return new Promise((resolve, reject) => {
      const { hasSeveralNodes } = this.#state.http;
      const isNamed = hasSeveralNodes && isObject(entry.value);
      const writeId = isNamed ? randomBytes(12).toString("base64url") : undefined;
      const version = previous?.version ?? ABSENT;
      const write = { id, entry, writeId, version, attempts: 0, resolve, reject };
      if (this.#state.mayLose) void this.#put([write]);
      else if (this.#pending.push(write) === 1) setImmediate(() => this.#putPending());
    });
  }

  async overwrite(id: string, entry: StateEntry): Promise<void> {
    // An unconditional write can safely be sent twice.
    await this.#state.update(`[${documentOf(id, entry, "0")}]`, {}, { idempotent: true });
    await this.#keep([entry]);
  }

  /**
   * Waits until writes survive whatever happens to the nodes of a SolrCloud: what is only in an update log, a replica may miss if
   * all are killed together and it copies the index of another one that is just starting (SOLR-13486). Writes of the same moment
   * share a commit.
   */
  async #keep(entries: readonly StateEntry[]): Promise<void> {
    if (!this.#state.http.topology.cloud || entries.every(({ mayBeLost }) => mayBeLost)) return;
    await this.#commits.next(() => this.#state.writeToDisk());
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

  #putPending(): void {
    const writes = this.#pending;
    this.#pending = [];
    // The error of a request names the entry, so it may have only one write of each.
    const together = new Map(writes.map((write) => [write.id, write]));
    void this.#put([...together.values()]);
    for (const write of writes) if (together.get(write.id) !== write) void this.#put([write]);
  }

  /** Writes entries that still have their versions, in one request. */
  async #put(writes: readonly PendingWrite[]): Promise<void> {
    const documents = writes.map(({ id, entry, version, writeId }) => {
      if (writeId === undefined) return documentOf(id, entry, version);
      const value = { ...(entry.value as object), [WRITE_ID]: writeId };
      return documentOf(id, { ...entry, value }, version);
    });
    const idempotent = writes.every(({ writeId }) => writeId !== undefined);
    try {
      const body = `[${documents.join(",")}]`;
      const { text } = await this.#state.update(body, WITH_VERSIONS, { idempotent });
      await this.#keep(writes.map(({ entry }) => entry));
      const versions = addedVersions(text);
      for (const { id, entry, resolve } of writes) {
        const version = versions.get(id);
        resolve({
          isWritten: true,
          entry: version === undefined ? undefined : { ...entry, version },
        });
      }
    } catch (error) {
      if (error instanceof VersionConflict) await this.#settle(writes, error);
      else for (const { reject } of writes) reject(error);
    }
  }

  /** Finds out which writes of a conflicting request are stored, and repeats those that Solr did not reach. */
  async #settle(writes: readonly PendingWrite[], { message }: VersionConflict): Promise<void> {
    const at = writes.findIndex(({ id }) => message.includes(`version conflict for ${id} `));
    // Only writes to a single Solr share a request: it takes them in their order, up to the first conflict, and waits for no commit.
    // Their entries may have changed again.
    if (at >= 0) {
      for (const { resolve } of writes.slice(0, at)) resolve({ isWritten: true, entry: undefined });
      if (at + 1 < writes.length) void this.#put(writes.slice(at + 1));
      await this.#read(writes.slice(at, at + 1));
    } else await this.#read(writes);
  }

  /** Tells writes of a conflicting request from their entries. */
  async #read(writes: readonly PendingWrite[]): Promise<void> {
    try {
      const ids = writes.map(({ id }) => id);
      const documents = await this.#state.get<StateDocument>(ids);
      const found = new Map(documents.map((document) => [document.id, document]));
      for (const write of writes) {
        const document = found.get(write.id);
        const current = document && entryOf(document);
        const isExpired = current !== undefined && current.expires <= Date.now();
        const version = document?._version_ ?? ABSENT;
        // Solr deletes expired entries only from time to time.
        const isOpen = version === write.version || (isExpired && write.version === ABSENT);
        // Without an id, nothing tells by whom the entry was stored.
        const { writeId } = write;
        if (document && writeId !== undefined && writeIdOf(document) === writeId) {
          await this.#keep([write.entry]);
          write.resolve({ isWritten: true, entry: current });
        } else if (isOpen) void this.#again({ ...write, version });
        else write.resolve({ isWritten: false, entry: isExpired ? undefined : current });
      }
    } catch (error) {
      for (const { reject } of writes) reject(error);
    }
  }

  /**
   * Repeats a write that conflicted with an entry that would allow it: another write of its request conflicted, Solr has deleted an
   * expired entry since, or the replica that was read is behind its leader.
   */
  async #again(write: PendingWrite): Promise<void> {
    if (write.attempts === MAX_ATTEMPTS) {
      write.reject(new SolrUnavailable(`the newest state of ${write.id} is not known`));
      return;
    }
    if (write.attempts > 0) await sleep(RETRY_PAUSE_MS);
    await this.#put([{ ...write, attempts: write.attempts + 1 }]);
  }
}

/** Makes Solr answer with the new versions. */
const WITH_VERSIONS = { versions: "true", "json.nl": "map" };

/** An entry as a document, which Solr adds if the stored one has the version. A JSON number would lose its last digits. */
function documentOf(id: string, { kind, value, expires }: StateEntry, version: string): string {
  const data = JSON.stringify(value);
  const document = { id, kind, data, expires_at: new Date(expires).toISOString() };
  return `${JSON.stringify(document).slice(0, -1)},"_version_":${version}}`;
}

/** The versions of added documents by their keys. A node that only forwards an update does not know them. */
function addedVersions(text: string): ReadonlyMap<string, string> {
  const begin = text.indexOf('"adds":{');
  const added = begin < 0 ? "" : text.slice(begin, text.indexOf("}", begin));
  const versions = [...added.matchAll(/"([^"\\]+)":([1-9]\d*)/g)];
  return new Map(versions.map(([, id = "", version = ""]) => [id, version]));
}
