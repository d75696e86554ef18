/**
 * Documents -> both collections: `files` gets all, `latest` the newest version of each, and all that users have.
 *
 * A load may be run again, or after one that was killed, with the same input: documents replace
 * themselves, and an older version that is still in `latest` is found there again.
 */

import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { COMPUTED } from "../collections/configset.js";
import { SolrRefused } from "../errors.js";
import { type CallOptions, SolrCollection } from "../transport/client.js";
import type { SolrHttp } from "../transport/http.js";
import { type Checked, checkDocument, Refused } from "./check-document.js";
import { MADE, withMade, withMoments } from "./derived-fields.js";
import {
  isEmpty,
  makeVisible,
  type Standing,
  type StandingByKey,
  standing,
  UPDATE_TIMEOUT,
  whenAdded,
  wholeDocuments,
} from "./latest.js";
import { hash, Tally } from "./load-counter.js";
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
  /** Counts over several loads; one of its own where left out. */
  readonly tally?: Tally;
}

/** A document as it is sent; until then its text lacks when it came and was written, and the brace behind that. */
interface Entry {
  readonly file: string;
  readonly key: string;
  readonly rank: Rank;
  readonly text: string;
  readonly line: number;
  /** When it came into the index, where the document itself says so. */
  readonly added?: string | undefined;
  /** Not what a user has: that is nobody's older or newer version. */
  readonly isPublic: boolean;
}

/** Characters and documents in one request to Solr. */
const BATCH_CHARACTERS = 16 * 1024 * 1024;
const BATCH_DOCUMENTS = 20_000;
/** How many keys may wait for a commit before one is made, to bound memory. */
const MAX_UNSEEN = 1_000_000;

/** Loads documents; run one at a time. */
export class Loader {
  readonly #http: SolrHttp;
  readonly #options: LoadOptions;
  readonly #tally: Tally;
  /** Hashes of keys that went into `latest` and that no search there shows yet. */
  readonly #unseen = new Set<number>();
  /** Whether `latest` had nothing at the start, so that there is nothing to look up. */
  #empty = false;
  /** Whether `files` had nothing at the start, so that everything comes now. */
  #isFirst = false;
  /** When this load began, which is when everything comes that is new in it. */
  #now = "";
  #refused = 0;

  constructor(http: SolrHttp, options: LoadOptions) {
    this.#http = http;
    this.#options = options;
    this.#tally = options.tally ?? new Tally();
  }

