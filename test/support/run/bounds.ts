/** Bounds of time and of memory, which only a quiet machine keeps: `npm run test:slow` holds them, `npm test` does not. */
import { expect } from "vitest";

export const isHeld = process.env.BOUNDS === "1";

/**
 * What a machine that is busy adds to a bound, in milliseconds: ten times what its slowest answer without work took.
 *
 * @param pings milliseconds of such answers, from the time that is measured
 */
export const byBusyness = (pings: readonly number[]): number => 10 * Math.max(0, ...pings);

/** @param measured milliseconds or bytes; @param said what failed, where the numbers do not tell */
export function expectBelow(measured: number | undefined, bound: number, said?: string): void {
  if (isHeld) expect(measured, said).toBeLessThan(bound);
}

/** Waits until something holds. @param bound milliseconds that it may take */
export async function expectWithin(bound: number, holds: () => Promise<boolean>): Promise<void> {
  const begin = performance.now();
  await expect.poll(holds, { interval: 100 }).toBe(true);
  expectBelow(performance.now() - begin, bound);
}
