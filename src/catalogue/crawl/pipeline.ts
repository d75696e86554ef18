/** Async stream operators: read ahead, map concurrently, batch. */
import { inTime } from "../../platform/concurrency/in-time.js";

/** Reads items from the source before they are requested. */
export async function* readAhead<T>(
  source: AsyncIterable<T>,
  max: number,
): AsyncGenerator<T, void, undefined> {
  const ready: T[] = [];
  /** The first item of `ready` that was not yielded yet. */
  let at = 0;
  let failure: { readonly error: unknown } | undefined;
  let isDone = false;
  let isWanted = true;
  let wakeReader = (): void => {};
  let wakeSource = (): void => {};
  const pump = async (): Promise<void> => {
    for await (const item of source) {
      ready.push(item);
      wakeReader();
      while (isWanted && ready.length - at >= max) {
        await new Promise<void>((resolve) => {
          wakeSource = resolve;
        });
      }
      if (!isWanted) return;
    }
  };
  const pumping = pump()
    .catch((error: unknown) => {
      failure = { error };
    })
    .finally(() => {
      isDone = true;
      wakeReader();
    });
  try {
    for (;;) {
      if (at < ready.length) {
        const item = ready[at++] as T;
        // Drops yielded items in batches, because each removal from the front moves the whole array.
        if (at >= 1000 || at === ready.length) {
          ready.splice(0, at);
          at = 0;
        }
        wakeSource();
        yield item;
        continue;
      }
      if (failure !== undefined) throw failure.error;
      if (isDone) return;
      await new Promise<void>((resolve) => {
        wakeReader = resolve;
        if (isDone || ready.length > 0) resolve();
      });
    }
  } finally {
    isWanted = false;
    wakeSource();
    await pumping;
  }
}

/** Maps items with limited concurrency. Results come in order of completion. */
export async function* mapConcurrently<T, R>(
  source: AsyncIterable<T>,
  atOnce: number,
  make: (item: T) => Promise<R>,
): AsyncGenerator<R, void, undefined> {
  const items = source[Symbol.asyncIterator]();
  const running = new Map<number, Promise<Done<R>>>();
  let number = 0;
  let isDone = false;
  let next: Promise<Next<T>> | undefined;
  try {
    for (;;) {
      if (!isDone && running.size < atOnce) next ??= items.next().then((item) => ({ item }));
      // Yields finished results even while the source has no new item.
      const all = [...running.values(), ...(next ? [next] : [])];
      if (all.length === 0) return;
      const first = await Promise.race<Done<R> | Next<T>>(all);
      if ("item" in first) {
        next = undefined;
        if (first.item.done) {
          isDone = true;
          continue;
        }
        const own = number++;
        const made = make(first.item.value).then((result) => ({ own, result }));
        // Awaited later; until then a failure must not count as an unhandled rejection.
        made.catch(() => {});
        running.set(own, made);
        continue;
      }
      running.delete(first.own);
      yield first.result;
    }
  } finally {
    await Promise.allSettled([...running.values(), next]);
    await items.return?.();
  }
}

interface Done<R> {
  readonly own: number;
  readonly result: R;
}

interface Next<T> {
  readonly item: IteratorResult<T, unknown>;
}

/** Groups items into lists of limited length. No item waits longer than `milliseconds`. */
export async function* batches<T>(
  source: AsyncIterable<T>,
  max: number,
  milliseconds: number,
): AsyncGenerator<readonly T[], void, undefined> {
  const items = source[Symbol.asyncIterator]();
  let portion: T[] = [];
  let until = 0;
  let next = items.next();
  const LATE = Symbol("late");
  try {
    for (;;) {
      const left = Math.max(0, until - Date.now());
      const found = await (portion.length === 0
        ? next
        : inTime(next, left, (): typeof LATE => LATE));
      if (found !== LATE) {
        if (found.done) break;
        if (portion.length === 0) until = Date.now() + milliseconds;
        portion.push(found.value);
        next = items.next();
        // If the consumer stops here, a failure must not count as an unhandled rejection.
        next.catch(() => {});
      }
      if (portion.length >= max || (portion.length > 0 && Date.now() >= until)) {
        const whole = portion;
        portion = [];
        yield whole;
      }
    }
    if (portion.length > 0) yield portion;
  } finally {
    await next.catch(() => {});
    await items.return?.();
  }
}