  /**
   * Loads everything and commits.
   *
   * @returns what was stored, by all loads that the tally counts
   * @throws SolrUnavailable, SolrTimeout; what was sent until then is stored, and a second load
   *   with the same input completes it
   */
  async load(documents: AsyncIterable<DocumentText | Unreadable>): Promise<LoadResult> {
    // What a load that was killed has sent is there, though no search may show it yet.
    await Promise.all([makeVisible(this.#http, "files"), makeVisible(this.#http, "latest")]);
    [this.#empty, this.#isFirst] = await Promise.all([
      isEmpty(this.#http, "latest"),
      isEmpty(this.#http, "files"),
    ]);
    this.#now = new Date().toISOString();
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
    const all = ["files", "latest"].map((name) => new SolrCollection(this.#http, name));
    await Promise.all(all.map((collection) => collection.commit(false, options)));
    const { stored, older } = this.#tally;
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
    const sent = withMade(changed ? JSON.stringify(changed) : text, changed ?? document);
    const given = document.added;
    const added = Array.isArray(given) ? given[0] : given;
    return {
      ...entryOf(changed ?? document, changed?.file ?? value),
      ...(hasValue(added) && { added: String(added) }),
      ...{ text: sent, line },
    };
  }

  /** The documents with when they came, which stays as it was, and when they were written. */
  async #dated(batch: readonly Entry[]): Promise<Entry[]> {
    const files = batch.map(({ file }) => file);
    const before = this.#isFirst ? undefined : await whenAdded(this.#http, files);
    const updated = new Date().toISOString();
    return batch.map((entry) => {
      const added = before?.get(entry.file) ?? entry.added ?? this.#now;
      return { ...entry, text: withMoments(entry.text, added, updated) };
    });
  }

  /** Adds a batch to `files`; gives what Solr accepted. */
  async #addToFiles(undated: readonly Entry[]): Promise<Entry[]> {
    const batch = await this.#dated(undated);
    const refusals = await this.#add("files", batch);
    for (const refusal of refusals.values()) this.#refuse(refusal);
    this.#options.onProgress?.(batch.length);
    return batch.filter(({ file }) => !refusals.has(file));
  }

  /** Adds the newest versions to `latest`, and takes out what is none any more. */
  async #addToLatest(stored: readonly Entry[]): Promise<void> {
    const before = await this.#stand(stored);
    const { entries, gone } = await this.#sortOut(stored, before);
    await this.#add("latest", entries);
    // Only now: killed in between, a dataset has two versions until the next load, never none.
    if (gone.length > 0) await this.#remove(gone);
    for (const { key } of entries) this.#unseen.add(hash(key));
    const isIn = new Set(entries.map(({ file }) => file));
    for (const { file } of stored) this.#tally.store(file, !isIn.has(file));
    for (const file of gone) this.#tally.turn(file, true);
    for (const file of isIn) this.#tally.turn(file, false);
  }

  /** What stands in `latest` under the keys of a batch; undefined where it has nothing of what was before. */
  async #stand(batch: readonly Entry[]): Promise<StandingByKey | undefined> {
    const keys = new Set(batch.map(({ key }) => key));
    const unseen = this.#unseen;
    if (
      unseen.size > MAX_UNSEEN ||
      (unseen.size > 0 && batch.some(({ key }) => unseen.has(hash(key))))
    ) {
      await makeVisible(this.#http, "latest");
      this.#unseen.clear();
      this.#empty = false;
    }
    return this.#empty ? undefined : standing(this.#http, "latest", [...keys]);
  }

  /** What of a batch belongs into `latest`, with what comes back there, and what has to go. */
  async #sortOut(batch: readonly Entry[], before: StandingByKey | undefined) {
    const byFile = new Map(batch.map((entry) => [entry.file, entry]));
    const newest = new Map<string, Standing>();
    const consider = (key: string, one: Standing): void => {
      const best = newest.get(key);
      if (best === undefined || compareRanks(best.rank, one.rank) <= 0) newest.set(key, one);
    };
    /** Keys of what was the newest and is less now, or a user's: any version may be the newest then. */
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
      for (const [key, versions] of await standing(this.#http, "files", [...open])) {
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
    // Of the batch also what does not stand there: it may, as what a user had.
    const others = before === undefined ? [] : batch.filter(({ isPublic }) => isPublic);
    const stays = new Set(entries.map(({ file }) => file));
    const all = [...present, ...others].filter((one) => !isNewest(one) && !stays.has(one.file));
    return { entries, gone: [...new Set(all.map(({ file }) => file))] };
  }

  /** Adds documents; gives those that Solr refused, by their file. */
  async #add(collection: string, entries: readonly Entry[]): Promise<Map<string, Refusal>> {
    if (entries.length === 0) return new Map();
    const lines = new Map(entries.map(({ file, line }) => [file, line]));
    const solr = new SolrCollection(this.#http, collection);
    const body = `[${entries.map((entry) => entry.text).join(",")}]`;
    const options = { timeoutMs: UPDATE_TIMEOUT, idempotent: true };
    // Then it must be all or nothing: what is refused is found out, and the others are sent again.
    const isSevere = solr.mayLose;
    try {
      if (isSevere && (await takesAll(solr, body, options))) return new Map();
      const errors = await solr.updateTolerantly(body, options);
      const isTold = errors.every(({ id }) => lines.has(id)) && !(isSevere && errors.length === 0);
      if (isTold || (entries.length === 1 && errors.length > 0)) {
        const refusals = new Map(
          errors.map(({ id, message }) => {
            const file = lines.has(id) ? id : (entries[0] as Entry).file;
            return [file, { line: lines.get(file) ?? 0, reason: reasonOf(message) }] as const;
          }),
        );
        if (!isSevere) return refusals;
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
    // Solr refuses all for one that it does not name: which one it is shows in halves.
    const middle = Math.ceil(entries.length / 2);
    const first = await this.#add(collection, entries.slice(0, middle));
    return new Map([...first, ...(await this.#add(collection, entries.slice(middle)))]);
  }

  async #remove(files: readonly string[]): Promise<void> {
    await new SolrCollection(this.#http, "latest").delete(files, { timeoutMs: UPDATE_TIMEOUT });
  }
}

/** Whether Solr takes all documents; else some are stored and some are not. */
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

/** Solr's reason without what is told anyway. */
const reasonOf = (message: string): string =>
  message.replace(/^ERROR: \[doc=.*?\] (?=Error|unknown|multiple)/s, "");

/** What an empty value says counts as missing, as in Solr. */
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

/** A document as the index gives it -> as the index takes it. */
export const withoutComputed = (document: Stored): Stored =>
  changedDocument(document, document.file, undefined, COMPUTED);

/** A document of `files` that comes back to `latest`; it is on no line of the input. */
function asEntry(document: Stored): Entry {
  const kept = withoutComputed(document);
  return { ...entryOf(kept, document.file), text: JSON.stringify(kept), line: 0 };
}

/** What documents to load may carry and lose, as those of a dump of another index do: also what is made of their other fields. */
const NOT_TAKEN = [...COMPUTED, ...MADE];

/** A document without computed fields, its relative `file` and `uri` resolved against a folder. */
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
