/** Reads the index data set by data set, in bounded memory. */
import { exists, noneOf, sortedFrom } from "../../domain/search/lucene.js";
import type { Search } from "../../domain/search/search.js";
import type { SolrDocument } from "../../index/export/document-batch.js";
import { exportSorted } from "../../index/export/sorted-export.js";
import { inOrder } from "../../index/export/utf8-order.js";
import type { SolrHttp } from "../../index/transport/http.js";
import { FIELDS, type IndexedFile, readEntry } from "./entry.js";

export interface Group {
  /** Undefined for files without a data set. */
  readonly dataset_id: string | undefined;
  readonly entries: readonly IndexedFile[];
  /** Whether it has only some of the data set's files. */
  readonly isPart: boolean;
}

interface Bounds {
  /** Files of one data set held in memory. */
  readonly maxGroup: number;
  /** Files examined together, unless a data set is larger. */
  readonly portion: number;
  /** Milliseconds without a read after which the request to Solr is closed. */
  readonly pause: number;
}

const DEFAULTS: Bounds = { maxGroup: 100_000, portion: 2000, pause: 10_000 };

/** @throws SolrUnavailable, SolrTimeout: the groups so far are incomplete */
export async function* readIndex(
  http: SolrHttp,
  search: Search,
  bounds: Bounds = DEFAULTS,
): AsyncGenerator<readonly Group[]> {
  const { filters } = search;
  const named = { ...search, filters: [...filters, exists("dataset_id")] };
  const nameless = { ...search, filters: [...filters, noneOf([exists("dataset_id")])] };
  let portion: Group[] = [];
  let size = 0;
  for await (const group of groups(http, named, nameless, bounds)) {
    portion.push(group);
    size += group.entries.length;
    if (size < bounds.portion) continue;
    yield portion;
    portion = [];
    size = 0;
  }
  if (portion.length > 0) yield portion;
}

async function* groups(
  http: SolrHttp,
  named: Search,
  nameless: Search,
  { maxGroup, pause }: Bounds,
): AsyncGenerator<Group> {
  let entries: IndexedFile[] = [];
  let dataset_id: string | undefined;
  let isPart = false;
  for await (const documents of batches(http, named, ["dataset_id", "file"], pause)) {
    for (const document of documents) {
      const entry = readEntry(document);
      if (entry.dataset_id !== dataset_id) {
        if (entries.length > 0) yield { dataset_id, entries, isPart };
        entries = [];
        isPart = false;
        dataset_id = entry.dataset_id;
      } else if (entries.length >= maxGroup) {
        isPart = true;
        yield { dataset_id, entries, isPart };
        entries = [];
      }
      entries.push(entry);
    }
  }
  if (entries.length > 0) yield { dataset_id, entries, isPart };
  for await (const documents of batches(http, nameless, ["file"], pause)) {
    yield { dataset_id: undefined, entries: documents.map(readEntry), isPart: true };
  }
}

type Key = "dataset_id" | "file";

/**
 * Documents in order, for slow readers: if a reader pauses, the request is closed, and a new one continues after the
 * last document.
 *
 * @param keys sort keys; every document has the first
 */
async function* batches(
  http: SolrHttp,
  search: Search,
  keys: readonly Key[],
  pause: number,
): AsyncGenerator<readonly SolrDocument[]> {
  const [first = "file"] = keys;
  let last: SolrDocument | undefined;
  for (let isDone = false; !isDone; ) {
    const begun = last;
    const filters =
      begun === undefined
        ? search.filters
        : [...search.filters, sortedFrom(first, String(begun[first]))];
    const open = exportSorted(http, { ...search, filters }, { fields: FIELDS, by: keys });
    let isPaused = false;
    try {
      while (!isPaused && !isDone) {
        const { done, value = [] } = await open.next();
        isDone = done === true;
        const fresh = value.filter((one) => begun === undefined || isAfter(one, begun, keys));
        if (fresh.length === 0) continue;
        last = fresh.at(-1);
        const timer = setTimeout(() => {
          isPaused = true;
          void open.return();
        }, pause);
        try {
          yield fresh;
        } finally {
          clearTimeout(timer);
        }
      }
    } finally {
      await open.return();
    }
  }
}

function isAfter(a: SolrDocument, b: SolrDocument, keys: readonly Key[]): boolean {
  for (const key of keys) {
    const order = inOrder(String(a[key]), String(b[key]));
    if (order !== 0) return order > 0;
  }
  return false;
}
