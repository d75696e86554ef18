/**
 * Loads documents into both collections: `files` gets all, `latest` the newest version of each dataset, and all user data.
 *
 * A load can be repeated with the same input, also after it was killed: documents replace themselves, and older versions left
 * in `latest` are found again.
 */

import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { COMPUTED } from "../collections/configset.js";
import { SolrRefused } from "../errors.js";
import { type CallOptions, SolrCollection } from "../transport/client.js";
import type { SolrHttp } from "../transport/http.js";
import { type Checked, checkDocument, Refused } from "./check-document.js";
import { DERIVED, withDerived, withTimes } from "./derived-fields.js";
import {
  type IndexedVersion,
  indexedVersions,
  isEmpty,
  makeVisible,
  UPDATE_TIMEOUT,
  type VersionsByKey,
  whenAdded,
  wholeDocuments,
} from "./latest.js";
import { hash, LoadCounter } from "./load-counter.js";
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
  /** Base folder of relative `file` and `uri`; without it they are left unchanged. */
  readonly root?: string | undefined;
  readonly onRefused: (refusal: Refusal) => void;
  readonly onProgress?: (documents: number) => void;
  /** Shared by several loads, to count files once; by default each load has its own. */
  readonly counter?: LoadCounter;
}

/** A document to send. Until it is dated, its text lacks `added`, `updated` and the closing brace. */
interface Entry {
  readonly file: string;
  readonly key: string;
  readonly rank: Rank;
  readonly text: string;
  readonly line: number;
  /** When it came into the index, if the document states it. */
  readonly added?: string | undefined;
  /** False for user data, which is not a version of other documents. */
  readonly isPublic: boolean;
}

/** Characters and documents in one request to Solr. */
const BATCH_CHARACTERS = 16 * 1024 * 1024;
const BATCH_DOCUMENTS = 20_000;
/** Keys that wait for a commit; bounds memory. */
const MAX_UNCOMMITTED = 1_000_000;

/** Loads documents; run one at a time. */
export class Loader {
  readonly #http: SolrHttp;
  readonly #options: LoadOptions;
  readonly #counter: LoadCounter;
  /** Hashes of keys that were added to `latest` but are not visible to searches yet. */
  readonly #uncommitted = new Set<number>();
  /** Whether `latest` was empty at the start, so that no lookups are needed. */
  #isLatestEmpty = false;
  /** Whether `files` was empty at the start, so that every document is new. */
  #isFilesEmpty = false;
  /** Start of the load: the `added` time of new documents. */
  #now = "";
  #refused = 0;

  constructor(http: SolrHttp, options: LoadOptions) {
    this.#http = http;
    this.#options = options;
    this.#counter = options.counter ?? new LoadCounter();
  }

