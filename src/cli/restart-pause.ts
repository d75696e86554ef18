/** How long to wait before a process that ended by itself is started again. */

/** Milliseconds. The first time at once: mostly it was killed, and would run. */
const PAUSE = { second: 500, most: 30_000 };
/** What ran for less than that would likely end at once again. */
const STEADY = 30_000;

/** @param ran milliseconds for which it ran */
export const firstPause = (ran: number): number => (ran >= STEADY ? 0 : PAUSE.second);

export const longer = (pause: number): number =>
  Math.min(Math.max(pause * 2, PAUSE.second), PAUSE.most);
