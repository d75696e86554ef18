/**
 * Lists of all results. An open export holds about 20 MB of Solr's heap, so the number of open exports is bounded. A slow reader
 * gives its permit back while others wait, and its list continues later. A list that breaks continues at another node, if
 * there are several.
 */
import type { Search } from "../../domain/search/search.js";
import type { FairSemaphore, Permit } from "../../platform/concurrency/fair-semaphore.js";
import { SolrUnavailable } from "../errors.js";
import { withDeadline } from "../query/query-admission.js";
import type { SolrHttp } from "../transport/http.js";
import type { DocumentBatch, SolrDocument } from "./document-batch.js";
import type { DocumentBatches } from "./export.js";
import { Progress } from "./progress.js";
import type { ExportOptions, Segment, Segments } from "./segments.js";
import type { Batches, OpenExport } from "./sorted-export.js";

/** Results in batches, in their order. */
export interface Export extends DocumentBatches {
  readonly isEmpty: boolean;
}

/** Batches whose first one was read. An iterator that is left before its first step still ends them. */
function beginningWith(first: Batch, rest: Batches): Batches {
  let isFirst = true;
  return {
    next: async () => {
      if (!isFirst) return rest.next();
      isFirst = false;
      return first;
    },
    return: () => rest.return(),
    throw: (error) => rest.throw(error),
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

async function* documentsOf(batches: Batches): AsyncGenerator<readonly SolrDocument[], void> {
  for await (const { documents } of batches) yield documents;
}

/**
 * Milliseconds for which a reader may pause, and may hold a permit while others wait. A list that cannot continue from a cursor,
 * such as one without `file`, fails if its reader pauses while others wait.
 */
export const PACE = { pause: 10_000, slice: 30_000 };

/**
 * Milliseconds for which a reader may pause while others wait. It then gives its permit back, and gets another one only when no
 * list waits whose reader keeps up. So readers that are slow, however many there are, cannot lock out others.
 */
const CONTESTED_PAUSE_MS = 1000;

type Batch = IteratorResult<DocumentBatch, void>;

export class Exports {
  readonly #http: SolrHttp;
  readonly #segments: Segments;
  readonly #semaphore: FairSemaphore;
  readonly #pace: typeof PACE;

  constructor(http: SolrHttp, segments: Segments, semaphore: FairSemaphore, pace = PACE) {
    this.#http = http;
    this.#segments = segments;
    this.#semaphore = semaphore;
    this.#pace = pace;
  }

  /**
   * All results in batches, in their order. Rejects if the list fails before its first batch; a later failure fails the
   * iteration.
   *
   * @throws ServiceBusy; SolrTimeout, SolrUnavailable, TooComplexSearch
   */
  async export(search: Search, options: ExportOptions): Promise<Export> {
    const { clientKey: client = "", signal } = options;
    const permit = await this.#semaphore.acquire({ client, signal, isPreferred: true });
    const batches = this.#inSlices(search, options, permit);
    // Solr works until it has an answer, even if the client has left. Until then the permit is held.
    let first: Batch;
    try {
      first = await withDeadline(batches.next(), this.#http.timeoutMs, signal);
    } catch (error) {
      void batches.return();
      throw error;
    }
    const all = beginningWith(first, batches);
    return {
      isEmpty: first.done === true || first.value.length === 0,
      unparsed: all,
      [Symbol.asyncIterator]: () => documentsOf(all),
    };
  }

  /** Reads with a permit. If the reader pauses, or others wait for long, releases it and resumes with another one. */
  async *#inSlices(search: Search, options: ExportOptions, first: Permit): Batches {
    const { clientKey: client = "", signal } = options;
    let permit = first;
    let part: OpenExport | undefined;
    try {
      const progress = new Progress(await this.#plan(search, options));
      let since = Date.now();
      while (progress.segment !== undefined) {
        let next: Batch;
        try {
          part ??= await this.#segments.open(progress.segment, options, progress.begin);
          next = await part.batches.next();
          progress.compare(part);
        } catch (error) {
          await part?.batches.return();
          part = undefined;
          if (!(await progress.retries(error, this.#http, signal))) throw error;
          continue;
        }
        if (next.done) {
          part = undefined;
          progress.end();
          continue;
        }
        const { value } = next;
        // A segment may be empty, which must not look like the end of the list.
        if (value.length === 0) continue;
        progress.deliver(value.length, this.#segments.cursorBehind(value));
        let paused = false;
        const { batches } = part;
        const held = permit;
        const yielded = Date.now();
        const timer = setInterval(
          () => {
            if (Date.now() - yielded < this.#pace.pause && !held.isWanted()) return;
            // A list that cannot be resumed is ended only if others wait.
            if (progress.begin === undefined && !held.isWanted()) return;
            clearInterval(timer);
            paused = true;
            // Solr holds its memory until the stream is closed.
            void batches.return().finally(() => held.release());
          },
          Math.min(this.#pace.pause, CONTESTED_PAUSE_MS),
        );
        try {
          yield value;
        } finally {
          clearInterval(timer);
        }
        if (!paused) {
          if (Date.now() - since < this.#pace.slice || progress.begin === undefined) continue;
          since = Date.now();
          if (!permit.isWanted()) continue;
        }
        if (progress.begin === undefined) {
          throw new SolrUnavailable("the reader paused for too long");
        }
        await batches.return();
        part = undefined;
        permit.release();
        const request = { client, signal, isResumed: true, isPreferred: !paused };
        permit = await this.#semaphore.acquire(request);
        since = Date.now();
      }
    } finally {
      await part?.batches.return();
      permit.release();
    }
  }

  async #plan(search: Search, options: ExportOptions): Promise<readonly Segment[]> {
    const progress = new Progress([]);
    for (;;) {
      try {
        return await this.#segments.plan(search, options);
      } catch (error) {
        if (!(await progress.retries(error, this.#http, options.signal))) throw error;
      }
    }
  }
}
