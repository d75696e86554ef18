/**
 * Key-range partitions: ranges of `file` with tens of thousands of documents each.
 *
 * To begin a sorted export, Solr visits all results, and does so again after every 30,000 documents. With ten million results the
 * first byte takes a second, and the whole list takes quadratic time. Exported range by range, a list begins as early as a
 * single range, whatever the size of the index.
 *
 * The bounds may be inexact and old: they divide the order of all texts, not a set of documents. They come from a fixed sample:
 * the files whose digest begins with some zeros.
 */
import { coded } from "../../domain/search/lucene.js";
import type { Search } from "../../domain/search/search.js";
import { SingleFlight } from "../../platform/concurrency/single-flight.js";
import type { SearchClient, Searches } from "../query/query-admission.js";
import type { SolrHttp } from "../transport/http.js";
import { countFound, exportSorted } from "./sorted-export.js";

export interface PartitionSizes {
  /** Documents of the index from which lists are partitioned. */
  readonly minCollection: number;
  /** Documents of a range, approximately. */
  readonly range: number;
}

const PARTITION_SIZES: PartitionSizes = { minCollection: 1_000_000, range: 30_000 };

/** More ranges would cost memory, and more time to look for than they save. */
const MAX_RANGES = 1000;
/** Sampled files in a range. With fewer, the sizes of the ranges would differ too much. */
const MIN_SAMPLED = 20;
/** The smallest share of the index that is read in ranges: each range also costs the documents that do not match. */
const MIN_SHARE = 0.3;
/** Later ranges of a list are joined, up to this many: only the first one decides when the list begins. */
const MAX_JOINED = 8;
/** Milliseconds after which the bounds are computed anew, beside the requests. */
const TTL = 600_000;

interface Partitioning {
  readonly since: number;
  /** Documents of the index. */
  readonly count: number;
  /** The last file of each range but the last range, in the order of results. Empty if the index is not partitioned. */
  readonly bounds: readonly string[];
}

export class KeyRangePartitions {
  #known: Partitioning | undefined;
  readonly #runs = new SingleFlight<Partitioning>();
  readonly #http: SolrHttp;
  readonly #searches: Searches;
  readonly #sizes: PartitionSizes;

  constructor(http: SolrHttp, searches: Searches, sizes = PARTITION_SIZES) {
    this.#http = http;
    this.#searches = searches;
    this.#sizes = sizes;
  }

  /** Filters that match the ranges of a list, in the order of results; undefined if one export is faster. */
  async of(search: Search, client: SearchClient): Promise<readonly string[] | undefined> {
    const known = this.#known ?? (await this.#refresh());
    if (Date.now() - known.since > TTL) this.#refresh().catch(() => {});
    if (known.bounds.length === 0) return undefined;
    const count = await this.#searches.count(search, client);
    if (count < MIN_SHARE * known.count || count < this.#sizes.range) return undefined;
    return rangesBetween(known.bounds, Math.max(1, Math.round(known.count / count)));
  }

  #refresh(): Promise<Partitioning> {
    return this.#runs.join(() => this.#compute());
  }

  async #compute(): Promise<Partitioning> {
    const count = await countFound(this.#http, { filters: [] });
    const bounds = count < this.#sizes.minCollection ? [] : await this.#bounds(count);
    const partitioning = { since: Date.now(), count, bounds };
    this.#known = partitioning;
    return partitioning;
  }

  async #bounds(count: number): Promise<string[]> {
    const size = Math.max(this.#sizes.range, Math.ceil(count / MAX_RANGES));
    const digits = Math.max(0, Math.floor(Math.log(size / MIN_SAMPLED) / Math.log(16)));
    const sample: Search = {
      filters: [`{!prefix f=file_digest cache=false}${"0".repeat(digits)}`],
    };
    const files: string[] = [];
    const fields = ["file"];
    const batches = exportSorted(this.#http, sample, { fields, by: fields });
    for await (const documents of batches) {
      for (const { file } of documents) if (typeof file === "string") files.push(file);
    }
    files.reverse();
    const sampled = Math.round(size / 16 ** digits);
    return files.filter((_, index) => index % sampled === sampled - 1);
  }
}

/** @param step bounds per range; more than one if a search finds only a share of the documents */
function rangesBetween(bounds: readonly string[], step: number): string[] {
  const ranges: string[] = [];
  let high: string | undefined;
  for (let at = step - 1, joined = 1; ; joined = Math.min(joined * 2, MAX_JOINED)) {
    const low = bounds[at];
    ranges.push(between(low, high));
    if (low === undefined) return ranges;
    high = low;
    at += step * joined;
  }
}

/** Matches the files from `low` on and before `high`. For a range of terms, Solr looks up only the terms inside it. */
const between = (low: string | undefined, high: string | undefined): string =>
  `{!cache=false}file:[${low === undefined ? "*" : coded(low)} TO ${high === undefined ? "*]" : `${coded(high)}}`}`;
