/** Rate limits of connections, set by one package and applied by another. */
import type { Writable } from "node:stream";

export interface OutputPace {
  /** Whether writes are being delayed. */
  readonly isSlow: boolean;
  /** Announces bytes before they are written. @returns resolves when they may be written; undefined: at once */
  passing(bytes: number): Promise<void> | undefined;
}

const paces = new WeakMap<Writable, () => OutputPace | undefined>();

/** The pace of a destination; undefined if it is not limited. */
export const paceOf = (out: Writable): OutputPace | undefined => paces.get(out)?.();

/** Sets the pace of a destination. @param pace called before each write, as it may change */
export function setPace(out: Writable, pace: () => OutputPace | undefined): void {
  paces.set(out, pace);
}
