/** How fast bytes may leave through a connection, decided by one package and obeyed by another. */
import type { Writable } from "node:stream";

export interface OutputPace {
  /** Whether bytes have to wait before they are written. */
  readonly isSlow: boolean;
  /** Announces bytes that are about to be written. @returns when they may be; undefined: at once */
  passing(bytes: number): Promise<void> | undefined;
}

const paces = new WeakMap<Writable, () => OutputPace | undefined>();

/** The pace of a destination; undefined where nothing slows it down. */
export const paceOf = (out: Writable): OutputPace | undefined => paces.get(out)?.();

/** Sets the pace of a destination. @param pace asked before each write, as it may change meanwhile */
export function setPace(out: Writable, pace: () => OutputPace | undefined): void {
  paces.set(out, pace);
}
