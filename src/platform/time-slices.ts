/** Long lists, worked on part by part. */
import { setImmediate as turn } from "node:timers/promises";

/** Entries that are worked on before others get their turn: some milliseconds. */
export const SLICE = 250;

/** The items in lists of at most `size`, in their order. */
export function* batchesOf<T>(items: readonly T[], size: number): Generator<T[], void, undefined> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size);
}

/**
 * What is made of each of many items, in slices, between which the service answers its other callers.
 *
 * @param make gets an item and its place
 */
export async function mapInTurns<T, R>(
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