  /**
   * Loads everything and commits.
   *
   * @returns the counts of all loads that share the counter
   * @throws SolrUnavailable, SolrTimeout; what was sent so far is stored, and a second load with the same input completes it
   */
  async load(documents: AsyncIterable<DocumentText | Unreadable>): Promise<LoadResult> {
    // Documents of a killed load may be stored but not yet visible.
    await Promise.all([makeVisible(this.#http, "files"), makeVisible(this.#http, "latest")]);
    [this.#isLatestEmpty, this.#isFilesEmpty] = await Promise.all([
      isEmpty(this.#http, "latest"),
      isEmpty(this.#http, "files"),
    ]);
    this.#now = new Date().toISOString();
    let batch: Entry[] = [];
    const inBatch = new Set<string>();
    let size = 0;
    // While one batch goes into `latest`, the next goes into `files` and a third is read.
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
      // Failures are awaited above and below; until then they must not be unhandled rejections.
      inFiles.catch(() => {});
      inLatest.catch(() => {});
      await before;
    };
    for await (const document of documents) {
      const entry = "text" in document ? this.#read(document) : this.#refuse(document);
      if (entry === undefined) continue;
      // Solr reports refusals by file, so a request contains each file only once.
      if (inBatch.has(entry.file)) await send();
      inBatch.add(entry.file);
      batch.push(entry);
      size += entry.text.length;
      if (size >= BATCH_CHARACTERS || batch.length >= BATCH_DOCUMENTS) await send();
    }
    await send();
    await inLatest;
    const options = { timeoutMs: UPDATE_TIMEOUT };
    const all = ["files", "latest"].map((name) => new SolrCollection(this.#http, name));
    await Promise.all(all.map((collection) => collection.commit(false, options)));
    const { stored, older } = this.#counter;
    return { stored, older, refused: this.#refused };
  }

  #refuse({ line, reason }: Refusal): undefined {
    this.#refused += 1;
    this.#options.onRefused({ line, reason });
  }

  #read({ text, line }: DocumentText): Entry | undefined {
    let checked: Checked;
    try {
      checked = checkDocument(text);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return this.#refuse({ line, reason: error.message });
    }
    const { root } = this.#options;
    const { document, isAsWritten } = checked;
    const value = typeof document.file === "string" ? document.file : document.file[0];
    const computed = NOT_TAKEN.filter((name) => name in document);
    const changed =
      root !== undefined || computed.length > 0 || !isAsWritten
        ? changedDocument(document, value, root, computed)
        : undefined;
    const sent = withDerived(changed ? JSON.stringify(changed) : text, changed ?? document);
    const given = document.added;
    const added = Array.isArray(given) ? given[0] : given;
    return {
      ...entryOf(changed ?? document, changed?.file ?? value),
      ...(hasValue(added) && { added: String(added) }),
      text: sent,
      line,
    };
  }

  /** Adds `added`, which never changes for a document, and `updated`. */
  async #dated(batch: readonly Entry[]): Promise<Entry[]> {
    const files = batch.map(({ file }) => file);
    const before = this.#isFilesEmpty ? undefined : await whenAdded(this.#http, files);
    const updated = new Date().toISOString();
    return batch.map((entry) => {
      const added = before?.get(entry.file) ?? entry.added ?? this.#now;
      return { ...entry, text: withTimes(entry.text, added, updated) };
    });
  }

  /** Adds a batch to `files`. @returns the entries that Solr accepted */
  async #addToFiles(undated: readonly Entry[]): Promise<Entry[]> {
    const batch = await this.#dated(undated);
    const refusals = await this.#add("files", batch);
    for (const refusal of refusals.values()) this.#refuse(refusal);
    this.#options.onProgress?.(batch.length);
    return batch.filter(({ file }) => !refusals.has(file));
  }

  /** Adds the newest versions to `latest` and removes those they replace. */
  async #addToLatest(stored: readonly Entry[]): Promise<void> {
    const before = await this.#versionsBefore(stored);
    const { entries, gone } = await this.#sortOut(stored, before);
    await this.#add("latest", entries);
    // Removed last: if the load is killed in between, a dataset has two versions until the next load, but never none.
    if (gone.length > 0) await this.#remove(gone);
    for (const { key } of entries) this.#uncommitted.add(hash(key));
    const isIn = new Set(entries.map(({ file }) => file));
    for (const { file } of stored) this.#counter.store(file, !isIn.has(file));
    for (const file of gone) this.#counter.mark(file, true);
    for (const file of isIn) this.#counter.mark(file, false);
  }

  /** The versions in `latest` under the keys of a batch; undefined if `latest` was empty and has none of the keys. */
  async #versionsBefore(batch: readonly Entry[]): Promise<VersionsByKey | undefined> {
    const keys = new Set(batch.map(({ key }) => key));
    const uncommitted = this.#uncommitted;
    if (
      uncommitted.size > MAX_UNCOMMITTED ||
      (uncommitted.size > 0 && batch.some(({ key }) => uncommitted.has(hash(key))))
    ) {
      await makeVisible(this.#http, "latest");
      uncommitted.clear();
      this.#isLatestEmpty = false;
    }
    return this.#isLatestEmpty ? undefined : indexedVersions(this.#http, "latest", [...keys]);
  }

  /** Finds what of a batch belongs in `latest`, which older documents return there, and which must go. */
  async #sortOut(batch: readonly Entry[], before: VersionsByKey | undefined) {
    const byFile = new Map(batch.map((entry) => [entry.file, entry]));
    const newest = new Map<string, IndexedVersion>();
    const consider = (key: string, one: IndexedVersion): void => {
      const best = newest.get(key);
      if (best === undefined || compareRanks(best.rank, one.rank) <= 0) newest.set(key, one);
    };
    /** Keys whose newest version became older or a user's, so that any version may be the newest. */
    const open = new Set<string>();
    for (const [key, versions] of before ?? []) {
      for (const present of versions) {
        const now = byFile.get(present.file);
        if (now === undefined) consider(key, present);
        else if (!now.isPublic || compareRanks(now.rank, present.rank) < 0) open.add(key);
      }
    }
    if (open.size > 0) {
      await makeVisible(this.#http, "files");
      for (const [key, versions] of await indexedVersions(this.#http, "files", [...open])) {
        for (const one of versions) if (!byFile.has(one.file)) consider(key, one);
      }
    }
    for (const entry of batch) if (entry.isPublic) consider(entry.key, entry);
    const isNewest = ({ file, key }: { file: string; key: string }): boolean =>
      newest.get(key)?.file === file;
    const entries = batch.filter((entry) => !entry.isPublic || isNewest(entry));
    const back = [...open].flatMap((key) => newest.get(key)?.file ?? []);
    for await (const document of wholeDocuments(
      this.#http,
      back.filter((file) => !byFile.has(file)),
    )) {
      entries.push(asEntry(document));
    }
    const present = [...(before ?? [])].flatMap(([key, versions]) =>
      versions.map(({ file }) => ({ file, key })),
    );
    // Also documents of the batch that were not found: they may be in `latest` as user data.
    const others = before === undefined ? [] : batch.filter(({ isPublic }) => isPublic);
    const stays = new Set(entries.map(({ file }) => file));
    const all = [...present, ...others].filter((one) => !isNewest(one) && !stays.has(one.file));
    return { entries, gone: [...new Set(all.map(({ file }) => file))] };
  }

  /** Adds documents. @returns the refusals, by file */
  async #add(collection: string, entries: readonly Entry[]): Promise<Map<string, Refusal>> {
    if (entries.length === 0) return new Map();
    const lines = new Map(entries.map(({ file, line }) => [file, line]));
    const solr = new SolrCollection(this.#http, collection);
    const body = `[${entries.map((entry) => entry.text).join(",")}]`;
    const options = { timeoutMs: UPDATE_TIMEOUT, idempotent: true };
    // Then a request is all or nothing: refused documents are identified, and the others are sent again.
    const mayLose = solr.mayLose;
    try {
      if (mayLose && (await takesAll(solr, body, options))) return new Map();
      const errors = await solr.updateTolerantly(body, options);
      const isNamed = errors.every(({ id }) => lines.has(id)) && !(mayLose && errors.length === 0);
      if (isNamed || (entries.length === 1 && errors.length > 0)) {
        const refusals = new Map(
          errors.map(({ id, message }) => {
            const file = lines.has(id) ? id : (entries[0] as Entry).file;
            return [file, { line: lines.get(file) ?? 0, reason: reasonOf(message) }] as const;
          }),
        );
        if (!mayLose) return refusals;
        const others = entries.filter(({ file }) => !refusals.has(file));
        return new Map([...refusals, ...(await this.#add(collection, others))]);
      }
      if (entries.length === 1) {
        await solr.update(body, {}, options);
        return new Map();
      }
    } catch (error) {
      if (!(error instanceof SolrRefused)) throw error;
      const [one, ...others] = entries as [Entry, ...Entry[]];
      if (others.length === 0) {
        return new Map([[one.file, { line: one.line, reason: reasonOf(error.message) }]]);
      }
    }
    // Solr refused the request without naming a document: bisect.
    const middle = Math.ceil(entries.length / 2);
    const first = await this.#add(collection, entries.slice(0, middle));
    return new Map([...first, ...(await this.#add(collection, entries.slice(middle)))]);
  }

  async #remove(files: readonly string[]): Promise<void> {
    await new SolrCollection(this.#http, "latest").delete(files, { timeoutMs: UPDATE_TIMEOUT });
  }
}

/** Whether Solr accepts all documents; otherwise some may have been stored. */
async function takesAll(
  solr: SolrCollection,
  body: string,
  options: CallOptions,
): Promise<boolean> {
  try {
    await solr.update(body, {}, options);
    return true;
  } catch (error) {
    if (error instanceof SolrRefused) return false;
    throw error;
  }
}

/** Solr's reason without the redundant prefix. */
const reasonOf = (message: string): string =>
  message.replace(/^ERROR: \[doc=.*?\] (?=Error|unknown|multiple)/s, "");

/** Whether a value is not empty; Solr treats empty values as missing. */
const hasValue = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.some(hasValue)
    : value !== undefined && value !== null && value !== "";

const entryOf = ({ version, user }: Readonly<Record<string, unknown>>, file: string) => ({
  file,
  key: drsKey(file),
  rank: rank(Array.isArray(version) ? version[0] : version, file),
  isPublic: !hasValue(user),
});

type Stored = Readonly<Record<string, unknown>> & { readonly file: string };

/** A document in the form in which it can be sent back to Solr. */
export const withoutComputed = (document: Stored): Stored =>
  changedDocument(document, document.file, undefined, COMPUTED);

/** A document of `files` that returns to `latest`; it has no line in the input. */
function asEntry(document: Stored): Entry {
  const kept = withoutComputed(document);
  return { ...entryOf(kept, document.file), text: JSON.stringify(kept), line: 0 };
}

/** Fields that dumps of other indexes may contain; they are ignored. */
const NOT_TAKEN = [...COMPUTED, ...DERIVED];

/** A copy without computed fields, and with `file` and `uri` resolved against a folder. */
function changedDocument(
  document: object,
  file: string,
  root: string | undefined,
  computed: readonly string[],
): Readonly<Record<string, unknown>> & { readonly file: string } {
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
