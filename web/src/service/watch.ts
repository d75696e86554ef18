/** Looks for a service that went away, with growing pauses, until it is back. */
import { effect, signal } from "@preact/signals";
import { connected, reached } from "./connection.js";
import { addressOf } from "./request.js";

/** Seconds between two tries: the first ones find a service that was only started again, the last ones do not flood it. */
const PAUSES = [1, 2, 3, 5, 8, 13, 20, 30];
/** Milliseconds after which a try has failed. */
const PATIENCE = 8000;

/** Seconds until the next try; undefined where there is nothing to look for. */
export const nextTry = signal<number | undefined>(undefined);

let stop: AbortController | undefined;
let hurry: (() => void) | undefined;

/** Tries at once, rather than after the pause. */
export const tryNow = (): void => hurry?.();

/** Begins to watch; called once. */
export function watchConnection(): void {
  effect(() => {
    if (connected.value) {
      stop?.abort();
      stop = undefined;
      nextTry.value = undefined;
    } else if (stop === undefined) {
      stop = new AbortController();
      void look(stop.signal);
    }
  });
  // A laptop that was opened, a network that is there again: that is not waited for.
  addEventListener("online", tryNow);
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") tryNow();
  });
}

async function look(over: AbortSignal): Promise<void> {
  for (let tries = 0; !over.aborted; tries++) {
    await countDown(PAUSES[Math.min(tries, PAUSES.length - 1)] ?? 30, over);
    if (over.aborted) return;
    if (await answers()) reached();
  }
}

async function answers(): Promise<boolean> {
  try {
    // A proxy whose service is away answers, too, but not well.
    const options = { cache: "no-store", signal: AbortSignal.timeout(PATIENCE) } as const;
    return (await fetch(addressOf("/ping"), options)).ok;
  } catch {
    return false;
  }
}

/** Waits for so many seconds, telling how many are left, or until somebody is in a hurry. */
async function countDown(seconds: number, over: AbortSignal): Promise<void> {
  const hurried = new Promise<true>((resolve) => {
    hurry = () => resolve(true);
  });
  for (let left = seconds; left > 0 && !over.aborted; left--) {
    nextTry.value = left;
    const second = new Promise<false>((resolve) => setTimeout(() => resolve(false), 1000));
    if (await Promise.race([second, hurried])) break;
  }
}
