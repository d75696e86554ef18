/**
 * The same short work for several who ask at once: whoever asks while it runs shares the next run with all others who
 * do, so what they are told was found out after they asked, as if each had it done alone.
 */
export class NextRun<T> {
  readonly #runs = new Map<unknown, { running: Promise<T>; next: Promise<T> | undefined }>();

  /** @param key of the work: what has the same key is the same. @throws what the work throws */
  run(key: unknown, work: () => Promise<T>): Promise<T> {
    const known = this.#runs.get(key);
    if (known === undefined) return this.#start(key, work);
    known.next ??= known.running.then(
      () => this.#start(key, work),
      () => this.#start(key, work),
    );
    return known.next;
  }

  #start(key: unknown, work: () => Promise<T>): Promise<T> {
    const running = work().finally(() => {
      if (this.#runs.get(key)?.next === undefined) this.#runs.delete(key);
    });
    this.#runs.set(key, { running, next: undefined });
    return running;
  }
}
