/**
 * Loads documents, and marks the newest version of each dataset.
 *
 * A load can be repeated with the same input, also after it was killed: documents replace themselves, and the next load
 * completes the marks.
 */

import { HashedTexts } from "../../platform/hashed-texts.js";
import { FILES } from "../collections/configset.js";
import { SolrCollection } from "../transport/client.js";
import type { SolrHttp } from "../transport/http.js";
import { addDocuments, type Refusal, USERS } from "./add-documents.js";
import { type Misspelled, Refused } from "./check-document.js";
import { DatasetMarks, lateEntries, type Moving, NOTHING_MOVES } from "./dataset-marks.js";
import { type LoadEntry, readEntry, withTimes } from "./load-entry.js";
import {
  documentsOf,
  isEmpty,
  isOfUser,
  makeVisible,
  UPDATE_TIMEOUT,
  USER_FIELDS,
} from "./lookups.js";
import { completeMarks } from "./marks/complete-marks.js";
import type { OnMarked } from "./marks/settle.js";
import { type Mark, markFields } from "./marks/write-marks.js";
import type { DocumentText, Unreadable } from "./read-documents.js";
import { prepareLeaving } from "./remove-files.js";
import { UNVERSIONED } from "./version.js";

export interface LoadResult {
  /** Stored documents. */
  readonly stored: number;
  /** Documents among them that are not the newest version. */
  readonly older: number;
  readonly refused: number;
}

interface LoadOptions {
  /** Base folder of relative `file` and `uri`; without it they are left unchanged. */
  readonly root?: string | undefined;
  readonly onRefused: (refusal: Refusal) => void;
  /** Called for each document of a file that a user has registered, which stays the user's; left out: they are replaced. */
  readonly onUsers?: (file: string) => void;
  /** Called for each field of a document that is left out and looks misspelled. */
  readonly onMisspelled?: (misspelled: Misspelled) => void;
  readonly onProgress?: (documents: number) => void;
  /** Shared by several loads, to count files once; by default each load has its own. */
  readonly counter?: LoadCounter;
}

/** Characters and documents in one request to Solr. */
const BATCH_CHARACTERS = 16 * 1024 * 1024;
const BATCH_DOCUMENTS = 20_000;
/** A batch may be larger by this factor to keep the files of a dataset together. */
const MAX_FILL = 1.25;

/** Counts stored files, each once, and those that are not the newest version. */
export class LoadCounter {
  /** Flagged are those of older versions. */
  readonly #files = new HashedTexts();
  #older = 0;

  get stored(): number {
    return this.#files.count;
  }

  get older(): number {
    return this.#older;
  }

  /** Records that a file was stored. */
  store(file: string, isOlder: boolean): void {
    this.#older += Number(isOlder) - Number(this.#files.get(file) ?? false);
    this.#files.add(file, isOlder);
  }

  /** Changes the state of a file, if it was stored. */
  mark(file: string, isOlder: boolean): void {
    if (this.#files.has(file)) this.store(file, isOlder);
  }
}

/** Loads documents; run one at a time. */
export class Loader {
  readonly #http: SolrHttp;
  readonly #options: LoadOptions;
  readonly #counter: LoadCounter;
  readonly #onMarked: OnMarked;
  /** Start of the load: the `added` time of new documents. */
  #now = "";
  #refused = 0;

  constructor(http: SolrHttp, options: LoadOptions) {
    this.#http = http;
    this.#options = options;
    this.#counter = options.counter ?? new LoadCounter();
    this.#onMarked = (file, isLatest) => this.#counter.mark(file, !isLatest);
  }

