/** What the index has, data set by data set, in a memory that does not grow with it. */
import { exists, noneOf, notBefore } from "../query/lucene.js";
import type { Search } from "../query/search.js";
import type { SolrTopology } from "../solr/collections.js";
import type { SolrDocument } from "../solr/export.js";
import type { SolrHttp } from "../solr/http.js";
import { exportSorted } from "../solr/sorted-export.js";
import { type Entry, FIELDS, readEntry } from "./entry.js";

/** A Solr, and how it is laid out. */
export interface Index {
  readonly http: SolrHttp;
  readonly topology: SolrTopology;
}

/** Files that belong together. */
export interface Group {
  /** Undefined: of those that have none. */
  readonly dataset_id: string | undefined;
  readonly entries: readonly Entry[];
  /** Whether these are some of its files only. */
  readonly isPart: boolean;
}

/** Files of a data set that are held in memory at a time. */
const MAX_TOGETHER = 100_000;
/** Files that are looked at at a time, where their data sets are not larger. */
const PORTION = 2000;
/** Milliseconds after which Solr is not kept waiting any more. */
const MAX_PAUSE = 10_000;

/** @throws SolrUnavailable, SolrTimeout: what was given until then is not all */
export async function* readIndex(index: Index, search: Search): AsyncGenerator<readonly Group[]> {
  const { filters } = search;
  const named = { ...search, filters: [...filters, exists("dataset_id")] };
  const nameless = { ...search, filters: [...filters, noneOf([exists("dataset_id")])] };
  let portion: Group[] = [];
  let size = 0;
  for await (const group of groups(index, named, nameless)) {
    portion.push(group);
    size += group.entries.length;
    if (size < PORTION) continue;
    yield portion;
    portion = [];
    size = 0;
  }
  if (portion.length > 0) yield portion;
}

async function* groups(index: Index, named: Search, nameless: Search): AsyncGenerator<Group> {
  let entries: Entry[] = [];
  let dataset_id: string | undefined;
  let isPart = false;
  for await (const documents of batches(index, named, ["dataset_id", "file"])) {
    for (const document of documents) {
      const entry = readEntry(document);
      if (entry.dataset_id !== dataset_id) {
        if (entries.length > 0) yield { dataset_id, entries, isPart };
        entries = [];
        isPart = false;
        dataset_id = entry.dataset_id;
      } else if (entries.length >= MAX_TOGETHER) {
        isPart = true;
        yield { dataset_id, entries, isPart };
        entries = [];
      }
      entries.push(entry);
    }
  }
  if (entries.length > 0) yield { dataset_id, entries, isPart };
  for await (const documents of batches(index, nameless, ["file"])) {
    yield { dataset_id: undefined, entries: documents.map(readEntry), isPart: true };
  }
}

type Key = "dataset_id" | "file";

/**
 * Documents in order, however long the reader takes: where it pauses, Solr is let go, and asked again for what comes
 * after.
 *
 * @param by of which each document has the first
 */
async function* batches(
  { http, topology }: Index,
  search: Search,
  by: readonly Key[],
): AsyncGenerator<readonly SolrDocument[]> {
  const [first = "file"] = by;
  let last: SolrDocument | undefined;
  for (;;) {
    const filters =
      last === undefined
        ? search.filters
        : [...search.filters, notBefore(first, String(last[first]))];
    const begun = last;
    const open = exportSorted(http, topology, { ...search, filters }, { fields: FIELDS, by });
    let isPaused = false;
    try {
      for (;;) {
        const { done, value } = await open.next();
        if (done) return;
        const fresh = begun === undefined ? value : value.filter((one) => isAfter(one, begun, by));
        if (fresh.length === 0) continue;
        last = fresh.at(-1);
        const timer = setTimeout(() => {
          isPaused = true;
          void open.return();
        }, MAX_PAUSE);
        try {
          yield fresh;
        } finally {
          clearTimeout(timer);
        }
        if (isPaused) break;
      }
    } finally {
      await open.return();
    }
  }
}

function isAfter(a: SolrDocument, b: SolrDocument, by: readonly Key[]): boolean {
  for (const key of by) {
    // As Solr sorts.
    const order = Buffer.compare(Buffer.from(String(a[key])), Buffer.from(String(b[key])));
    if (order !== 0) return order > 0;
  }
  return false;
}
