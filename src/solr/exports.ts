/**
 * Lists of all that is found, in turns. An export holds some 20 MB of Solr's heap as long as it is open, so only so
 * many are open at a time; a reader who takes long lends its place to those who wait.
 */
import { SolrUnavailable } from "../errors.js";
import type { Search } from "../query/search.js";
import { SolrCollection } from "./client.js";
import {
  type DocumentBatches,
  readExport,
  readStream,
  type SolrDocument,
  streamExpression,
} from "./export.js";
import { searchParameters } from "./facets.js";
import type { SolrHttp } from "./http.js";
import { inOrder } from "./order.js";
import { type Asker, lingering, patiently, type Searches } from "./searches.js";
import { isSharded, type SolrTopology } from "./shards.js";
import type { Stretch, Stretches } from "./stretches.js";
import type { Place, Turns } from "./turns.js";

export interface ExportOptions extends Asker {
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

type Batches = AsyncGenerator<readonly SolrDocument[], void, undefined>;
type Batch = IteratorResult<readonly SolrDocument[], void>;

/** Results are in this order, everywhere (search-semantics, "Filters"). */
const ORDER = "file desc";
/**
 * Milliseconds that a reader may keep an export waiting, and may have one while others wait. A list of several shards, or
 * without `file`, cannot go on elsewhere: it ends where its reader pauses and others wait.
 */
export const PACE = { pause: 10_000, slice: 30_000 };
/** So many results are passed over at once: Solr keeps some 50 bytes of each of them. */
const STEP = 200_000;

/** Where a list goes on: at a file, or behind it. */
interface Begin {
  readonly file: string;
  readonly included: boolean;
}

export class Exports {
  readonly #http: SolrHttp;
  readonly #topology: SolrTopology;
  readonly #searches: Searches;
  readonly #stretches: Stretches;
  readonly #turns: Turns;
  readonly #pace: typeof PACE;

  constructor(
    http: SolrHttp,
    topology: SolrTopology,
    searches: Searches,
    stretches: Stretches,
    turns: Turns,
    pace = PACE,
  ) {
    this.#http = http;
    this.#topology = topology;
    this.#searches = searches;
    this.#stretches = stretches;
    this.#turns = turns;
    this.#pace = pace;
  }

