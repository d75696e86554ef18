/** Counts the entries of the cart again: the catalogue may change after they were added. */
import { signal } from "@preact/signals";
import { Refused } from "../service/problem.js";
import { getJson } from "../service/request.js";
import { type CartItem, itemKey } from "./item.js";

interface Measure {
  readonly files: number;
  /** Bytes of the files whose size is known. */
  readonly bytes: number;
}

/** Requests at once. */
const MAX_CONCURRENT = 4;

/** Counts since the page was opened, by entry key. */
export const counted = signal<ReadonlyMap<string, Measure>>(new Map());

export async function measure(item: CartItem, signal: AbortSignal): Promise<Measure> {
  const { files, bytes } = await getJson("/databrowser/summary/{flavour}/{uniq_key}", {
    in: { flavour: item.flavour, uniq_key: "file" },
    query: item.pairs,
    signal,
  });
  const found = { files, bytes };
  counted.value = new Map(counted.value).set(itemKey(item), found);
  return found;
}

/**
 * Counts all entries, some at a time, and waits where the service answers 429. The first error ends it.
 *
 * @param onDone receives the number counted so far
 * @returns how many entries match nothing.
 * @throws as getJson
 */
export async function countNow(
  items: readonly CartItem[],
  stop: AbortSignal,
  onDone: (done: number) => void,
): Promise<number> {
  const open = [...items];
  let [done, gone, isOver] = [0, 0, false];
  const work = async (): Promise<void> => {
    for (let item = open.shift(); item !== undefined; item = open.shift()) {
      const { files } = await measureWithRetry(item, stop);
      // The caller has the error of another entry.
      if (isOver) return;
      if (files === 0) gone += 1;
      done += 1;
      onDone(done);
    }
  };
  try {
    await Promise.all(Array.from({ length: MAX_CONCURRENT }, work));
  } finally {
    isOver = true;
  }
  return gone;
}

async function measureWithRetry(item: CartItem, stop: AbortSignal): Promise<Measure> {
  for (;;) {
    try {
      return await measure(item, stop);
    } catch (error) {
      const pause = error instanceof Refused ? error.retryAfter : undefined;
      if (pause === undefined) throw error;
      await new Promise((resolve) => setTimeout(resolve, pause * 1000));
      stop.throwIfAborted();
    }
  }
}
