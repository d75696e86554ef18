import { isOnTheCloud } from "./left-out.js";

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
