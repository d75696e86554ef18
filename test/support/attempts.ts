/** How often an attack is tried: a few times in every run, as often as it takes in `npm run attack`. */
const isFull = process.env.ATTACK === "full";

/** @param short in `npm test`; @param full in `npm run attack` */
export const attempts = (short: number, full: number): number => (isFull ? full : short);

/** The same for what a test may take, in milliseconds. */
export const patience = (short: number, full = 20 * short): number => (isFull ? full : short);