  /**
   * Every document that is found, in batches, in the order of results. What fails at the start
   * fails here; what fails later fails the iteration.
   *
   * @throws ServiceBusy; SolrTimeout, SolrUnavailable, TooComplexSearch
   */
  async export(search: Search, options: ExportOptions): Promise<Export> {
    const place = await this.#turns.enter(options.caller, options.signal);
    const batches = this.#inSlices(search, options, place);
    // Solr works until it has an answer, also when nobody waits for it any more; so long the place is taken.
    let first: Batch;
    try {
      first = await patiently(batches.next(), this.#http.timeoutMs, options.signal);
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

  /** Reads in a place; where the reader pauses or others wait for long, leaves it and goes on in another. */
  async *#inSlices(search: Search, options: ExportOptions, first: Place): Batches {
    const { caller, signal, fields } = options;
    const resumable = fields.includes("file") && !this.#isSharded(search);
    let place = first;
    let begin: Begin | undefined;
    let batches: Batches | undefined;
    try {
      const stretches = await this.#stretches.of(search, { caller, signal });
      batches = await this.#open(search, options, stretches);
      for (;;) {
        let paused = false;
        let since = Date.now();
        for (;;) {
          const { done, value }: Batch = await batches.next();
          if (done) return;
          const file: unknown = value.at(-1)?.file;
          if (resumable && typeof file === "string") begin = { file, included: false };
          const [open, mine] = [batches, place];
          const timer = setInterval(() => {
            // What cannot go on elsewhere is only ended for somebody else.
            if (begin === undefined && !mine.isWanted()) return;
            clearInterval(timer);
            paused = true;
            // Only then Solr has let go of it.
            void open.return().finally(() => mine.leave());
          }, this.#pace.pause);
          try {
            yield value;
          } finally {
            clearInterval(timer);
          }
          if (paused) break;
          if (Date.now() - since < this.#pace.slice || begin === undefined) continue;
          if (place.isWanted()) break;
          since = Date.now();
        }
        if (begin === undefined) throw new SolrUnavailable("the reader paused for too long");
        await batches.return();
        place.leave();
        place = await this.#turns.enterAgain(caller, signal);
        batches =
          stretches === undefined
            ? this.#from(search, fields, begin)
            : this.#along(search, options, stretchesFrom(begin, stretches), begin);
      }
    } finally {
      await batches?.return();
      place.leave();
    }
  }

  #isSharded(search: Search): boolean {
    return isSharded(this.#topology, search.collection);
  }

  async #open(
    search: Search,
    options: ExportOptions,
    stretches: readonly Stretch[] | undefined,
  ): Promise<Batches> {
    if (stretches !== undefined) return this.#fromStart(search, options, stretches);
    if (this.#isSharded(search)) return this.#exportShards(search, options);
    if (options.start === 0) return this.#from(search, options.fields, undefined);
    const file = await this.#fileAt(search, options);
    return file === undefined
      ? nothing()
      : this.#from(search, options.fields, { file, included: true });
  }

  /** Passes over stretches, which costs what stands before the start, and not what the index has. */
  async #fromStart(
    search: Search,
    options: ExportOptions,
    stretches: readonly Stretch[],
  ): Promise<Batches> {
    if (options.start === 0) return this.#along(search, options, stretches);
    const { caller, signal } = options;
    let before = options.start;
    for (const [at, stretch] of stretches.entries()) {
      const part = within(search, stretch);
      const { numFound } = await this.#searches.select(part, { rows: "0" }, { caller, signal });
      if (before < numFound) {
        return without(before, this.#along(search, options, stretches.slice(at)));
      }
      before -= numFound;
    }
    return nothing();
  }

  /** Stretch by stretch. @param begin in the first of them */
  async *#along(
    search: Search,
    options: ExportOptions,
    stretches: readonly Stretch[],
    begin?: Begin,
  ): Batches {
    for (const [index, stretch] of stretches.entries()) {
      const part = within(search, stretch);
      const batches = this.#isSharded(search)
        ? await this.#exportShards(part, { ...options, start: 0 })
        : this.#from(part, options.fields, index === 0 ? begin : undefined);
      // A stretch may have nothing of what is found, which is not to look like the end.
      for await (const documents of batches) if (documents.length > 0) yield documents;
    }
  }

  #parameters(search: Search, fields: readonly string[]): URLSearchParams {
    const parameters = searchParameters(search);
    parameters.set("sort", ORDER);
    parameters.set("fl", fields.join(","));
    return parameters;
  }

  #from(search: Search, fields: readonly string[], begin: Begin | undefined): Batches {
    const parameters = this.#parameters(search, fields);
    if (begin !== undefined) appendBegin(parameters, begin);
    const collection = new SolrCollection(this.#http, search.collection);
    return readExport(this.#http, collection.exportRequest(parameters, lingering(this.#http)));
  }

  async #exportShards(
    search: Search,
    { fields, start, caller, signal }: ExportOptions,
  ): Promise<Batches> {
    const { numFound } = await this.#searches.select(search, { rows: "0" }, { caller, signal });
    if (start >= numFound) return nothing();
    // The shards' documents are merged by what they are sorted by.
    const parameters = this.#parameters(search, [...new Set([...fields, "file"])]);
    const collection = new SolrCollection(this.#http, search.collection);
    const expression = streamExpression(search.collection, parameters);
    const request = collection.streamRequest(expression, lingering(this.#http));
    // Ordinals differ between shards, so the first ones are read and dropped.
    return without(start, readStream(this.#http, request, numFound));
  }

  /**
   * The `file` of the result at the start, so that an export can begin there: /export itself has
   * no offset. Sorted by the ordinal of `file`, which is the same order: to sort by `file` at this
   * depth, Solr would copy every key that it passes, five times as slow. It keeps all that it passes in its
   * heap, so a long way is made in steps.
   */
  async #fileAt(
    search: Search,
    { start, caller, signal }: ExportOptions,
  ): Promise<string | undefined> {
    const asker = { caller, signal };
    // A way over all that is found, to learn that it ends before, would be for nothing.
    if (start > STEP) {
      const { numFound } = await this.#searches.select(search, { rows: "0" }, asker);
      if (start >= numFound) return undefined;
    }
    const sort = ORDER.replace("file", "ord(file)");
    let file: string | undefined;
    for (let left = start; left > 0; ) {
      const step = Math.min(left, STEP);
      const page: Record<string, string> = { sort, fl: "file", start: String(step), rows: "1" };
      const from = new URLSearchParams();
      if (file !== undefined) appendBegin(from, { file, included: true });
      const filters = [...search.filters, ...from.getAll("fq")];
      const more = { ...page, ...(file !== undefined && { first: file }) };
      const found = await this.#searches.select({ ...search, filters }, more, asker);
      file = found.docs[0]?.file as string | undefined;
      if (file === undefined) return undefined;
      left -= step;
    }
    return file;
  }
}

/** Leaves out what stands before. The file is a parameter of its own, as no text of a filter. */
function appendBegin(parameters: URLSearchParams, { file, included }: Begin): void {
  const end = included ? "" : " incu=false";
  parameters.append("fq", `{!frange u=$first${end} cache=false}file`);
  parameters.set("first", file);
}

const within = (search: Search, { filter }: Stretch): Search => ({
  ...search,
  filters: [...search.filters, filter],
});

/** The stretches without those that end before. */
function stretchesFrom({ file }: Begin, stretches: readonly Stretch[]): readonly Stretch[] {
  return stretches.filter(({ low }) => low === undefined || inOrder(file, low) >= 0);
}

async function* nothing(): Batches {}

/** Batches without their first `count` documents. */
async function* without(count: number, batches: Batches): Batches {
  let left = count;
  for await (const documents of batches) {
    const rest = left > 0 ? documents.slice(left) : documents;
    left -= documents.length - rest.length;
    if (rest.length > 0) yield rest;
  }
}
