/** Trials of tests: their number, their random values and their time. */
import { TestRunner } from "vitest";
import { isHeld } from "./bounds.js";
import { isOnTheCloud } from "./left-out.js";

/** The seed of this run. A run that fails prints it, and `SEED=...` repeats that run. */
export const SEED = Number(process.env.SEED);

/** Gives a function of random numbers from 0 to 1, the same ones for the same seed (mulberry32). */
export function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const isLong = process.env.LONG === "1";
/** So few trials are not halved: each tries something of its own. */
const FEW = 20;
/** Whether this is `npm test`. */
const isShort = !isHeld && process.env.SUITE === "quick";

/**
 * The number of trials.
 *
 * @param short in `npm run test:slow`, which draws them anew each time; `npm test`, which always draws the same, has half of them
 * @param long in `npm run test:long`
 */
export function attempts<T = number>(short: T, long: T): T;
export function attempts(short: unknown, long: unknown): unknown {
  if (isLong) return long;
  return typeof short === "number" && short >= FEW && isShort ? Math.ceil(short / 2) : short;
}

/** A SolrCloud on one machine is slower: each write goes to several replicas. */
const SLOWNESS = isOnTheCloud ? 5 : 1;

/** A shorter time would end a test that only a busy machine delays; see testTimeout in vitest.config.ts. */
const LEAST = 240_000;

/** Milliseconds after which a test counts as hanging. This is no bound: expectBelow is. */
export const patience = (short: number, long = 20 * short): number =>
  Math.max(isLong ? long : short, LEAST) * SLOWNESS;

/** A bound in milliseconds, longer on a SolrCloud and for the work of `npm run test:long`. */
export const allowed = (short: number, long = 20 * short): number =>
  (isLong ? long : short) * SLOWNESS;

declare module "vitest" {
  interface TaskMeta {
    /** The number of trials of this test; left out: 1. */
    tried?: number;
    /** The number of trials in which the guarantee held. */
    held?: number;
  }
}

/**
 * Counts the trials of the running test, for `npm run trust`. Called before the last assertion, so that a test that fails
 * also reports how often its guarantee did not hold.
 *
 * @param held the number of trials in which it held
 */
export function tried(attempts: number, held = attempts): void {
  const meta = TestRunner.getCurrentTest()?.meta;
  if (meta === undefined) throw new Error("tried() is for tests");
  meta.tried = (meta.tried ?? 0) + attempts;
  meta.held = (meta.held ?? 0) + held;
}
