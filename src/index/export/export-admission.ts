/**
 * Admission of exports. An open export holds some 20 MB of Solr's heap, so their number is bounded. A slow reader gives its
 * permit back while others wait. A list that breaks continues at another node if there is one.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Search } from "../../domain/search/search.js";
import type { FairSemaphore, Permit } from "../../platform/fair-semaphore.js";
import type { SolrTopology } from "../collections/shards.js";
import { SolrUnavailable } from "../errors.js";
import { patiently, type SearchClient, type Searches } from "../query/query-admission.js";
import type { SolrHttp } from "../transport/http.js";
import type { Begin } from "./cursor.js";
import { type DocumentBatches, ShortExport, type SolrDocument } from "./export.js";
import type { Stretches } from "./key-range-partitions.js";
import { ListParts, type Part, type PlannedStretch } from "./segments.js";

export interface ExportOptions extends SearchClient {
  /**
   * Fields of the schema with docValues; one at least is in every document that is found. Documents
   * may come with their `file` besides.
   */
  readonly fields: readonly string[];
  /** How many of the first results to leave out. */
  readonly start: number;
}

/** What is found, in batches, in the order of results. */
export interface Export extends DocumentBatches {
  readonly isEmpty: boolean;
}

/**
 * Milliseconds that a reader may keep an export waiting, and that it may hold an export while others wait. A list that
 * cannot be resumed, such as one without `file`, fails if its reader pauses while others wait.
 */
export const PACE = { pause: 10_000, slice: 30_000 };
/**
 * Milliseconds before a list that broke is asked for again, so often without a document between; and for which it is
 * asked for again at all.
 */
const PAUSES = [0, 250, 500, 1000, 1500];
const PATIENCE = 3500;

type Batch = IteratorResult<readonly SolrDocument[], void>;
type Batches = AsyncGenerator<readonly SolrDocument[], void, undefined>;

export class Exports {
  readonly #http: SolrHttp;
  readonly #parts: ListParts;
  readonly #semaphore: FairSemaphore;
  readonly #pace: typeof PACE;

  constructor(
    http: SolrHttp,
    topology: SolrTopology,
    searches: Searches,
    stretches: Stretches,
    semaphore: FairSemaphore,
    pace = PACE,
  ) {
    this.#http = http;
    this.#parts = new ListParts(http, topology, searches, stretches);
    this.#semaphore = semaphore;
    this.#pace = pace;
  }

