/** Probes clocks: tokens are accepted elsewhere only while the clocks agree. */
import { type Finding, type Probe, together } from "./probe.js";

/** Seconds by which clocks may differ, as for the tokens of an outside provider. */
const TOLERANCE = 5;
/** Seconds of difference from which other machines refuse tokens for much of their lifetime. */
const MAX_DIFFERENCE = 60;
/** Milliseconds for which a jump of this machine's clock is reported. */
const REPORTED_FOR = 10 * 60_000;

/** The clock of another machine. */
export interface OtherClock {
  /** Name in public sentences. */
  readonly label: string;
  /** For the operator. */
  readonly detail: string;
  /** Milliseconds since 1970; undefined if not available. */
  now(signal: AbortSignal): Promise<number | undefined>;
}

const ADVICE =
  "Have all machines follow the same time servers (`chronyc tracking`, `timedatectl`); tokens and shares depend on it.";

const seconds = (milliseconds: number): string => {
  const value = Math.round(Math.abs(milliseconds) / 1000);
  return value === 1 ? "1 second" : `${value.toLocaleString("en")} seconds`;
};

/** @param clock milliseconds since 1970; @param steady milliseconds of a monotonic clock */
export function clocks(
  others: readonly OtherClock[],
  clock: () => number = Date.now,
  steady: () => number = () => performance.now(),
): Probe {
  let offset = clock() - steady();
  let jump: { readonly by: number; readonly at: number } | undefined;

  const ownClock = (): Finding => {
    const now = clock() - steady();
    if (Math.abs(now - offset) > TOLERANCE * 1000) jump = { by: now - offset, at: steady() };
    offset = now;
    if (jump === undefined || steady() - jump.at > REPORTED_FOR) {
      return { state: "ok", says: "The clocks agree." };
    }
    const way = jump.by > 0 ? "forward" : "back";
    const says = `The clock of the service was set ${way} by ${seconds(jump.by)}.`;
    const detail = `this machine, ${Math.round((steady() - jump.at) / 1000)} s ago at the latest`;
    return { state: "warning", says, detail, advice: ADVICE };
  };

  const otherClock = async (one: OtherClock, signal: AbortSignal): Promise<Finding> => {
    const before = clock();
    const theirs = await one.now(signal).catch(() => undefined);
    const after = clock();
    if (theirs === undefined) return { state: "ok", says: "The clocks agree." };
    // The other clock was read between the request and the answer.
    const difference = Math.max(theirs - after, before - theirs, 0);
    const ahead = theirs > after ? "ahead of" : "behind";
    const detail = `${one.detail} is ${seconds(difference)} ${ahead} this machine`;
    if (difference <= TOLERANCE * 1000) return { state: "ok", says: "The clocks agree." };
    const state = difference > MAX_DIFFERENCE * 1000 ? "failed" : "warning";
    const says = `The clock of ${one.label} differs by ${seconds(difference)}.`;
    return { state, says, detail, advice: ADVICE };
  };

  return {
    name: "clock",
    isPublic: true,
    ttl: 2500,
    timeout: 3000,
    late: { state: "unknown", says: "The clocks could not be compared." },
    inspect: async (signal) => {
      const soon = AbortSignal.any([signal, AbortSignal.timeout(2000)]);
      const findings = await Promise.all(others.map((one) => otherClock(one, soon)));
      return together([ownClock(), ...findings]);
    },
  };
}
