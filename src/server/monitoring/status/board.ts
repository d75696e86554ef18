/**
 * The status of the service. Probes run in parallel, and callers share their runs. No caller waits for a late probe.
 * Probes run only while the status is requested.
 */
import { inTime } from "../../../platform/concurrency/in-time.js";
import { SingleFlight } from "../../../platform/concurrency/single-flight.js";
import { type Finding, type Probe, reasonOf } from "./probe.js";

/** Milliseconds that an answer waits for probes; then it has the last known findings. */
const WAIT = 150;
/** Milliseconds between two rounds of probes while the status is requested. */
const PAUSE = 5000;
const WATCH_AFTER_REQUEST_MS = 10 * 60_000;

interface Known {
  readonly name: string;
  readonly isPublic: boolean;
  readonly finding: Finding;
  /** Since when the state is this one, in milliseconds since 1970. */
  readonly since: number | undefined;
  /** Milliseconds since the last run; undefined before the first. */
  readonly age: number | undefined;
}

const NOT_YET: Finding = { state: "unknown", says: "This is being looked at for the first time." };

class MonitoredProbe {
  finding: Finding = NOT_YET;
  since: number | undefined;
  /** By the monotonic clock. */
  #checked: number | undefined;
  #isRunning = false;
  #isLate = false;
  readonly #probe: Probe;

  constructor(probe: Probe) {
    this.#probe = probe;
  }

  get known(): Known {
    const { name, isPublic } = this.#probe;
    const age = this.#checked === undefined ? undefined : performance.now() - this.#checked;
    return { name, isPublic, finding: this.finding, since: this.since, age };
  }

  /** Runs the probe unless it is running or its finding is fresh. Settles after the probe's timeout at the latest. */
  async inspect(): Promise<void> {
    const { ttl, timeout, late } = this.#probe;
    if (this.#isRunning) {
      // The last run is late and still hangs: that counts as a finding.
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
        state: "unknown",
        says: "This could not be looked at.",
        detail: reasonOf(error),
      }),
    );
    void running.then(() => {
      this.#isRunning = false;
    });
    const finding = await Promise.race([running, lateness]);
    clearTimeout(timer);
    // An aborted run reports that it was late, not how it was aborted.
    this.#isLate = over.signal.aborted;
    this.#note(this.#isLate ? late : finding);
  }

  #note(finding: Finding): void {
    if (finding.state !== this.finding.state || this.since === undefined) this.since = Date.now();
    this.finding = finding;
    this.#checked = performance.now();
  }
}

export class StatusBoard {
  readonly #monitored: readonly MonitoredProbe[];
  #timer: NodeJS.Timeout | undefined;
  #lastRequest = 0;
  readonly #rounds = new SingleFlight<unknown>();

  constructor(probes: readonly Probe[]) {
    this.#monitored = probes.map((probe) => new MonitoredProbe(probe));
  }

  /** The known findings, after WAIT at the latest; runs probes whose finding is old. */
  async known(): Promise<readonly Known[]> {
    this.#lastRequest = performance.now();
    this.#timer ??= setInterval(() => this.#tick(), PAUSE).unref();
    await this.#rounds.join(() => inTime(this.#inspect(), WAIT, () => {}));
    return this.#monitored.map(({ known }) => known);
  }

  /** Settles after all probes have ended or were late. */
  #inspect(): Promise<unknown> {
    return Promise.all(this.#monitored.map((one) => one.inspect()));
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #tick(): void {
    if (performance.now() - this.#lastRequest < WATCH_AFTER_REQUEST_MS) return void this.#inspect();
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
