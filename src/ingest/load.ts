/**
 * Documents -> both collections: `files` gets all, `latest` the newest version of each.
 *
 * A load may be run again, or after one that was killed, with the same input: documents replace
 * themselves, and an older version that is still in `latest` is found there again.
 */

import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { SolrCollection } from "../solr/client.js";
import type { SolrHttp } from "../solr/http.js";
import type { DocumentText, Unreadable } from "./read-documents.js";
import { compareRanks, drsKey, type Rank, rank } from "./version.js";

export interface Refusal {
  readonly line: number;
  readonly reason: string;
}

export interface LoadResult {
  /** Documents stored in `files`. */
  readonly stored: number;
  /** Documents among them that are not the newest version. */
  readonly older: number;
  readonly refused: number;
}

export interface LoadOptions {
  /** Folder against which relative `file` and `uri` are resolved; as they are where left out. */
  readonly root?: string | undefined;
  readonly onRefused: (refusal: Refusal) => void;
  readonly onProgress?: (documents: number) => void;
}

interface Entry {
  readonly file: string;
  readonly key: string;
  readonly rank: Rank;
  readonly text: string;
  readonly line: number;
}

/** Characters and documents in one request to Solr. */
const BATCH_CHARACTERS = 16 * 1024 * 1024;
const BATCH_DOCUMENTS = 20_000;
/** Milliseconds that Solr may take for one batch or commit. */
const UPDATE_TIMEOUT = 600_000;
/** How many keys may wait for a commit before one is made, to bound memory. */
const MAX_UNSEEN = 1_000_000;

/** Loads documents; run one at a time. */
export class Loader {
  readonly #http: SolrHttp;
  readonly #options: LoadOptions;
  readonly #latest: SolrCollection;
  /** Hashes of keys that went into `latest` and that no search there shows yet. */
  readonly #unseen = new Set<number>();
  /** Whether `latest` had nothing at the start, so that there is nothing to look up. */
  #empty = false;
  #stored = 0;
  #older = 0;
  #refused = 0;

  constructor(http: SolrHttp, options: LoadOptions) {
    this.#http = http;
    this.#options = options;
    this.#latest = new SolrCollection(http, "latest");
  }

  /**
   * Loads everything and commits.
   *
   * @throws SolrUnavailable, SolrTimeout; what was sent until then is stored, and a second load
   *   with the same input completes it
   */
  async load(documents: AsyncIterable<DocumentText | Unreadable>): Promise<LoadResult> {
    this.#empty = (await this.#visible("*:*", 0)).found === 0;
    let batch: Entry[] = [];
    const inBatch = new Set<string>();
    let size = 0;
    // While one batch goes into `latest`, the next goes into `files` and the one after is read.
    let inFiles: Promise<Entry[]> = Promise.resolve([]);
    let inLatest: Promise<void> = Promise.resolve();
    const send = async (): Promise<void> => {
      const ready = batch;
      batch = [];
      inBatch.clear();
      size = 0;
      await inFiles;
      const before = inLatest;
      inFiles = this.#addToFiles(ready);
      inLatest = Promise.all([inFiles, before]).then(([stored]) => this.#addToLatest(stored));
      // Failures are awaited above and below; until then they must not count as nobody's.
      inFiles.catch(() => {});
      inLatest.catch(() => {});
      await before;
    };
    for await (const document of documents) {
      const entry = "text" in document ? this.#read(document) : this.#refuse(document);
      if (entry === undefined) continue;
      // Solr tells of a refusal by the file, so one request never has two documents of the same.
      if (inBatch.has(entry.file)) await send();
      inBatch.add(entry.file);
      batch.push(entry);
      size += entry.text.length;
      if (size >= BATCH_CHARACTERS || batch.length >= BATCH_DOCUMENTS) await send();
    }
    await send();
    await inLatest;
    const options = { timeoutMs: UPDATE_TIMEOUT };
    const all = [new SolrCollection(this.#http, "files"), this.#latest];
    await Promise.all(all.map((collection) => collection.commit(false, options)));
    return { stored: this.#stored, older: this.#older, refused: this.#refused };
  }

  #refuse({ line, reason }: Refusal): undefined {
    this.#refused += 1;
    this.#options.onRefused({ line, reason });
  }

  /** What can be told of a document without Solr, which checks the rest against its schema. */
  #read({ text, line }: DocumentText): Entry | undefined {
    let document: unknown;
    try {
      document = JSON.parse(text);
    } catch (error) {
      return this.#refuse({ line, reason: `not JSON: ${(error as Error).message}` });
    }
    if (typeof document !== "object" || document === null || Array.isArray(document)) {
      return this.#refuse({ line, reason: "not a JSON object" });
    }
    const { file: raw, version } = document as Record<string, unknown>;
    const value = Array.isArray(raw) && raw.length === 1 ? raw[0] : raw;
    if (typeof value !== "string" || value === "") {
      return this.#refuse({ line, reason: "file is missing: every document needs a path" });
    }
    const { root } = this.#options;
    const computed = COMPUTED.filter((name) => name in document);
    const changed =
      root !== undefined || computed.length > 0
        ? changedDocument(document, value, root, computed)
        : undefined;
    const file = changed?.file ?? value;
    return {
      file,
      key: drsKey(file),
      rank: rank(Array.isArray(version) ? version[0] : version, file),
      text: changed ? JSON.stringify(changed) : text,
      line,
    };
  }

  /** Adds a batch to `files`; gives what Solr accepted. */
  async #addToFiles(batch: readonly Entry[]): Promise<Entry[]> {
    const refusals = await this.#add("files", batch);
    for (const refusal of refusals.values()) this.#refuse(refusal);
    this.#options.onProgress?.(batch.length);
    return batch.filter(({ file }) => !refusals.has(file));
  }

  /** Adds the newest versions to `latest`, and takes out what they supersede. */
  async #addToLatest(stored: readonly Entry[]): Promise<void> {
    const { newest, superseded } = await this.#sortOut(stored);
    await this.#add("latest", [...newest.values()]);
    // Only now: killed in between, a dataset has two versions until the next load, never none.
    if (superseded.length > 0) await this.#remove(superseded);
    for (const key of newest.keys()) this.#unseen.add(hash(key));
    const files = new Set(stored.map(({ file }) => file)).size;
    this.#stored += files;
    this.#older += files - newest.size;
  }

