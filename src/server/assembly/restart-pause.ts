/** Restarts a process that ended by itself, with growing pauses. */
import { setTimeout as sleep } from "node:timers/promises";

/** Milliseconds. The first restart is immediate: a killed process usually runs again. */
const PAUSE = { second: 500, max: 30_000 };
/** Milliseconds. A process that ran for less is likely to fail again at once. */
const STEADY = 30_000;

const longer = (pause: number): number => Math.min(Math.max(pause * 2, PAUSE.second), PAUSE.max);

interface RestartOptions<T> {
  /** Milliseconds that the process ran. */
  readonly ran: number;
  /** Aborts when the process is not needed. */
  readonly signal: AbortSignal;
  readonly start: () => Promise<T>;
  readonly begins?: () => void;
  readonly failed: (error: unknown) => void;
}

/** Starts the process until it is up; undefined if aborted. */
export async function startAgain<T>(again: RestartOptions<T>): Promise<T | undefined> {
  const { signal } = again;
  for (let pause = again.ran >= STEADY ? 0 : PAUSE.second; ; pause = longer(pause)) {
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
