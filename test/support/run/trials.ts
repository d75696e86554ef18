/** How often something is tried, by which chance, and for how long. */
import { TestRunner } from "vitest";
import { isOnTheCloud } from "./left-out.js";

/** This run's seed: another in every run, told at the end of one that fails, and taken again as SEED=... */
export const SEED = Number(process.env.SEED);

/** Repeatable chance (mulberry32). */
export function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** How often something is tried: a few times, and as often as it takes in `npm run test:long`. */
const isLong = process.env.LONG === "1";

/** @param short in `npm test` and `npm run test:slow`; @param long in `npm run test:long` */
export const attempts = <T = number>(short: T, long: T): T => (isLong ? long : short);

/** On a SolrCloud of one machine all of it takes longer: what is written goes to several replicas. */
const SLOWNESS = isOnTheCloud ? 5 : 1;

/** Less would end a test that only a busy machine delays; see testTimeout in vitest.config.ts. */
const LEAST = 240_000;

/** What a test may take before it is taken for one that hangs, in milliseconds. It is no bound: expectBelow is. */
export const patience = (short: number, long = 20 * short): number =>
  Math.max(isLong ? long : short, LEAST) * SLOWNESS;

/** What something may take that a SolrCloud delays, and more work in `npm run test:long`, in milliseconds: a bound. */
export const allowed = (short: number, long = 20 * short): number =>
  (isLong ? long : short) * SLOWNESS;

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
