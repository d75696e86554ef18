/** Long work, done part by part, so that the process answers others in between. */

/** Entries in one slice, which takes some milliseconds. */
export const SLICE = 250;
/** Milliseconds of work before others get their turn. */
const SLICE_MS = 8;

/** The work that waits for its turn, in order. */
const waiting: (() => void)[] = [];

/**
 * Waits until the event loop has handled other events. One piece of work continues per iteration of the loop: with
 * `setImmediate` alone, all that wait would continue in the same iteration, and their slices would add up.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(continueOne);
  });
}

function continueOne(): void {
  // The continuation is a microtask: it runs after this callback, and may wait again at the end of the line.
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(continueOne);
}

/** Limits how long work goes on: `if (slice.isOver) await slice.next();`. */
export class TimeSlice {
  #begun = performance.now();

  get isOver(): boolean {
    return performance.now() - this.#begun >= SLICE_MS;
  }

  /** Waits for the next turn, with which a new slice begins. */
  async next(): Promise<void> {
    await nextTurn();
    this.#begun = performance.now();
  }
}

/** The items in lists of at most `size`, in their order. */
export function* batchesOf<T>(items: readonly T[], size: number): Generator<T[], void, undefined> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size);
}

/** Does work on each item of a list that may be very long, in slices. */
export async function eachInSlices<T>(
  items: ArrayLike<T>,
  work: (item: T, index: number) => void,
): Promise<void> {
  const slice = new TimeSlice();
  for (let from = 0; from < items.length; from += SLICE) {
    const end = Math.min(from + SLICE, items.length);
    for (let i = from; i < end; i++) work(items[i] as T, i);
    if (slice.isOver) await slice.next();
  }
}

/** Maps a long list in slices. Between two slices, the service handles other requests. */
export async function mapInSlices<T, R>(
  items: readonly T[],
  make: (item: T, index: number) => R | Promise<R>,
): Promise<R[]> {
  const made: R[] = [];
  const slice = new TimeSlice();
  for (const [index, item] of items.entries()) {
    const result = make(item, index);
    made.push(result instanceof Promise ? await result : result);
    const isFull = (index + 1) % SLICE === 0 && index + 1 < items.length;
    if (isFull || slice.isOver) await slice.next();
  }
  return made;
}

/** Items that are sorted at once. */
const SORTED_AT_ONCE = 5000;

type Compare<T> = (a: T, b: T) => number;

/** By code unit, whatever the locale. */
const byText: Compare<string> = (a, b) => {
  if (a === b) return 0;
  return a < b ? -1 : 1;
};

/** Texts sorted by code unit, in slices. */
export const textsInOrder = (texts: Iterable<string>): Promise<string[]> =>
  sortedInSlices(texts, byText);

/** Sorts in slices. Equal items keep their order. */
export async function sortedInSlices<T>(items: Iterable<T>, compare: Compare<T>): Promise<T[]> {
  const slice = new TimeSlice();
  const pause = async (): Promise<void> => {
    if (slice.isOver) await slice.next();
  };
  let runs: T[][] = [];
  for (const run of batchesOf([...items], SORTED_AT_ONCE)) {
    runs.push(run.sort(compare));
    await pause();
  }
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (const [one = [], other] of batchesOf(runs, 2)) {
      merged.push(other === undefined ? one : await mergedRuns(one, other, compare, pause));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

async function mergedRuns<T>(
  one: readonly T[],
  other: readonly T[],
  compare: Compare<T>,
  pause: () => Promise<void>,
): Promise<T[]> {
  const merged: T[] = [];
  let [at, next] = [0, 0];
  while (at < one.length || next < other.length) {
    const isFirst =
      next === other.length || (at < one.length && compare(one[at] as T, other[next] as T) <= 0);
    if (isFirst) {
      merged.push(one[at] as T);
      at += 1;
    } else {
      merged.push(other[next] as T);
      next += 1;
    }
    if (merged.length % SORTED_AT_ONCE === 0) await pause();
  }
  return merged;
}
