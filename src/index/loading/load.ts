/**
 * Loads documents, and marks the newest version of each file.
 *
 * A load can be repeated with the same input, also after it was killed: documents replace themselves, and the next load
 * completes the marks.
 */

import { FILES } from "../collections/configset.js";
import { SolrCollection } from "../transport/client.js";
import type { SolrHttp } from "../transport/http.js";
import { addDocuments, type Refusal } from "./add-documents.js";
import { Refused } from "./check-document.js";
import { withTimes } from "./derived-fields.js";
import {
  indexedVersions,
  isEmpty,
  makeVisible,
  UPDATE_TIMEOUT,
  type VersionsByKey,
} from "./indexed-versions.js";
import { hash, LoadCounter } from "./load-counter.js";
import { type LoadEntry, readEntry } from "./load-entry.js";
import { type Mark, type Marks, planMarks } from "./marks/mark-plan.js";
import { completeMarks, markFields, marksOf, writeMarks } from "./marks/marks.js";
import type { DocumentText, Unreadable } from "./read-documents.js";
import { drsKey } from "./version.js";

export interface LoadResult {
  /** Stored documents. */
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

/** Characters and documents in one request to Solr. */
const BATCH_CHARACTERS = 16 * 1024 * 1024;
const BATCH_DOCUMENTS = 20_000;
/** A batch may be larger by this factor to keep the versions of a file together. */
const MAX_FILL = 1.25;
/** Keys that wait for a commit; bounds memory. */
const MAX_UNCOMMITTED = 1_000_000;

/** Loads documents; run one at a time. */
export class Loader {
  readonly #http: SolrHttp;
  readonly #options: LoadOptions;
  readonly #counter: LoadCounter;
  /** Hashes of keys whose documents were sent but are not visible to searches yet. */
  readonly #uncommitted = new Set<number>();
  /** If the index was empty at the start: hashes of all keys that it may have by this time. */
  #known: Set<number> | undefined;
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
    await makeVisible(this.#http);
    this.#known = (await isEmpty(this.#http)) ? new Set() : undefined;
    this.#now = new Date().toISOString();
    let batch: LoadEntry[] = [];
    const inBatch = new Set<string>();
    let lastKey = "";
    let size = 0;
    // While one batch is stored, the next is read.
    let storing: Promise<void> = Promise.resolve();
    const send = async (): Promise<void> => {
      const ready = batch;
      batch = [];
      inBatch.clear();
      size = 0;
      await storing;
      storing = this.#store(ready);
      // A failure is awaited above and below; until then it must not be an unhandled rejection.
      storing.catch(() => {});
    };
    for await (const document of documents) {
      const entry = this.#read(document);
      if (entry === undefined) continue;
      // Solr reports refusals by file, so a request contains each file only once. Neighbours that are versions of one file stay
      // together, because a later batch has to wait for a commit to see them.
      const fill = Math.max(size / BATCH_CHARACTERS, batch.length / BATCH_DOCUMENTS);
      const isFull = fill >= (entry.key === lastKey ? MAX_FILL : 1);
      if (isFull || inBatch.has(entry.file)) await send();
      lastKey = entry.key;
      inBatch.add(entry.file);
      batch.push(entry);
      size += entry.text.length;
    }
    await send();
    await storing;
    await new SolrCollection(this.#http, FILES).commit(false, { timeoutMs: UPDATE_TIMEOUT });
    await completeMarks(this.#http);
    const { stored, older } = this.#counter;
    return { stored, older, refused: this.#refused };
  }

  #read(document: DocumentText | Unreadable): LoadEntry | undefined {
    if (!("text" in document)) return this.#refuse(document);
    try {
      return readEntry(document, this.#options.root);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return this.#refuse({ line: document.line, reason: error.message });
    }
  }

  #refuse({ line, reason }: Refusal): undefined {
    this.#refused += 1;
    this.#options.onRefused({ line, reason });
  }

  /** Stores a batch, and changes the marks of older versions in the index. */
  async #store(batch: readonly LoadEntry[]): Promise<void> {
    let present = await this.#present(batch);
    const added = new Map([...present.values()].flat().map((one) => [one.file, one.added]));
    const updated = new Date().toISOString();
    const textOf = ({ text, ...entry }: LoadEntry, mark: Mark): string => {
      const since = added.get(entry.file) ?? entry.added ?? this.#now;
      return withTimes(`${text},${markFields(mark)}`, since, updated);
    };
    for (let open = byKey(batch); open.size > 0; ) {
      const plans = new Map(
        [...open].map(([key, some]) => [key, planMarks(present.get(key) ?? [], some)]),
      );
      const entries = new Map([...open.values()].flat().map((entry) => [entry.file, entry]));
      const refused = new Set<string>();
      const again = new Map<string, LoadEntry[]>();
      await writeMarks(this.#http, marksOf(plans.values(), "hold"));
      for (const step of ["write", "release"] as const) {
        const marks = marksOf(plans.values(), step);
        for (const file of await this.#write(marks, entries, textOf)) {
          const key = drsKey(file);
          refused.add(file);
          plans.delete(key);
          again.set(key, open.get(key) ?? []);
        }
      }
      open = new Map(
        [...again].map(([key, some]) => [key, some.filter(({ file }) => !refused.has(file))]),
      );
      // A refusal must not cost the present version its mark. Steps of the failed plan have changed marks in the index, so the
      // new plan needs them as they are stored.
      if (open.size > 0) {
        await makeVisible(this.#http);
        present = await indexedVersions(this.#http, [...open.keys()]);
      }
    }
    this.#options.onProgress?.(batch.length);
  }

  /**
   * Writes one step: documents of the batch, those that are marked first, and marks of other documents.
   *
   * @returns the files that Solr refused
   */
  async #write(
    marks: Marks,
    entries: ReadonlyMap<string, LoadEntry>,
    textOf: (entry: LoadEntry, mark: Mark) => string,
  ): Promise<Iterable<string>> {
    const mine: LoadEntry[] = [];
    const others = new Map<string, Mark>();
    for (const [file, mark] of marks) {
      const entry = entries.get(file);
      if (entry === undefined) others.set(file, mark);
      else mine.push({ ...entry, text: textOf(entry, mark) });
    }
    await writeMarks(this.#http, others);
    const isOlder = ({ file }: LoadEntry): boolean => marks.get(file)?.latest === false;
    const sorted = [...mine.filter((one) => !isOlder(one)), ...mine.filter(isOlder)];
    const refusals = await addDocuments(this.#http, sorted);
    for (const refusal of refusals.values()) this.#refuse(refusal);
    for (const one of mine) {
      if (!refusals.has(one.file)) this.#counter.store(one.file, isOlder(one));
    }
    for (const [file, { latest }] of others) this.#counter.mark(file, !latest);
    return refusals.keys();
  }

  /** The indexed versions under the keys of a batch, which it may change from here on. */
  async #present(batch: readonly LoadEntry[]): Promise<VersionsByKey> {
    const keys = new Map(batch.map(({ key }) => [key, hash(key)]));
    const uncommitted = this.#uncommitted;
    if (
      uncommitted.size > MAX_UNCOMMITTED ||
      (uncommitted.size > 0 && [...keys.values()].some((one) => uncommitted.has(one)))
    ) {
      await makeVisible(this.#http);
      uncommitted.clear();
    }
    const known = this.#known;
    const present = [...keys].filter(([, one]) => known?.has(one) ?? true).map(([key]) => key);
    for (const one of keys.values()) {
      uncommitted.add(one);
      known?.add(one);
    }
    if (known !== undefined && known.size > MAX_UNCOMMITTED) this.#known = undefined;
    return indexedVersions(this.#http, present);
  }
}

function byKey(batch: readonly LoadEntry[]): Map<string, LoadEntry[]> {
  const entries = new Map<string, LoadEntry[]>();
  for (const entry of batch) {
    const some = entries.get(entry.key);
    if (some === undefined) entries.set(entry.key, [entry]);
    else some.push(entry);
  }
  return entries;
}
