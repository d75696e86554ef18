/** Clocks: what is signed here is believed elsewhere for as long as the clocks agree. */
import { type Finding, type Probe, together } from "./probe.js";

/** Seconds by which clocks may differ; the tokens of an outside provider are taken with as many. */
const TOLERANCE = 5;
/** From so many on tokens of one machine are refused by another for a large part of their life. */
const MAX_DIFFERENCE = 60;
/** Milliseconds for which it is told that this machine's clock was set. */
const REPORTED_FOR = 10 * 60_000;

/** A clock somewhere else. */
export interface OtherClock {
  /** As it stands in a sentence for everybody. */
  readonly label: string;
  /** For who runs the service. */
  readonly detail: string;
  /** Milliseconds since 1970; undefined where it cannot be told. */
  now(signal: AbortSignal): Promise<number | undefined>;
}

const ADVICE =
  "Have all machines follow the same time servers (`chronyc tracking`, `timedatectl`); tokens and shares depend on it.";

const seconds = (milliseconds: number): string => {
  const value = Math.round(Math.abs(milliseconds) / 1000);
  return value === 1 ? "1 second" : `${value.toLocaleString("en")} seconds`;
};

/** @param clock milliseconds since 1970; @param steady milliseconds by a clock that nobody sets */
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
    // It is some moment between the question and the answer.
    const difference = Math.max(theirs - after, before - theirs, 0);
    const ahead = theirs > after ? "ahead of" : "behind";
    const detail = `${one.detail} is ${seconds(difference)} ${ahead} this machine`;
    if (difference <= TOLERANCE * 1000) return { state: "ok", says: "The clocks agree." };
    const state = difference > MAX_DIFFERENCE * 1000 ? "failed" : "warning";
    const says = `The clock of ${one.label} differs by ${seconds(difference)}.`;
    return { state, says, detail, advice: ADVICE };
  };

  return {
    ...{ name: "clock", isPublic: true, ttl: 2500, timeout: 3000 },
    late: { state: "unknown", says: "The clocks could not be compared." },
    inspect: async (signal) => {
      const soon = AbortSignal.any([signal, AbortSignal.timeout(2000)]);
      const findings = await Promise.all(others.map((one) => otherClock(one, soon)));
      return together([ownClock(), ...findings]);
    },
  };
}
