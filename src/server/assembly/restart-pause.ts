/** Starting a process again that ended by itself, and how long to wait before. */
import { setTimeout as sleep } from "node:timers/promises";

/** Milliseconds. The first time at once: mostly it was killed, and would run. */
const PAUSE = { second: 500, max: 30_000 };
/** What ran for less than that would likely end at once again. */
const STEADY = 30_000;

/** @param ran milliseconds for which it ran */
const firstPause = (ran: number): number => (ran >= STEADY ? 0 : PAUSE.second);

const longer = (pause: number): number => Math.min(Math.max(pause * 2, PAUSE.second), PAUSE.max);

export interface RestartOptions<T> {
  /** Milliseconds for which it ran. */
  readonly ran: number;
  /** Once it is not wanted any more. */
  readonly signal: AbortSignal;
  readonly start: () => Promise<T>;
  /** Hears of each time that it is going to be started. */
  readonly begins?: () => void;
  readonly failed: (error: unknown) => void;
}

/** Starts it until it is up; undefined when it is not wanted any more. */
export async function startAgain<T>(again: RestartOptions<T>): Promise<T | undefined> {
  const { signal } = again;
  for (let pause = firstPause(again.ran); ; pause = longer(pause)) {
    again.begins?.();
    await sleep(pause, undefined, { signal }).catch(() => {});
    if (signal.aborted) return undefined;
    try {
      return await again.start();
    } catch (error) {
      if (signal.aborted) return undefined;
      again.failed(error);
    }
  }
}
