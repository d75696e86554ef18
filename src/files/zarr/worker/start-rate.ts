/** Processes that may be started at once, and milliseconds until one more may be. */
const MAX_STARTS = 8;
const START_INTERVAL = 250;

/** Limits the starts of processes: those that end again and again are not restarted without a pause. */
export class StartRate {
  #left = MAX_STARTS;
  /** When a start was last gained, by `performance.now()`. */
  #gainedAt = 0;

  /** Whether one more process may be started. */
  get allows(): boolean {
    const now = performance.now();
    const gained = Math.floor((now - this.#gainedAt) / START_INTERVAL);
    if (gained > 0) {
      this.#left = Math.min(MAX_STARTS, this.#left + gained);
      this.#gainedAt = now;
    }
    return this.#left > 0;
  }

  /** Counts a start. */
  note(): void {
    this.#left -= 1;
  }
}