  /** Which documents of a batch are the newest, and what in `latest` they supersede. */
  async #sortOut(batch: readonly Entry[]) {
    const newest = new Map<string, Entry>();
    for (const entry of batch) {
      const known = newest.get(entry.key);
      if (!known || compareRanks(known.rank, entry.rank) <= 0) newest.set(entry.key, entry);
    }
    const superseded: string[] = [];
    for (const [key, versions] of await this.#stand([...newest.keys()])) {
      for (const present of versions) {
        const entry = newest.get(key);
        if (entry === undefined || present.file === entry.file) continue;
        if (compareRanks(present.rank, entry.rank) > 0) newest.delete(key);
        else superseded.push(present.file);
      }
    }
    return { newest, superseded };
  }

  /** What stands in `latest` under the keys. */
  async #stand(keys: readonly string[]): Promise<Map<string, { file: string; rank: Rank }[]>> {
    const hashes = keys.map(hash);
    if (this.#unseen.size > MAX_UNSEEN || hashes.some((value) => this.#unseen.has(value))) {
      await this.#latest.commit(true, { timeoutMs: UPDATE_TIMEOUT });
      this.#unseen.clear();
      this.#empty = false;
    }
    const standing = new Map<string, { file: string; rank: Rank }[]>();
    if (this.#empty) return standing;
    const { documents } = await this.#visible(termsQuery("drs_key"), keys.length * 8, keys);
    for (const { file, version } of documents) {
      const key = drsKey(file);
      standing.set(key, [...(standing.get(key) ?? []), { file, rank: rank(version, file) }]);
    }
    return standing;
  }

  async #visible(q: string, rows: number, values: readonly string[] = []) {
    const parameters = {
      q,
      rows: String(rows),
      // What users have registered is nobody's older or newer version.
      fq: "-user:*",
      fl: "file,version",
      values: values.join(JOINT),
      expandMacros: "false",
    };
    const asked = new URLSearchParams(parameters);
    const { text } = await this.#latest.select(asked, { timeoutMs: UPDATE_TIMEOUT });
    const { response } = JSON.parse(text) as {
      response: { numFound: number; docs: { file: string; version?: string }[] };
    };
    return { found: response.numFound, documents: response.docs };
  }

  /** Adds documents; gives those that Solr refused, by their file. */
  async #add(collection: string, entries: readonly Entry[]): Promise<Map<string, Refusal>> {
    const refusals = new Map<string, Refusal>();
    if (entries.length === 0) return refusals;
    const body = `[${entries.map((entry) => entry.text).join(",")}]`;
    const errors = await new SolrCollection(this.#http, collection).updateTolerantly(body, {
      timeoutMs: UPDATE_TIMEOUT,
    });
    const lines = new Map(entries.map(({ file, line }) => [file, line]));
    for (const { id, message } of errors) {
      const reason = message.replace(/^ERROR: \[doc=.*?\] (?=Error|unknown|multiple)/s, "");
      refusals.set(id, { line: lines.get(id) ?? 0, reason });
    }
    return refusals;
  }

  async #remove(files: readonly string[]): Promise<void> {
    await this.#latest.delete(files, { timeoutMs: UPDATE_TIMEOUT });
  }
}

/** Stands between values of a terms query; no path holds it. */
const JOINT = "\u0001";
const termsQuery = (field: string): string => `{!terms f=${field} separator="${JOINT}" v=$values}`;

/**
 * What Solr makes itself, and a dump of another index may carry: `_version_` would be a condition on
 * what is stored already, the others would come twice.
 */
const COMPUTED = ["_version_", "_root_", "drs_key", "time_raw", "file_digest"];

/** A document without computed fields, its relative `file` and `uri` resolved against a folder. */
function changedDocument(
  document: object,
  file: string,
  root: string | undefined,
  computed: readonly string[],
): { file: string; uri?: string } {
  const kept = Object.entries(document).filter(([name]) => !computed.includes(name));
  const copy = { ...Object.fromEntries(kept), file };
  if (root === undefined) return copy;
  const { uri } = document as { uri?: unknown };
  const isRelative = (text: string): boolean =>
    !text.startsWith("/") && !/^[a-z][\w+.-]*:/i.test(text);
  return {
    ...copy,
    ...(isRelative(file) && { file: resolve(root, file) }),
    ...(typeof uri === "string" &&
      isRelative(uri) && { uri: pathToFileURL(resolve(root, uri)).href }),
  };
}

/** A 52-bit hash (two rounds of FNV-1a), so that millions of keys can be remembered. */
function hash(text: string): number {
  let low = 0x811c9dc5;
  let high = 0x9747b28c;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ code, 0x01000199);
  }
  return (high >>> 12) * 2 ** 32 + (low >>> 0);
}
