import { TestRunner } from "vitest";

declare module "vitest" {
  interface TaskMeta {
    /** How often this test has tried what it shows; once where it does not say. */
    tried?: number;
    /** In how many of these it held. */
    held?: number;
  }
}

/**
 * Counts what the running test has tried, for `npm run trust`. Said before the last assertion, so that a test that fails
 * tells how often it did not hold.
 *
 * @param held in how many of them what must hold did
 */
export function tried(attempts: number, held = attempts): void {
  const meta = TestRunner.getCurrentTest()?.meta;
  if (meta === undefined) throw new Error("tried() is for tests");
  meta.tried = (meta.tried ?? 0) + attempts;
  meta.held = (meta.held ?? 0) + held;
}
