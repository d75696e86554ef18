/** Chooses the reading processes to end while all of reading takes too much memory. */
import type { MemoryBudget } from "../body/memory-budget.js";
import type { ReadingProcess } from "./reading-process.js";

/** The part of the memory that others may hold while one order takes all of the rest. */
export const SPARE = 1 / 8;
/** Bytes below which ending a process gains nothing. */
const MIN_GAIN = 32 << 20;

export interface Excess {
  /** Idle processes. Ending them is tried first. */
  readonly idle: readonly ReadingProcess[];
  /** The process that takes most memory. */
  readonly largest: ReadingProcess;
  /** Whether the largest one would take too much memory by itself. */
  readonly isAlone: boolean;
}

/** Books the memory of the processes. @returns undefined if the budget is kept, or if nothing is gained */
export function memoryExcess(
  processes: readonly ReadingProcess[],
  budget: MemoryBudget,
): Excess | undefined {
  const { total } = budget;
  const sizes = processes.map((process) => ({ process, bytes: process.reader.growth }));
  const sum = sizes.reduce((all, { bytes }) => all + bytes, 0);
  budget.note("reading processes", sum);
  const [largest] = sizes.sort((a, b) => b.bytes - a.bytes);
  if (largest === undefined || largest.bytes < MIN_GAIN || budget.used <= total) return undefined;
  const idle = sizes.filter(({ process, bytes }) => process.busy === undefined && bytes > MIN_GAIN);
  return {
    idle: idle.map(({ process }) => process),
    largest: largest.process,
    isAlone: budget.used - largest.bytes < total * SPARE || largest.bytes > total,
  };
}
