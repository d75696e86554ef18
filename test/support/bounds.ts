/** Bounds of time and of memory, which only a quiet machine keeps: `npm run test:slow` holds them, `npm test` does not. */
import { expect } from "vitest";

const areHeld = process.env.BOUNDS === "1";

/** @param measured milliseconds or bytes; @param said what failed, where the numbers do not tell */
export function expectBelow(measured: number | undefined, bound: number, said?: string): void {
  if (areHeld) expect(measured, said).toBeLessThan(bound);
}
