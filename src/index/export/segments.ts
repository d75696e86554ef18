/** The segments of a list, each read by one export, and how a list continues within a segment. */
import type { Search } from "../../domain/search/search.js";
import { FILES } from "../collections/configset.js";
import { isSharded as inShards } from "../collections/shards.js";
import { searchParameters } from "../query/parameters.js";
import type { SearchClient, Searches } from "../query/query-admission.js";
import type { SolrHttp } from "../transport/http.js";
import { type Cursor, ORDER, searchFrom } from "./cursor.js";
import { type DocumentBatch, without } from "./document-batch.js";
import type { KeyRangePartitions } from "./key-range-partitions.js";
import { noDocuments, type OpenExport, openExport } from "./sorted-export.js";

/** A key range of the results, or all of them. */
export interface Segment {
  readonly search: Search;
  /** Results to skip. */
  readonly start: number;
}

export interface ExportOptions extends SearchClient {
  /** Fields with docValues, of which each result has at least one. Documents may have `file` in addition. */
  readonly fields: readonly string[];
  /** Results to skip. */
  readonly start: number;
}

/** Results that are skipped by one request: Solr keeps about 50 bytes of heap for each. */
const MAX_SKIPPED = 200_000;

export class Segments {
  readonly #http: SolrHttp;
  readonly #searches: Searches;
  readonly #partitions: KeyRangePartitions;

  constructor(http: SolrHttp, searches: Searches, partitions: KeyRangePartitions) {
    this.#http = http;
    this.#searches = searches;
    this.#partitions = partitions;
  }

  /**
   * The segments of a list, in the order of results. Segments before the start are counted and left out, which costs as much as
   * they hold, not as much as the index holds.
   */
  async plan(search: Search, options: ExportOptions): Promise<readonly Segment[]> {
    const { clientKey, signal } = options;
    const ranges = await this.#partitions.of(search, { clientKey, signal });
    let { start } = options;
    if (ranges === undefined) return [{ search, start }];
    const parts = ranges.map((range) => ({ ...search, filters: [...search.filters, range] }));
    let skipped = 0;
    for (const part of start > 0 ? parts : []) {
      const count = await this.#searches.count(part, { clientKey, signal });
      if (start < count) break;
      start -= count;
      skipped += 1;
    }
    return parts.slice(skipped).map((part, at) => ({ search: part, start: at === 0 ? start : 0 }));
  }

  /** The cursor behind a batch; undefined if a list cannot continue there. */
  cursorBehind(batch: DocumentBatch): Cursor | undefined {
    const file = batch.last?.file;
    return typeof file === "string" ? { file, included: false } : undefined;
  }

  /** Opens a segment, or what is left of it from a cursor on. */
  async open(
    { search, start }: Segment,
    { fields, clientKey, signal }: ExportOptions,
    cursor?: Cursor,
  ): Promise<OpenExport> {
    const isSharded = inShards(this.#http.topology, FILES);
    const skip = cursor === undefined ? start : 0;
    let from = cursor;
    if (skip > 0 && !isSharded) {
      from = await this.#cursorAt(search, skip, { clientKey, signal });
      if (from === undefined) return noDocuments();
    }
    const rest = searchFrom(search, from);
    // Shards are merged by the sort key, and a list continues behind its last `file`.
    const withFile = this.#http.hasSeveralNodes || isSharded;
    const fl = [...new Set(withFile ? [...fields, "file"] : fields)].join(",");
    const parameters = searchParameters(rest.search, { sort: ORDER, fl, ...rest.parameters });
    const open = await openExport(this.#http, parameters);
    // Shards have different ordinals, so a merged list is skipped by reading it.
    return isSharded && skip > 0 ? after(skip, open) : open;
  }

  /**
   * The cursor at an offset, which /export itself does not have; undefined if there are fewer results. The sort is by the
   * ordinal of `file`, in the same order: to sort by `file`, Solr would copy every key that it skips, which takes five times
   * as long. A large offset is skipped in steps, because Solr keeps all skipped results of a request in its heap.
   */
  async #cursorAt(
    search: Search,
    start: number,
    client: SearchClient,
  ): Promise<Cursor | undefined> {
    // Skipping all results, only to learn that there are no more, would be wasted.
    if (start > MAX_SKIPPED && start >= (await this.#searches.count(search, client)))
      return undefined;
    const sort = ORDER.replace("file", "ord(file)");
    let cursor: Cursor | undefined;
    for (let left = start; left > 0; ) {
      const step = Math.min(left, MAX_SKIPPED);
      const rest = searchFrom(search, cursor);
      const page = { sort, fl: "file", start: String(step), rows: "1", ...rest.parameters };
      const found = await this.#searches.select(rest.search, page, client);
      const file = found.docs[0]?.file as string | undefined;
      if (file === undefined) return undefined;
      cursor = { file, included: true };
      left -= step;
    }
    return cursor;
  }
}

/** An export without its first documents. */
function after(skip: number, { batches, found }: OpenExport): OpenExport {
  const left = (): number | undefined => {
    const count = found();
    return count === undefined ? undefined : Math.max(0, count - skip);
  };
  return { batches: without(skip, batches), found: left };
}