  /**
   * Every document that is found, in batches, in the order of results. What fails at the start
   * fails here; what fails later fails the iteration.
   *
   * @throws ServiceBusy; SolrTimeout, SolrUnavailable, TooComplexSearch
   */
  async export(search: Search, options: ExportOptions): Promise<Export> {
    const { clientKey: client = "", signal } = options;
    const permit = await this.#semaphore.acquire({ client, signal });
    const batches = this.#inSlices(search, options, permit);
    // Solr works until it has an answer, even if the client has left. Until then the permit is held.
    let first: Batch;
    try {
      first = await patiently(batches.next(), this.#http.timeoutMs, signal);
    } catch (error) {
      void batches.return();
      throw error;
    }
    return {
      isEmpty: first.done === true || first.value.length === 0,
      [Symbol.asyncIterator]: async function* () {
        try {
          if (first.done) return;
          yield first.value;
          yield* batches;
        } finally {
          await batches.return();
        }
      },
    };
  }

  /** Reads with a permit. If the reader pauses, or others wait for long, releases it and resumes with another one. */
  async *#inSlices(search: Search, options: ExportOptions, first: Permit): Batches {
    const { clientKey: client = "", signal } = options;
    let permit = first;
    let part: Part | undefined;
    try {
      const progress = new Progress(await this.#plan(search, options));
      let since = Date.now();
      while (progress.stretch !== undefined) {
        let next: Batch;
        try {
          part ??= await this.#part(progress.stretch, options, progress.begin);
          next = await part.batches.next();
          progress.compare(part);
        } catch (error) {
          await part?.batches.return();
          part = undefined;
          if (!(await this.#goesOn(error, progress, signal))) throw error;
          continue;
        }
        if (next.done) {
          part = undefined;
          progress.end();
          continue;
        }
        const { value } = next;
        // A stretch may have nothing of what is found, which is not to look like the end.
        if (value.length === 0) continue;
        progress.give(value.length, this.#parts.behind(search, value));
        let paused = false;
        const { batches } = part;
        const held = permit;
        const timer = setInterval(() => {
          // A list that cannot be resumed is ended only if others wait.
          if (progress.begin === undefined && !held.isWanted()) return;
          clearInterval(timer);
          paused = true;
          // Solr holds its memory until the stream is closed.
          void batches.return().finally(() => held.release());
        }, this.#pace.pause);
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
        permit = await this.#semaphore.acquire({ client, signal, isResumed: true });
        since = Date.now();
      }
    } finally {
      await part?.batches.return();
      permit.release();
    }
  }

  async #plan(search: Search, options: ExportOptions): Promise<readonly PlannedStretch[]> {
    const progress = new Progress([]);
    for (;;) {
      try {
        return await this.#parts.plan(search, options);
      } catch (error) {
        if (!(await this.#goesOn(error, progress, options.signal))) throw error;
      }
    }
  }

  #part(
    { search, start }: PlannedStretch,
    options: ExportOptions,
    begin: Begin | undefined,
  ): Promise<Part> {
    return begin === undefined
      ? this.#parts.whole(search, { ...options, start })
      : this.#parts.rest(search, options, begin);
  }

  /** Whether a list that failed can be asked for again; waits until it is to be. */
  async #goesOn(error: unknown, progress: Progress, signal: AbortSignal | undefined) {
    if (!this.#http.hasSeveralNodes || !(error instanceof SolrUnavailable)) return false;
    // In what ended without all that there is, anything may be missing before the end.
    if (progress.hasBegun && (progress.begin === undefined || error instanceof ShortExport)) {
      return false;
    }
    // Nobody is there to begin it, and nothing is lost yet.
    if (!progress.hasBegun && this.#http.isOutage) return false;
    const { before, since } = progress.lose();
    const pause = PAUSES[before];
    if (pause === undefined || signal?.aborted) return false;
    if (performance.now() - since > PATIENCE) return false;
    if (pause > 0) await sleep(pause);
    return true;
  }
}

/** How far a list is, over all of its stretches, and the parts of each. */
class Progress {
  /** Where the stretch goes on; undefined before its first document, and where it cannot. */
  begin: Begin | undefined;
  readonly #stretches: readonly PlannedStretch[];
  #at = 0;
  /** Documents of the stretch. */
  #given = 0;
  /** How many it has in all. */
  #whole = 0;
  #losses = 0;
  #lostSince = 0;
  #compared: Part | undefined;

  constructor(stretches: readonly PlannedStretch[]) {
    this.#stretches = stretches;
  }

  /** What is being read; undefined at the end. */
  get stretch(): PlannedStretch | undefined {
    return this.#stretches[this.#at];
  }

  /** All of a stretch was given. */
  end(): void {
    this.#at += 1;
    this.#given = 0;
    this.begin = undefined;
  }

  /** Whether a part of the stretch was given. */
  get hasBegun(): boolean {
    return this.#given > 0;
  }

  give(count: number, begin: Begin | undefined): void {
    this.#given += count;
    this.#losses = 0;
    this.begin = begin;
  }

  /** Notes that a part of it broke. @returns how often that was before, and since when, after the last document */
  lose(): { readonly before: number; readonly since: number } {
    if (this.#losses === 0) this.#lostSince = performance.now();
    this.#losses += 1;
    return { before: this.#losses - 1, since: this.#lostSince };
  }

  /**
   * What was given and what is left must be all that was found: what broke may have lacked something before it broke, and
   * what it goes on with may.
   *
   * @throws SolrUnavailable
   */
  compare(part: Part): void {
    const left = part.found();
    if (left === undefined || part === this.#compared) return;
    const whole = this.#given + left;
    if (this.#losses > 0 && whole < this.#whole) {
      throw new SolrUnavailable(`list would give ${whole} of ${this.#whole} documents`);
    }
    this.#compared = part;
    this.#whole = whole;
  }
}
