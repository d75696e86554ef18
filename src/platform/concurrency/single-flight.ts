/**
 * Coalescing: calls for the same work share one run of it, with its answer or its error.
 *
 * `join` shares the run in progress, so its answer may have been found before the call. `next` shares the run that
 * starts after the current one, so its answer is never older than the call. `remembered` shares a run for as long as a
 * cache keeps it.
 */

interface Run<T> {
  readonly result: Promise<T>;
  /** Left out where nobody can leave. */
  readonly stop: AbortController | undefined;
  /** Callers that wait for it. Those without a signal cannot leave. */
  waiting: number;
  /** The run after it, once a caller needs one. */
  next: Promise<T> | undefined;
}

/** Work that runs once at a time for each key, however many callers ask for it. */
export class SingleFlight<T> {
  readonly #runs = new Map<unknown, Run<T>>();

  /**
   * Shares the run in progress, or starts one.
   *
   * @param work its signal aborts once all callers have left; undefined if the first of them cannot leave
   * @param signal of the caller, whose leaving does not affect the others
   */
  join(
    work: (stop: AbortSignal | undefined) => Promise<T>,
    key?: unknown,
    signal?: AbortSignal,
  ): Promise<T> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    let run = this.#runs.get(key);
    if (run === undefined) {
      const stop = signal && new AbortController();
      run = this.#start(() => work(stop?.signal), key, stop);
    }
    run.waiting += 1;
    return signal === undefined ? run.result : this.#untilAborted(run, key, signal);
  }

  /** Starts a run, or shares the one after the run in progress. */
  next(work: () => Promise<T>, key?: unknown): Promise<T> {
    const start = (): Promise<T> => {
      const started = this.#start(work, key);
      started.waiting += 1;
      return started.result;
    };
    const run = this.#runs.get(key);
    if (run === undefined) return start();
    run.next ??= run.result.then(start, start);
    return run.next;
  }

  #start(work: () => Promise<T>, key: unknown, stop?: AbortController): Run<T> {
    const result = work().finally(() => {
      // A run that another follows stays until then, or a call in between would start a third.
      if (run.next === undefined) this.#forget(key, run);
    });
    const run: Run<T> = { result, stop, waiting: 0, next: undefined };
    this.#runs.set(key, run);
    return run;
  }

  async #untilAborted(run: Run<T>, key: unknown, signal: AbortSignal): Promise<T> {
    let leave = (): void => {};
    const left = new Promise<never>((_, reject) => {
      leave = () => reject(signal.reason);
      signal.addEventListener("abort", leave, { once: true });
    });
    try {
      return await Promise.race([run.result, left]);
    } finally {
      signal.removeEventListener("abort", leave);
      run.waiting -= 1;
      if (run.waiting === 0) {
        this.#forget(key, run);
        run.stop?.abort();
      }
    }
  }

  #forget(key: unknown, run: Run<T>): void {
    if (this.#runs.get(key) === run) this.#runs.delete(key);
  }
}

/** A Map or an LRUCache. */
interface Cache<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): unknown;
  delete(key: K): unknown;
}

/** Shares what a cache has for a key, or does the work. Failures are not kept: the next call tries again. */
export function remembered<K, T>(
  cache: Cache<K, Promise<T>>,
  key: K,
  work: () => Promise<T>,
): Promise<T> {
  const known = cache.get(key);
  if (known !== undefined) return known;
  const answer = work();
  cache.set(key, answer);
  answer.catch(() => {
    if (cache.get(key) === answer) cache.delete(key);
  });
  return answer;
}
