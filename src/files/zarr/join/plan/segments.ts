/** Puts files in order along the joining axis, and decides which of their steps are used. */
import { JoinRefused } from "../../errors.js";

/** A file and its times, in milliseconds of its calendar. */
export interface TimedFile {
  readonly name: string;
  readonly times: Float64Array;
}

/** Steps `from` to before `to` of a file. */
export interface Segment<F> {
  readonly file: F;
  readonly from: number;
  readonly to: number;
}

/** Steps that two files have in common. */
export interface Overlap {
  readonly kept: string;
  readonly cut: string;
  /** Number of shared steps; all steps of `cut` if it is a copy or lies within the other. */
  readonly steps: number;
  readonly isWhole: boolean;
}

export interface Ordered<F> {
  readonly segments: readonly Segment<F>[];
  readonly overlaps: readonly Overlap[];
  /** Files without any step. */
  readonly empty: readonly string[];
}

/** Milliseconds up to which two times are the same. */
const SAME = 0.5;

/** @throws JoinRefused if a file's times do not increase */
function requireIncreasing({ name, times }: TimedFile): void {
  for (let i = 1; i < times.length; i++) {
    if ((times[i] ?? 0) - (times[i - 1] ?? 0) > SAME) continue;
    throw new JoinRefused(
      `The times of ${name} do not increase: step ${i} is not after step ${i - 1}.`,
    );
  }
}

/**
 * Orders files by their first time, and drops steps that a file shares with another. Of two files that share steps the
 * longer one keeps them, of equally long ones the first in the list.
 *
 * @throws JoinRefused if times do not increase, or if two files interleave
 */
export function inOrder<F extends TimedFile>(files: readonly F[]): Ordered<F> {
  for (const file of files) requireIncreasing(file);
  const first = ({ times }: F): number => times[0] ?? 0;
  const sorted = files
    .filter(({ times }) => times.length > 0)
    .sort((a, b) => first(a) - first(b) || b.times.length - a.times.length);
  const segments: { file: F; from: number; to: number }[] = [];
  const overlaps: Overlap[] = [];
  for (const file of sorted) {
    let from = 0;
    for (let last = segments.at(-1); last !== undefined; last = segments.at(-1)) {
      const end = last.file.times[last.to - 1] ?? 0;
      if ((file.times[from] ?? Number.POSITIVE_INFINITY) - end > SAME) break;
      const shared = sharedSteps(last.file, last, file, from);
      const isWhole = from + shared.steps >= file.times.length;
      const keepsLast = isWhole || last.file.times.length >= file.times.length;
      const [kept, cut] = keepsLast ? [last.file, file] : [file, last.file];
      overlaps.push({ kept: kept.name, cut: cut.name, steps: shared.steps, isWhole });
      if (keepsLast) {
        from += shared.steps;
        break;
      }
      if (shared.at > last.from) {
        last.to = shared.at;
        break;
      }
      segments.pop();
    }
    if (from < file.times.length) segments.push({ file, from, to: file.times.length });
  }
  const empty = files.filter(({ times }) => times.length === 0).map(({ name }) => name);
  return { segments, overlaps, empty };
}

/**
 * The steps that a file shares with the end of another. They must be the same times in both.
 *
 * @returns their number, and the index of the first one in the earlier file
 * @throws JoinRefused
 */
function sharedSteps(
  earlier: TimedFile,
  { from: start, to: end }: { readonly from: number; readonly to: number },
  later: TimedFile,
  from: number,
): { readonly steps: number; readonly at: number } {
  const wanted = later.times[from] ?? 0;
  let at = end;
  while (at > start && (earlier.times[at - 1] ?? 0) >= wanted - SAME) at -= 1;
  const steps = Math.min(end - at, later.times.length - from);
  for (let i = 0; i < steps; i++) {
    const gap = (earlier.times[at + i] ?? 0) - (later.times[from + i] ?? 0);
    if (Math.abs(gap) <= SAME) continue;
    throw new JoinRefused(
      `The times of ${earlier.name} and ${later.name} interleave: they cover the same period with different steps.`,
    );
  }
  return { steps, at };
}

/** A longer step than usual: the index after it, and the length in milliseconds. */
export interface Gap {
  readonly before: number;
  readonly milliseconds: number;
}

/** Reported gaps. */
const MAX_GAPS = 100;
/** A step longer than this multiple of the usual step is a gap. Months differ by a tenth. */
const LONG = 1.5;

/** @param times of the whole axis */
export function gapsIn(times: Float64Array): Gap[] {
  const steps = new Float64Array(Math.max(0, times.length - 1)).map(
    (_, i) => (times[i + 1] ?? 0) - (times[i] ?? 0),
  );
  const usual = steps.slice().sort()[Math.floor(steps.length / 2)] ?? 0;
  const gaps: Gap[] = [];
  for (const [i, milliseconds] of steps.entries()) {
    if (milliseconds <= usual * LONG) continue;
    if (gaps.length === MAX_GAPS) break;
    gaps.push({ before: i + 1, milliseconds });
  }
  return gaps;
}
