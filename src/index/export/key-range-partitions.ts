/**
 * The order of `file` in stretches of tens of thousands of documents.
 *
 * To begin a sorted list, Solr looks at everything that is found, and again for every 30,000 documents of it: of ten
 * million the first byte takes a second, and the whole is quadratic. Read stretch by stretch, a list begins as early as
 * one of a stretch, whatever the index has. Where stretches end need not be exact, and may be as old as one likes: they
 * part the order of all texts, not the documents that there were. They are taken from a sample that is the same for
 * everybody, the files whose digest begins with some digits.
 */
import { coded } from "../../domain/search/lucene.js";
import type { Search } from "../../domain/search/search.js";
import { SingleFlight } from "../../platform/single-flight.js";
import type { SolrTopology } from "../collections/shards.js";
import type { SearchClient, Searches } from "../query/query-admission.js";
import type { SolrHttp } from "../transport/http.js";
import { countFound, exportSorted } from "./sorted-export.js";
import { inOrder } from "./utf8-order.js";

type Collection = Search["collection"];

/** A part of the order of files. */
export interface Stretch {
  /** Holds for its files. */
  readonly filter: string;
}

export interface Extent {
  /** Documents of a collection from which it is read in stretches. */
  readonly least: number;
  /** Documents of a stretch, more or less. */
  readonly stretch: number;
}

export const EXTENT: Extent = { least: 1_000_000, stretch: 30_000 };

/** More of them cost memory, and looking for one more time than they save. */
const MAX_STRETCHES = 1000;
/** Files of the sample in a stretch: with fewer, stretches would differ too much in size. */
const MIN_SAMPLED = 20;
/** What finds less of a collection than that is read in one piece: each stretch costs the files that it does not find, too. */
const BROAD = 0.3;
/** Later stretches of a list are read together, up to so many: nobody waits for their beginning. */
const MAX_TOGETHER = 8;
/** Milliseconds after which stretches are taken anew, behind what is asked. */
const LASTING = 600_000;

interface Known {
  readonly since: number;
  /** Documents of the collection then. */
  readonly count: number;
  /** Where stretches end, in the order of results. */
  readonly ends: readonly string[];
}

export class Stretches {
  readonly #known = new Map<Collection, Known>();
  readonly #looks = new SingleFlight<Known>();
  readonly #http: SolrHttp;
  readonly #topology: SolrTopology;
  readonly #searches: Searches;
  readonly #extent: Extent;

  constructor(http: SolrHttp, topology: SolrTopology, searches: Searches, extent: Extent) {
    this.#http = http;
    this.#topology = topology;
    this.#searches = searches;
    this.#extent = extent;
  }

  /**
   * The stretches of what a search finds, in the order of results; undefined where it is better read in one piece.
   *
   * @throws as Searches.select
   */
  async of(search: Search, client: SearchClient): Promise<readonly Stretch[] | undefined> {
    const { collection } = search;
    const known = this.#known.get(collection) ?? (await this.#look(collection));
    if (Date.now() - known.since > LASTING) this.#look(collection).catch(() => {});
    if (known.ends.length === 0) return undefined;
    const { numFound } = await this.#searches.select(search, { rows: "0" }, client);
    if (numFound < BROAD * known.count || numFound < this.#extent.stretch) return undefined;
    return stretchesBetween(known.ends, Math.max(1, Math.round(known.count / numFound)));
  }

  #look(collection: Collection): Promise<Known> {
    return this.#looks.join(() => this.#take(collection), collection);
  }

  async #take(collection: Collection): Promise<Known> {
    const everything: Search = { collection, filters: [] };
    const count = await countFound(this.#http, everything);
    const ends = count < this.#extent.least ? [] : await this.#ends(collection, count);
    const known = { since: Date.now(), count, ends };
    this.#known.set(collection, known);
    return known;
  }

  async #ends(collection: Collection, count: number): Promise<string[]> {
    const size = Math.max(this.#extent.stretch, Math.ceil(count / MAX_STRETCHES));
    const digits = Math.max(0, Math.floor(Math.log(size / MIN_SAMPLED) / Math.log(16)));
    const sample: Search = {
      collection,
      filters: [`{!prefix f=file_digest cache=false}${"0".repeat(digits)}`],
    };
    const files: string[] = [];
    const fields = ["file"];
    const batches = exportSorted(this.#http, this.#topology, sample, { fields, by: fields });
    for await (const documents of batches) {
      for (const { file } of documents) if (typeof file === "string") files.push(file);
    }
    // Shards are merged in another order than Solr's own.
    files.sort((a, b) => inOrder(b, a));
    const sampled = Math.round(size / 16 ** digits);
    return files.filter((_, index) => index % sampled === sampled - 1);
  }
}

/** @param least ends that are left out between two, for what finds a part of the documents */
function stretchesBetween(ends: readonly string[], least: number): Stretch[] {
  const stretches: Stretch[] = [];
  let high: string | undefined;
  for (let at = least - 1, together = 1; ; together = Math.min(together * 2, MAX_TOGETHER)) {
    const low = ends[at];
    stretches.push({ filter: between(low, high) });
    if (low === undefined) return stretches;
    high = low;
    at += least * together;
  }
}

/**
 * Holds for the files from `low` on that come before `high`: a range of terms, of which Solr looks up those between alone. All that has a
 * meaning in Lucene's syntax is coded, as in an expression of a stream.
 */
const between = (low: string | undefined, high: string | undefined): string =>
  `{!cache=false}file:[${low === undefined ? "*" : coded(low)} TO ${high === undefined ? "*]" : `${coded(high)}}`}`;
