/** How far a list has come, and whether it continues at another node after a failure. */
import { setTimeout as sleep } from "node:timers/promises";
import { SolrUnavailable } from "../errors.js";
import type { SolrHttp } from "../transport/http.js";
import type { Cursor } from "./cursor.js";
import { ShortExport } from "./export.js";
import type { Segment } from "./segments.js";
import type { OpenExport } from "./sorted-export.js";

/** Milliseconds before each retry of a list that broke, as long as no document arrives. */
const PAUSES = [0, 250, 500, 1000, 1500];
/** Milliseconds after which a list that broke is not retried. */
const TIMEOUT = 3500;

export class Progress {
  /** The cursor where the segment continues; undefined before its first document, and if it cannot continue. */
  begin: Cursor | undefined;
  readonly #segments: readonly Segment[];
  #at = 0;
  /** Documents of the segment that were delivered. */
  #delivered = 0;
  /** Documents of the segment in all. */
  #whole = 0;
  #failures = 0;
  #failingSince = 0;
  #compared: OpenExport | undefined;

  constructor(segments: readonly Segment[]) {
    this.#segments = segments;
  }

  /** The segment that is read; undefined at the end. */
  get segment(): Segment | undefined {
    return this.#segments[this.#at];
  }

  /** Notes that the segment was delivered. */
  end(): void {
    this.#at += 1;
    this.#delivered = 0;
    this.begin = undefined;
  }

  /** Notes documents of the segment. @param begin where it continues behind them */
  deliver(count: number, begin: Cursor | undefined): void {
    this.#delivered += count;
    this.#failures = 0;
    this.begin = begin;
  }

  /** Waits until a list that failed is to be opened again. @returns false if it is not */
  async retries(error: unknown, http: SolrHttp, signal: AbortSignal | undefined): Promise<boolean> {
    if (!http.hasSeveralNodes || !(error instanceof SolrUnavailable)) return false;
    const hasBegun = this.#delivered > 0;
    // After a short export, documents before the last one may be missing, too.
    if (hasBegun && (this.begin === undefined || error instanceof ShortExport)) return false;
    // During an outage, a list that has not begun is refused at once.
    if (!hasBegun && http.isOutage) return false;
    if (this.#failures === 0) this.#failingSince = performance.now();
    const pause = PAUSES[this.#failures];
    this.#failures += 1;
    if (pause === undefined || signal?.aborted) return false;
    if (performance.now() - this.#failingSince > TIMEOUT) return false;
    if (pause > 0) await sleep(pause);
    return true;
  }

  /**
   * Checks that what was delivered and what is left is everything: the export that broke may have lacked documents before, and
   * the one that continues may lack some.
   */
  compare(part: OpenExport): void {
    const left = part.found();
    if (left === undefined || part === this.#compared) return;
    const whole = this.#delivered + left;
    if (this.#failures > 0 && whole < this.#whole) {
      throw new SolrUnavailable(`list would give ${whole} of ${this.#whole} documents`);
    }
    this.#compared = part;
    this.#whole = whole;
  }
}
