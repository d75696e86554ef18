/** Rate limits of connections, set by one package and applied by another. */
import type { Writable } from "node:stream";

export interface OutputPace {
  /** Whether writes are being delayed. */
  readonly isSlow: boolean;
  /** Announces bytes before they are written. @returns resolves when they may be written; undefined: at once */
  passing(bytes: number): Promise<void> | undefined;
}

const PACE = Symbol("pace");

/**
 * The pace is a property of the destination. In a WeakMap, whose values the garbage collector keeps when it collects young objects,
 * each answer would live on until a collection of all objects.
 */
type Paced = Writable & { [PACE]?: () => OutputPace | undefined };

/** The pace of a destination; undefined if it is not limited. */
export const paceOf = (out: Paced): OutputPace | undefined => out[PACE]?.();

/** Sets the pace of a destination. @param pace called before each write, as it may change */
export function setPace(out: Paced, pace: () => OutputPace | undefined): void {
  out[PACE] = pace;
}
