/** Concurrent work on batches of items, limited in number. */

/** Limits concurrent work. The first failure ends all. */
export class TaskLimiter {
  readonly #max: number;
  readonly #running = new Set<Promise<void>>();
  #failure: { readonly error: unknown } | undefined;

  constructor(max: number) {
    this.#max = max;
  }

  /** Starts the work when a slot is free. @throws the error of earlier work */
  async add(work: () => Promise<void>): Promise<void> {
    while (this.#running.size >= this.#max) await Promise.race(this.#running);
    if (this.#failure) throw this.#failure.error;
    const one = work()
      .catch((error: unknown) => {
        this.#failure ??= { error };
      })
      .finally(() => this.#running.delete(one));
    this.#running.add(one);
  }

  /** Waits for all work. @throws the first error */
  async finished(): Promise<void> {
    await Promise.all(this.#running);
    if (this.#failure) throw this.#failure.error;
  }
}

/** Collects items, and starts work on each full batch. */
export class Batches<T> {
  readonly #tasks: TaskLimiter;
  readonly #size: number;
  readonly #work: (items: readonly T[]) => Promise<void>;
  #items: T[] = [];

  constructor(tasks: TaskLimiter, size: number, work: (items: readonly T[]) => Promise<void>) {
    this.#tasks = tasks;
    this.#size = size;
    this.#work = work;
  }

  /** @throws the error of earlier work */
  async add(item: T): Promise<void> {
    this.#items.push(item);
    if (this.#items.length >= this.#size) await this.flush();
  }

  /** Starts work on the items that remain. @throws the error of earlier work */
  async flush(): Promise<void> {
    const batch = this.#items;
    this.#items = [];
    await this.#tasks.add(() => this.#work(batch));
  }
}
