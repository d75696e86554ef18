/** A worker's requests to the supervisor for the metrics of all processes. */
import { RETRY_AFTER, ServiceBusy } from "../../platform/errors.js";

/** Milliseconds until the supervisor must have answered; it waits for workers itself. */
const TIMEOUT = 3000;

export class Scrapes {
  readonly #waiting = new Map<number, (text: string) => void>();
  #count = 0;
  readonly #ask: (number: number) => void;

  constructor(ask: (number: number) => void) {
    this.#ask = ask;
  }

  /** @throws ServiceBusy */
  scrape(): Promise<string> {
    this.#count += 1;
    const number = this.#count;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(number);
        const reason = "What is measured cannot be gathered at the moment.";
        reject(new ServiceBusy(RETRY_AFTER.search, reason));
      }, TIMEOUT);
      this.#waiting.set(number, (text) => {
        clearTimeout(timer);
        this.#waiting.delete(number);
        resolve(text);
      });
      this.#ask(number);
    });
  }

  answered(number: number, text: string): void {
    this.#waiting.get(number)?.(text);
  }
}
