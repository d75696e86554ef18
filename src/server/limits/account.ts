/**
 * The use of one client's quotas, in constant memory.
 *
 * Requests, bytes and decoding time are rates that recover with time, so a Budget, whose bookings are returned, does not
 * fit. Streams are returned: a FairSemaphore counts them.
 */
import { DAY } from "../../domain/extent/durations.js";
import { FairSemaphore, type Permit } from "../../platform/concurrency/fair-semaphore.js";
import { TooManyRequests } from "../errors.js";
import type { LimitName, UsedUpLimit } from "../http/request-context.js";
import {
  BURST,
  MAX_WAIT,
  MAX_WAITING,
  MIN_PACE,
  REFUSED_FROM,
  type Rules,
  usedUp,
} from "./settings.js";

const SENTENCES: Readonly<Record<LimitName, string>> = {
  requests: "There are too many requests of one caller; please wait.",
  streams: "There are too many streams of one caller at once; please read them first.",
  bytes: "A caller's bytes of this day are used up; they begin anew at midnight UTC.",
  decode: "A caller's time of decoding of this day is used up; it begins anew at midnight UTC.",
};

export class Account {
  /** When the next request would arrive if requests came evenly. */
  #nextTurn = 0;
  /** Undefined while nothing is streamed: there are many accounts, and most are idle. */
  #streams: FairSemaphore | undefined;
  #day = 0;
  #bytes = 0;
  /** In milliseconds. */
  #decoded = 0;
  /** When data may be decoded again. */
  #nextReading = 0;
  readonly #rules: Rules;

  constructor(rules: Rules) {
    this.#rules = rules;
  }

  /** Takes a turn for a request. @returns milliseconds until it comes. @throws TooManyRequests if that is too long */
  turn(): number {
    const { requests, clock } = this.#rules;
    if (requests === undefined) return 0;
    const now = clock.monotonic();
    const due = Math.max(this.#nextTurn, now);
    const wait = due - now - BURST * 1000;
    if (wait > MAX_WAIT.request) throw this.#refusal("requests", wait - MAX_WAIT.request);
    this.#nextTurn = due + 1000 / requests;
    return Math.max(0, wait);
  }

  /** Gives a turn back, for a request that cost next to nothing. */
  giveBack(): void {
    const { requests } = this.#rules;
    if (requests !== undefined) this.#nextTurn -= 1000 / requests;
  }

  /** Begins a stream. @returns undefined if too many are being sent */
  begin(): Permit | undefined {
    this.#streams ??= this.#makeSemaphore();
    const permit = this.#streams.tryAcquire({});
    return permit && this.#dropping(permit);
  }

  /**
   * Begins a stream when another one has ended.
   *
   * @param signal ends the waiting. @throws TooManyRequests if too many wait, for too long, or if aborted
   */
  async beginLater(signal: AbortSignal): Promise<Permit> {
    this.#streams ??= this.#makeSemaphore();
    return this.#dropping(await this.#streams.acquire({ signal }));
  }

  #makeSemaphore(): FairSemaphore {
    const { streams = Number.POSITIVE_INFINITY } = this.#rules;
    return new FairSemaphore({
      permits: streams,
      maxWaiting: streams * MAX_WAITING,
      timeoutMs: MAX_WAIT.stream,
      refused: () => this.tooMany(),
    });
  }

  /** A permit whose release also drops the semaphore, if it was the last one. */
  #dropping(permit: Permit): Permit {
    return {
      ...permit,
      release: () => {
        permit.release();
        if (this.#streams?.usage.taken === 0) this.#streams = undefined;
      },
    };
  }

  tooMany(): TooManyRequests {
    return this.#refusal("streams", MAX_WAIT.request);
  }

  /** @throws TooManyRequests if the day's bytes or decoding time are used up for good */
  requireRest(): void {
    this.#startDay();
    const { bytes, decode } = this.#rules;
    if (bytes !== undefined && this.#bytes >= bytes * REFUSED_FROM) {
      throw this.#refusal("bytes", this.#untilMidnight());
    }
    if (decode !== undefined && this.#decoded >= decode * REFUSED_FROM * 1000) {
      throw this.#refusal("decode", this.#untilMidnight());
    }
  }

  /** The limit that slows down the streams of this client. */
  get slowedBy(): UsedUpLimit | undefined {
    const { decode } = this.#rules;
    const seconds = Math.ceil(this.#untilMidnight() / 1000);
    if (this.isSlow) return usedUp("bytes", seconds);
    if (decode !== undefined && this.#decoded > decode * 1000) return usedUp("decode", seconds);
    return undefined;
  }

  /** Whether the day's bytes are used up. */
  get isSlow(): boolean {
    this.#startDay();
    return this.#bytes > (this.#rules.bytes ?? Number.POSITIVE_INFINITY);
  }

  /** Counts bytes. @returns bytes a second that a stream may send, these bytes included */
  pass(count: number): number {
    const { bytes } = this.#rules;
    if (bytes === undefined) return Number.POSITIVE_INFINITY;
    const { isSlow } = this;
    this.#bytes += count;
    if (!isSlow) return Number.POSITIVE_INFINITY;
    // At this pace a client gets at most a second quota in a day, unless it has very many streams.
    const evenly = bytes / (DAY / 1000);
    return Math.max(MIN_PACE, evenly / Math.max(1, this.#streams?.usage.taken ?? 0));
  }

  decode(milliseconds: number): void {
    const { decode, clock } = this.#rules;
    if (decode === undefined) return;
    this.#startDay();
    this.#decoded += milliseconds;
    if (this.#decoded <= decode * 1000) return;
    const evenly = DAY / (decode * 1000);
    this.#nextReading = Math.max(this.#nextReading, clock.monotonic()) + milliseconds * evenly;
  }

  /** Milliseconds until data may be decoded. */
  untilRead(): number {
    if (this.#nextReading === 0) return 0;
    this.#startDay();
    const wait = this.#nextReading - this.#rules.clock.monotonic();
    return Math.min(MAX_WAIT.reading, Math.max(0, wait));
  }

  /** Resets the quotas of a day when another day has begun. */
  #startDay(): void {
    const day = Math.floor(this.#rules.clock.date() / DAY);
    if (day === this.#day) return;
    this.#day = day;
    this.#bytes = 0;
    this.#decoded = 0;
    this.#nextReading = 0;
  }

  #untilMidnight(): number {
    return DAY - (this.#rules.clock.date() % DAY);
  }

  #refusal(name: LimitName, milliseconds: number): TooManyRequests {
    const seconds = Math.max(1, Math.ceil(milliseconds / 1000));
    const { field: limit } = usedUp(name, seconds);
    return new TooManyRequests(SENTENCES[name], seconds, { policy: this.#rules.policy, limit });
  }
}
