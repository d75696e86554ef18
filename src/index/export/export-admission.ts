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
import type { Batches } from "./merged.js";
import { Progress } from "./progress.js";
import type { ExportOptions, Segment, Segments } from "./segments.js";
import type { OpenExport } from "./sorted-export.js";

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
 * Milliseconds for which a reader may leave a batch unread while other lists wait. Then the slots of those who have left theirs for
 * the longest are taken, as many as lists wait. A list that cannot continue from a cursor would fail by it, so it has more time.
 */
const CONTESTED = { pause: 200, last: 1000 };
/** Milliseconds between two looks at the readers. */
const LOOK_MS = 50;
/**
 * Milliseconds in which a reader takes a batch of some ten thousand bytes, or counts as slow: its list then continues after all new
 * lists and those of faster readers. So slow readers, however many there are, do not lock out others.
 */
const SLOW_MS = 2000;

/** A batch that its reader has not taken. */
interface Unread {
  readonly since: number;
  readonly canContinue: boolean;
  takeSlot(): void;
}

type Batch = IteratorResult<DocumentBatch, void>;

export class Exports {
  readonly #http: SolrHttp;
  readonly #segments: Segments;
  readonly #semaphore: FairSemaphore;
  readonly #pace: typeof PACE;
  /** The oldest first. */
  readonly #unread = new Set<Unread>();
  #looking: NodeJS.Timeout | undefined;

  constructor(http: SolrHttp, segments: Segments, semaphore: FairSemaphore, pace = PACE) {
    this.#http = http;
    this.#segments = segments;
    this.#semaphore = semaphore;
    this.#pace = pace;
  }

  /**
   * All results in batches, in their order. Rejects if the list fails before its first batch; a later failure fails the
   * iteration.
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
        let isTaken = false;
        const { batches } = part;
        const held = permit;
        const yielded = Date.now();
        const unread: Unread = {
          since: yielded,
          canContinue: progress.begin !== undefined,
          takeSlot: () => {
            isTaken = true;
            // Solr holds its memory until the stream is closed.
            void batches.return().finally(() => held.release());
          },
        };
        this.#watch(unread);
        try {
          yield value;
        } finally {
          this.#unread.delete(unread);
        }
        if (!isTaken) {
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
        const isPreferred = !isTaken || Date.now() - yielded < SLOW_MS;
        const request = { client, signal, isResumed: true, isPreferred };
        permit = await this.#semaphore.acquire(request);
        since = Date.now();
      }
    } finally {
      await part?.batches.return();
      permit.release();
    }
  }

  #watch(unread: Unread): void {
    this.#unread.add(unread);
    this.#looking ??= setInterval(() => this.#takeSlots(), Math.min(this.#pace.pause, LOOK_MS));
    this.#looking.unref();
  }

  /** Takes the slots of readers that pause for long, and of the slowest ones if others wait. */
  #takeSlots(): void {
    let { waiting } = this.#semaphore.usage;
    for (const unread of this.#unread) {
      const { since, canContinue } = unread;
      const paused = Date.now() - since;
      const allowed = Math.min(this.#pace.pause, canContinue ? CONTESTED.pause : CONTESTED.last);
      const isContested = waiting > 0 && paused >= allowed;
      if (!isContested && !(canContinue && paused >= this.#pace.pause)) continue;
      waiting -= 1;
      this.#unread.delete(unread);
      unread.takeSlot();
    }
    if (this.#unread.size > 0) return;
    clearInterval(this.#looking);
    this.#looking = undefined;
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
