import { isOnTheCloud } from "./left-out.js";

/** How often something is tried: a few times, and as often as it takes in `npm run test:long`. */
const isLong = process.env.LONG === "1";

/** @param short in `npm test` and `npm run test:slow`; @param long in `npm run test:long` */
export const attempts = <T = number>(short: T, long: T): T => (isLong ? long : short);

/** On a SolrCloud of one machine all of it takes longer: what is written goes to several replicas. */
const SLOWNESS = isOnTheCloud ? 5 : 1;

/** The same for what a test may take, in milliseconds. */
export const patience = (short: number, long = 20 * short): number =>
  (isLong ? long : short) * SLOWNESS;
