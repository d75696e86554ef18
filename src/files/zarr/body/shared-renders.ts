import { ReadingBusy } from "../errors.js";

interface Work<T> {
  readonly result: Promise<T>;
  readonly stop: AbortController;
  /** Those who wait for it. */
  waiting: number;
}

/** Work that several may wait for: done once, and given up when nobody waits any more. */
export class Joined<T> {
  readonly #underWay = new Map<string, Work<T>>();

  /**
   * @param key what is wanted
   * @param signal of the one who asks; undefined: waits in any case
   * @throws what the work throws; ReadingBusy when the one who asks has left
   */
  async run(
    key: string,
    signal: AbortSignal | undefined,
    start: (stop: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const gone = (): ReadingBusy => new ReadingBusy("Nobody waits for this any more.");
    if (signal?.aborted) throw gone();
    const work = this.#underWay.get(key) ?? this.#start(key, start);
    work.waiting += 1;
    const leaving = new Promise<never>((_, reject) => {
      signal?.addEventListener("abort", () => reject(gone()), { once: true });
    });
    leaving.catch(() => {});
    try {
      return await Promise.race([work.result, leaving]);
    } finally {
      work.waiting -= 1;
      if (work.waiting === 0) {
        if (this.#underWay.get(key) === work) this.#underWay.delete(key);
        work.stop.abort();
      }
    }
  }

  #start(key: string, start: (stop: AbortSignal) => Promise<T>): Work<T> {
    const stop = new AbortController();
    const work: Work<T> = { result: start(stop.signal), stop, waiting: 0 };
    work.result.catch(() => {});
    this.#underWay.set(key, work);
    return work;
  }
}
