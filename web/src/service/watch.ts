/** Retries a lost service, with growing pauses, until it answers. */
import { effect, signal } from "@preact/signals";
import { connected, reached } from "./connection.js";
import { addressOf } from "./request.js";

/** Seconds between tries: the first suit a restart, the last avoid flooding the service. */
const PAUSES = [1, 2, 3, 5, 8, 13, 20, 30];
/** Milliseconds. */
const TIMEOUT = 8000;

/** Seconds until the next try; undefined if the service answers. */
export const nextTry = signal<number | undefined>(undefined);

let stop: AbortController | undefined;
let skipPause: (() => void) | undefined;

export const tryNow = (): void => skipPause?.();

/** Called once. */
export function watchConnection(): void {
  effect(() => {
    if (connected.value) {
      stop?.abort();
      stop = undefined;
      nextTry.value = undefined;
    } else if (stop === undefined) {
      stop = new AbortController();
      void retryUntilBack(stop.signal);
    }
  });
  // Retries at once when a laptop wakes up or the network returns.
  addEventListener("online", tryNow);
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") tryNow();
  });
}

async function retryUntilBack(over: AbortSignal): Promise<void> {
  for (let tries = 0; !over.aborted; tries++) {
    await countDown(PAUSES[Math.min(tries, PAUSES.length - 1)] ?? 30, over);
    if (over.aborted) return;
    if (await answers()) reached();
  }
}

async function answers(): Promise<boolean> {
  try {
    // A proxy whose service is down answers too, with an error.
    const options = { cache: "no-store", signal: AbortSignal.timeout(TIMEOUT) } as const;
    return (await fetch(addressOf("/ping"), options)).ok;
  } catch {
    return false;
  }
}

/** Counts down, until the time is over or tryNow is called. */
async function countDown(seconds: number, over: AbortSignal): Promise<void> {
  const skipped = new Promise<true>((resolve) => {
    skipPause = () => resolve(true);
  });
  for (let left = seconds; left > 0 && !over.aborted; left--) {
    nextTry.value = left;
    const second = new Promise<false>((resolve) => setTimeout(() => resolve(false), 1000));
    if (await Promise.race([second, skipped])) break;
  }
}
