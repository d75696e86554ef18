/** Long lists, worked on part by part. */
import { setImmediate as turn } from "node:timers/promises";

/** Entries in one slice, which takes some milliseconds. */
export const SLICE = 250;

/** The items in lists of at most `size`, in their order. */
export function* batchesOf<T>(items: readonly T[], size: number): Generator<T[], void, undefined> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size);
}

/**
 * Maps a long list in slices. Between two slices, the service handles other requests.
 *
 * @param make gets an item and its index
 */
export async function mapInSlices<T, R>(
  items: readonly T[],
  make: (item: T, index: number) => R | Promise<R>,
): Promise<R[]> {
  const made: R[] = [];
  for (let from = 0; from < items.length; from += SLICE) {
    for (let at = from; at < Math.min(from + SLICE, items.length); at += 1) {
      made.push(await make(items[at] as T, at));
    }
    if (from + SLICE < items.length) await turn();
  }
  return made;
}