  /**
   * Loads everything and commits. After an error, what was sent is stored, and a second load with the same input completes it.
   *
   * @returns the counts of all loads that share the counter
   */
  async load(
    documents: AsyncIterable<DocumentText | Unreadable> | Iterable<DocumentText>,
  ): Promise<LoadResult> {
    // Documents of a killed load may be stored but not yet visible.
    await makeVisible(this.#http);
    const marks = new DatasetMarks(this.#http, await isEmpty(this.#http), this.#onMarked);
    this.#now = new Date().toISOString();
    let batch: LoadEntry[] = [];
    const inBatch = new Set<string>();
    let last: string | undefined;
    let size = 0;
    // While one batch is stored, the next is read.
    let storing: Promise<void> = Promise.resolve();
    const send = async (): Promise<void> => {
      const ready = batch;
      batch = [];
      inBatch.clear();
      size = 0;
      await storing;
      storing = this.#store(ready, marks);
      // A failure is awaited above and below; until then it must not be an unhandled rejection.
      storing.catch(() => {});
    };
    for await (const document of documents) {
      const entry = this.#read(document);
      if (entry === undefined) continue;
      // Solr reports refusals by file, so a request contains each file only once. Neighbours of one dataset stay together: a newer
      // version in a later batch has to be hidden until the end.
      const fill = Math.max(size / BATCH_CHARACTERS, batch.length / BATCH_DOCUMENTS);
      const isSame = last !== undefined && entry.of?.dataset === last;
      if (fill >= (isSame ? MAX_FILL : 1) || inBatch.has(entry.file)) await send();
      last = entry.of?.dataset;
      inBatch.add(entry.file);
      batch.push(entry);
      size += entry.text.length;
    }
    await send();
    await storing;
    await new SolrCollection(this.#http, FILES).commit(false, { timeoutMs: UPDATE_TIMEOUT });
    await marks.settle();
    await completeMarks(this.#http, { onMarked: this.#onMarked });
    const { stored, older } = this.#counter;
    return { stored, older, refused: this.#refused };
  }

  #read(document: DocumentText | Unreadable): LoadEntry | undefined {
    if (!("text" in document)) return this.#refuse(document);
    try {
      const entry = readEntry(document, this.#options.root);
      for (const one of entry.misspelled) this.#options.onMisspelled?.(one);
      return entry;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return this.#refuse({ line: document.line, reason: error.message });
    }
  }

  #refuse({ line, reason }: Refusal): undefined {
    this.#refused += 1;
    this.#options.onRefused({ line, reason });
  }

  async #store(all: readonly LoadEntry[], datasets: DatasetMarks): Promise<void> {
    const { added, moving, users } = await this.#present(all, datasets);
    for (const file of users) this.#options.onUsers?.(file);
    const batch = users.size === 0 ? all : all.filter(({ file }) => !users.has(file));
    const late = new Set(lateEntries(batch, moving));
    if (late.size > 0 && late.size < batch.length) {
      await this.#store(
        batch.filter((one) => !late.has(one)),
        datasets,
      );
      return await this.#store([...late], datasets);
    }
    const marks = await datasets.of(batch, moving);
    const updated = new Date().toISOString();
    const isOlder = (one: LoadEntry): boolean => marks.get(one)?.latest === false;
    // Newest versions are written first.
    const sorted = [...batch.filter((one) => !isOlder(one)), ...batch.filter(isOlder)];
    const texts = sorted.map((entry) => {
      const since = added.get(entry.file) ?? entry.added ?? this.#now;
      const fields = markFields(marks.get(entry) as Mark, entry.of);
      const isNew = this.#options.onUsers !== undefined && !added.has(entry.file);
      return { ...entry, isNew, text: withTimes(`${entry.text},${fields}`, since, updated) };
    });
    const refusals = await addDocuments(this.#http, texts, updated);
    for (const [file, refusal] of refusals) {
      if (refusal === USERS) this.#options.onUsers?.(file);
      else this.#refuse(refusal);
    }
    for (const one of batch) {
      if (!refusals.has(one.file)) this.#counter.store(one.file, isOlder(one));
    }
    await datasets.refused(batch.filter(({ file }) => refusals.has(file)));
    this.#options.onProgress?.(batch.length);
  }

  /**
   * When the files of a batch came into the index, which of them change their version, and which users have registered, if these
   * are left to them. Where a version ends with them, another one is found from here on.
   */
  async #present(
    batch: readonly LoadEntry[],
    datasets: DatasetMarks,
  ): Promise<{
    readonly added: ReadonlyMap<string, string>;
    readonly moving: Moving;
    readonly users: ReadonlySet<string>;
  }> {
    const [added, users] = [new Map<string, string>(), new Set<string>()];
    if (datasets.isAlone) return { added, moving: NOTHING_MOVES, users };
    const entries = new Map(batch.map((entry) => [entry.file, entry]));
    const files = new Map<string, string>();
    const fields = ["file", "added", "_dataset_version_", ...USER_FIELDS];
    for await (const document of documentsOf(this.#http, [...entries.keys()], fields)) {
      const { file, added: since, _dataset_version_: version = UNVERSIONED } = document;
      if (this.#options.onUsers !== undefined && isOfUser(document)) {
        users.add(file);
        continue;
      }
      if (typeof since === "string") added.set(file, since);
      if (version === (entries.get(file)?.of?.version ?? UNVERSIONED)) continue;
      files.set(file, String(version));
    }
    if (files.size === 0) return { added, moving: NOTHING_MOVES, users };
    await datasets.forget();
    const leaving = await prepareLeaving(this.#http, [...files.values()], this.#onMarked);
    return { added, moving: { files, ...leaving }, users };
  }
}
