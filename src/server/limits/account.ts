/** What one caller has had, and what comes next: a few numbers, however many requests there are. */
import { TooManyRequests } from "../errors.js";
import type { LimitName, UsedUpLimit } from "../request-context.js";
import {
  BURST,
  DAY,
  MAX_WAITING,
  MIN_PACE,
  PATIENCE,
  REFUSED_FROM,
  type Rules,
  usedUp,
} from "./settings.js";

/** A stream that waits for the end of another one. */
export interface Waiter {
  begin(): void;
}

const SENTENCES: Readonly<Record<LimitName, string>> = {
  requests: "There are too many requests of one caller; please wait.",
  streams: "There are too many streams of one caller at once; please read them first.",
  bytes: "A caller's bytes of this day are used up; they begin anew at midnight UTC.",
  decode: "A caller's time of decoding of this day is used up; it begins anew at midnight UTC.",
};

export class Account {
  /** When the next request would come if they came evenly. */
  #turnAt = 0;
  #streams = 0;
  #waiting: Waiter[] | undefined;
  #day = 0;
  #bytes = 0;
  /** Milliseconds. */
  #decoded = 0;
  /** When something may be decoded again. */
  #readAt = 0;
  readonly #rules: Rules;

  constructor(rules: Rules) {
    this.#rules = rules;
  }

  /** Takes a turn. @returns milliseconds until it comes. @throws TooManyRequests where that is too long */
  turn(): number {
    const { requests, clock } = this.#rules;
    if (requests === undefined) return 0;
    const now = clock.monotonic();
    const due = Math.max(this.#turnAt, now);
    const wait = due - now - BURST * 1000;
    if (wait > PATIENCE.request) throw this.#refusal("requests", wait - PATIENCE.request);
    this.#turnAt = due + 1000 / requests;
    return Math.max(0, wait);
  }

  /** Gives a turn back, for what cost next to nothing. */
  giveBack(): void {
    const { requests } = this.#rules;
    if (requests !== undefined) this.#turnAt -= 1000 / requests;
  }

  /** Begins a stream. @returns false where there are too many at the moment */
  begin(): boolean {
    if (this.#streams >= (this.#rules.streams ?? Number.POSITIVE_INFINITY)) return false;
    this.#streams += 1;
    return true;
  }

  /** @throws TooManyRequests where too many wait already */
  wait(waiter: Waiter): void {
    this.#waiting ??= [];
    if (this.#waiting.length >= (this.#rules.streams ?? 0) * MAX_WAITING) throw this.tooMany();
    this.#waiting.push(waiter);
  }

  giveUp(waiter: Waiter): void {
    this.#waiting = this.#waiting?.filter((one) => one !== waiter);
  }

  /** A stream has ended; whoever waits longest has its place. */
  end(): void {
    const next = this.#waiting?.shift();
    if (next === undefined) this.#streams -= 1;
    else next.begin();
  }

  tooMany(): TooManyRequests {
    return this.#refusal("streams", PATIENCE.request);
  }

  /** @throws TooManyRequests where the day's bytes, or the time of decoding, are used up for good */
  requireRest(): void {
    this.#today();
    const { bytes, decode } = this.#rules;
    if (bytes !== undefined && this.#bytes >= bytes * REFUSED_FROM) {
      throw this.#refusal("bytes", this.#untilMidnight());
    }
    if (decode !== undefined && this.#decoded >= decode * REFUSED_FROM * 1000) {
      throw this.#refusal("decode", this.#untilMidnight());
    }
  }

  /** What makes this caller's streams slow. */
  get slowedBy(): UsedUpLimit | undefined {
    const { decode } = this.#rules;
    const seconds = Math.ceil(this.#untilMidnight() / 1000);
    if (this.isSlow) return usedUp("bytes", seconds);
    if (decode !== undefined && this.#decoded > decode * 1000) return usedUp("decode", seconds);
    return undefined;
  }

  /** Whether the day's bytes are used up. */
  get isSlow(): boolean {
    this.#today();
    return this.#bytes > (this.#rules.bytes ?? Number.POSITIVE_INFINITY);
  }

  /** Counts bytes. @returns how many a second a stream may send, these and those after them */
  pass(count: number): number {
    const { bytes } = this.#rules;
    if (bytes === undefined) return Number.POSITIVE_INFINITY;
    const { isSlow } = this;
    this.#bytes += count;
    if (!isSlow) return Number.POSITIVE_INFINITY;
    // So what is had besides is once more what a day has, at the most, unless there are very many streams.
    const evenly = bytes / (DAY / 1000);
    return Math.max(MIN_PACE, evenly / Math.max(1, this.#streams));
  }

  decode(milliseconds: number): void {
    const { decode, clock } = this.#rules;
    if (decode === undefined) return;
    this.#today();
    this.#decoded += milliseconds;
    if (this.#decoded <= decode * 1000) return;
    const evenly = DAY / (decode * 1000);
    this.#readAt = Math.max(this.#readAt, clock.monotonic()) + milliseconds * evenly;
  }

  /** Milliseconds until something may be decoded. */
  untilRead(): number {
    if (this.#readAt === 0) return 0;
    this.#today();
    const wait = this.#readAt - this.#rules.clock.monotonic();
    return Math.min(PATIENCE.reading, Math.max(0, wait));
  }

  #today(): void {
    const day = Math.floor(this.#rules.clock.date() / DAY);
    if (day === this.#day) return;
    this.#day = day;
    this.#bytes = 0;
    this.#decoded = 0;
    this.#readAt = 0;
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
