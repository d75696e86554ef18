/** Puts files in order along the joining axis, and decides which of their steps are used. */
import { JoinRefused } from "../../errors.js";

/** A file and its times, in milliseconds of its calendar. */
interface TimedFile {
  readonly name: string;
  readonly times: Float64Array;
}

/** Steps `from` to before `to` of a file. */
interface Segment<F> {
  readonly file: F;
  readonly from: number;
  readonly to: number;
}

/** Steps that two files have in common. */
export interface Overlap<F> {
  readonly kept: F;
  readonly cut: F;
  /** Number of shared steps; all steps of `cut` if it is a copy or lies within the other. */
  readonly steps: number;
  readonly isWhole: boolean;
}

interface Ordered<F> {
  readonly segments: readonly Segment<F>[];
  readonly overlaps: readonly Overlap<F>[];
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
 * Orders files by their first time, and drops steps that a file shares with others. Of files that share steps the longest
 * keeps them, of equally long ones the first in the list.
 *
 * @throws JoinRefused if times do not increase, or if files interleave
 */
export function inOrder<F extends TimedFile>(files: readonly F[]): Ordered<F> {
  for (const file of files) requireIncreasing(file);
  const first = ({ times }: F): number => times[0] ?? 0;
  const sorted = files
    .filter(({ times }) => times.length > 0)
    .sort((a, b) => first(a) - first(b) || b.times.length - a.times.length);
  const segments: Segment<F>[] = [];
  const overlaps: Overlap<F>[] = [];
  for (const file of sorted) {
    const shared = sharedSteps(segments, file);
    const steps = shared.reduce((sum, one) => sum + one.steps, 0);
    const isWhole = steps === file.times.length;
    const isKept =
      !isWhole && shared.every(({ segment }) => segment.file.times.length < file.times.length);
    for (const one of shared) {
      const other = one.segment.file;
      const [kept, cut] = isKept ? [file, other] : [other, file];
      overlaps.push({
        kept,
        cut,
        steps: one.steps,
        isWhole: one.steps === cut.times.length,
      });
      if (isKept) segments.pop();
    }
    const [earliest] = shared;
    if (isKept && earliest !== undefined && earliest.at > earliest.segment.from)
      segments.push({ ...earliest.segment, to: earliest.at });
    const from = isKept ? 0 : steps;
    if (from < file.times.length) segments.push({ file, from, to: file.times.length });
  }
  const empty = files.filter(({ times }) => times.length === 0).map(({ name }) => name);
  return { segments, overlaps, empty };
}

interface Shared<F> {
  readonly segment: Segment<F>;
  /** Index of the first shared step in the segment's file. */
  readonly at: number;
  readonly steps: number;
}

/**
 * The last segments that share steps with a file, which begins after the first of each. They must be the same times in both.
 *
 * @throws JoinRefused
 */
function sharedSteps<F extends TimedFile>(segments: readonly Segment<F>[], file: F): Shared<F>[] {
  const wanted = (file.times[0] ?? 0) - SAME;
  const shared: Shared<F>[] = [];
  for (let i = segments.length - 1; i >= 0; i--) {
    const segment = segments[i];
    if (segment === undefined) break;
    const { times } = segment.file;
    const at = firstWhere(segment.from, segment.to, (step) => (times[step] ?? 0) >= wanted);
    if (at === segment.to) break;
    shared.unshift({ segment, at, steps: segment.to - at });
  }
  let step = 0;
  return shared.flatMap((one) => {
    const { segment, at } = one;
    const steps = Math.min(one.steps, file.times.length - step);
    for (let i = 0; i < steps; i++, step++) {
      const gap = (segment.file.times[at + i] ?? 0) - (file.times[step] ?? 0);
      if (Math.abs(gap) <= SAME) continue;
      throw new JoinRefused(
        `The times of ${segment.file.name} and ${file.name} interleave: they cover the same period with different steps.`,
      );
    }
    return steps > 0 ? [{ ...one, steps }] : [];
  });
}

/** The first index from `low` to before `high` for which something holds that holds for all after it too; `high` if there is none. */
export function firstWhere(low: number, high: number, holds: (index: number) => boolean): number {
  let [from, to] = [low, high];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (holds(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
}

/** A longer step than usual: the index after it, and both lengths in milliseconds. */
interface Gap {
  readonly before: number;
  readonly milliseconds: number;
  readonly usual: number;
}

/** Reported gaps. */
const MAX_GAPS = 100;
/** A step longer than this multiple of the usual step is a gap. Months differ by a tenth. */
const LONG = 1.5;

/** @param times of the whole axis */
export function gapsIn(times: Float64Array): Gap[] {
  const steps = new Float64Array(Math.max(0, times.length - 1));
  for (let i = 0; i < steps.length; i++) steps[i] = (times[i + 1] ?? 0) - (times[i] ?? 0);
  const usual = steps.slice().sort()[Math.floor(steps.length / 2)] ?? 0;
  const gaps: Gap[] = [];
  for (let i = 0; i < steps.length && gaps.length < MAX_GAPS; i++) {
    const milliseconds = steps[i] ?? 0;
    if (milliseconds <= usual * LONG) continue;
    gaps.push({ before: i + 1, milliseconds, usual });
  }
  return gaps;
}
