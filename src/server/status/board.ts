/**
 * How the service is, as far as is known: looks are shared by all who ask, none waits for another, and nobody waits for
 * one that is late. Nothing is looked at while nobody asks.
 */
import { SingleFlight } from "../../platform/single-flight.js";
import { type Finding, type Probe, reasonOf } from "./probe.js";

/** Milliseconds that an answer waits for looks; what is not known by then is told as it was. */
const WAIT = 150;
/** Milliseconds between two looks while somebody asks now and then, and for how long after the last time. */
const PAUSE = 5000;
const ASKED = 10 * 60_000;

/** What is known of one thing. */
export interface Known {
  readonly name: string;
  readonly isPublic: boolean;
  readonly finding: Finding;
  /** When it was first found in this state, in milliseconds since 1970. */
  readonly since: number | undefined;
  /** Milliseconds since it was looked at last; undefined: not yet. */
  readonly age: number | undefined;
}

const NOT_YET: Finding = { state: "unknown", says: "This is being looked at for the first time." };

/** A probe, and what it has found. */
class MonitoredProbe {
  finding: Finding = NOT_YET;
  since: number | undefined;
  /** By the clock that nobody sets. */
  #checked: number | undefined;
  #isRunning = false;
  #isLate = false;
  readonly #probe: Probe;
  readonly #clock: () => number;

  constructor(probe: Probe, clock: () => number) {
    this.#probe = probe;
    this.#clock = clock;
  }

  get known(): Known {
    const { name, isPublic } = this.#probe;
    const age = this.#checked === undefined ? undefined : performance.now() - this.#checked;
    return { name, isPublic, finding: this.finding, since: this.since, age };
  }

  /** Looks, unless that is being done or was done a moment ago. Settles at the latest when its time is over. */
  async inspect(): Promise<void> {
    const { ttl, timeout, late } = this.#probe;
    if (this.#isRunning) {
      // It is late and still has not come back: that is as good as a look.
      if (this.#isLate) this.#note(late);
      return;
    }
    if (this.#checked !== undefined && performance.now() - this.#checked < ttl) return;
    this.#isRunning = true;
    const over = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const lateness = new Promise<Finding>((resolve) => {
      timer = setTimeout(() => {
        over.abort();
        resolve(late);
      }, timeout).unref();
    });
    const running = this.#probe.inspect(over.signal).catch(
      (error: unknown): Finding => ({
        ...{ state: "unknown", says: "This could not be looked at." },
        detail: reasonOf(error),
      }),
    );
    void running.then(() => {
      this.#isRunning = false;
    });
    const finding = await Promise.race([running, lateness]);
    clearTimeout(timer);
    // What was broken off because it was late says so, and not how it was broken off.
    this.#isLate = over.signal.aborted;
    this.#note(this.#isLate ? late : finding);
  }

  #note(finding: Finding): void {
    if (finding.state !== this.finding.state || this.since === undefined)
      this.since = this.#clock();
    this.finding = finding;
    this.#checked = performance.now();
  }
}

export class StatusBoard {
  readonly #monitored: readonly MonitoredProbe[];
  #timer: NodeJS.Timeout | undefined;
  #asked = 0;
  readonly #rounds = new SingleFlight<void>();

  /** @param clock milliseconds since 1970 */
  constructor(probes: readonly Probe[], clock: () => number = Date.now) {
    this.#monitored = probes.map((probe) => new MonitoredProbe(probe, clock));
  }

  /** What is known, at the latest after WAIT; looks again at what is old. */
  async known(): Promise<readonly Known[]> {
    this.#asked = performance.now();
    this.#timer ??= setInterval(() => this.#tick(), PAUSE).unref();
    await this.#rounds.join(() => this.#inspect());
    return this.#monitored.map(({ known }) => known);
  }

  /** What is known when everything has been looked at, or was late. */
  async whole(): Promise<readonly Known[]> {
    await Promise.all(this.#monitored.map((one) => one.inspect()));
    return this.#monitored.map(({ known }) => known);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #inspect(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const waited = new Promise((resolve) => {
      timer = setTimeout(resolve, WAIT);
    });
    await Promise.race([this.whole(), waited]);
    clearTimeout(timer);
  }

  #tick(): void {
    if (performance.now() - this.#asked < ASKED) return void this.whole();
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
