/** The periods of a dataset's files: what they cover together, and where they overlap. */
import { DAY, SECOND } from "../extent/durations.js";
import { type Step, stepOf } from "../extent/frequency-step.js";
import { type Interval, intervalOf, united } from "../extent/intervals.js";

interface FilePeriod {
  /** As stated in the file. */
  readonly stated: Interval;
  /** Widened to whole steps of its frequency. */
  readonly whole: Interval;
}

/** Bound of the cache of parsed periods. */
const MAX_CACHED = 10_000;

/** Reads periods of files and caches them: the files of a dataset share few texts. */
export class PeriodReader {
  readonly #cache = new Map<string, FilePeriod | undefined>();

  /** @returns undefined for unreadable text */
  read(range: unknown, frequencies: readonly string[]): FilePeriod | undefined {
    if (typeof range !== "string") return undefined;
    const key = frequencies.length === 0 ? range : JSON.stringify([range, ...frequencies]);
    if (this.#cache.has(key)) return this.#cache.get(key);
    const stated = intervalOf(range);
    const period = stated && { stated, whole: wholeSteps(stated, frequencies) };
    if (this.#cache.size >= MAX_CACHED) this.#cache.clear();
    this.#cache.set(key, period);
    return period;
  }
}

/** The periods of one dataset. */
export class FilePeriods {
  readonly #all = new Set<FilePeriod>();
  /** By kind: how many files have each period. */
  readonly #byKind = new Map<string, Map<FilePeriod, number>>();

  /** @param kind equal for files that differ only in their period */
  add(period: FilePeriod, kind: string): void {
    this.#all.add(period);
    const known = this.#byKind.get(kind);
    if (known === undefined) this.#byKind.set(kind, new Map([[period, 1]]));
    else known.set(period, (known.get(period) ?? 0) + 1);
  }

  /** The covered intervals, in order. Files whose whole steps adjoin count as continuous. */
  covered(): Interval[] {
    const sorted = [...this.#all].sort((a, b) => (a.whole.start < b.whole.start ? -1 : 1));
    const found: { start: number; end: number; reached: number }[] = [];
    for (const { stated, whole } of sorted) {
      const last = found.at(-1);
      if (last === undefined || whole.start > last.reached) {
        found.push({ ...stated, reached: whole.end });
        continue;
      }
      last.start = Math.min(last.start, stated.start);
      last.end = Math.max(last.end, stated.end);
      last.reached = Math.max(last.reached, whole.end);
    }
    return found.map(({ start, end }) => ({ start, end }));
  }

  /** The periods in which files of the same kind overlap. A shared boundary of up to one second does not count. */
  overlaps(): Interval[] {
    return united([...this.#byKind.values()].flatMap(shared));
  }
}

function shared(periods: ReadonlyMap<FilePeriod, number>): Interval[] {
  const sorted = [...periods].sort(([a], [b]) => (a.stated.start < b.stated.start ? -1 : 1));
  const found: Interval[] = [];
  let reached = -Infinity;
  for (const [{ stated }, files] of sorted) {
    const end = files > 1 ? stated.end : Math.min(stated.end, reached);
    if (end - stated.start > SECOND) found.push({ start: stated.start, end });
    reached = Math.max(reached, stated.end);
  }
  return found;
}

const YEAR = 12;

const startOfMonth = (month: number): number => {
  const date = new Date(0);
  date.setUTCFullYear(Math.floor(month / YEAR), ((month % YEAR) + YEAR) % YEAR, 1);
  return date.getTime();
};

function monthOf(time: number): number {
  const date = new Date(time);
  return date.getUTCFullYear() * YEAR + date.getUTCMonth();
}

function inMonths({ start, end }: Interval, length: number): Interval {
  const unit = length < YEAR ? 1 : YEAR;
  // A step of several units may have its value in any of them.
  const rest = Math.max(0, length - unit);
  const [first, last] = [monthOf(start), monthOf(end - 1)];
  return {
    start: startOfMonth(Math.floor(first / unit) * unit - rest),
    end: startOfMonth((Math.floor(last / unit) + 1) * unit + rest),
  };
}

/** Whether a calendar of CF lacks a day: one of 360 days each 31st, noleap 29 February. The index does not store calendars. */
function mayBeLacking(day: number): boolean {
  const date = new Date(day);
  return date.getUTCDate() === 31 || (date.getUTCDate() === 29 && date.getUTCMonth() === 1);
}

function inDays({ start, end }: Interval, length: number): Interval {
  const rest = Math.max(0, length - DAY);
  const next = Math.ceil(end / DAY) * DAY;
  return {
    start: Math.floor(start / DAY) * DAY - rest,
    end: (mayBeLacking(next) ? next + DAY : next) + rest,
  };
}

/** The shortest of several steps: gaps at that step are gaps. */
function shortest(frequencies: readonly string[]): Step | undefined {
  const steps = frequencies.map(stepOf).filter((step) => step !== undefined);
  const order = ({ unit, length }: Step): number => (unit === "month" ? 30 * DAY : 1) * length;
  return steps.sort((a, b) => order(a) - order(b))[0];
}

/** JavaScript dates end soon after this time, so months beyond cannot be computed. */
const MAX_TIME = 8e15;

/**
 * Widens the period of a file to whole steps of its frequency.
 *
 * Files state the times of their first and last values, with or without the bounds of these: monthly data may end on
 * 16 December or with the last second of the year, and both cover December. Periods are widened to calendar units (years of
 * yearly data, months of monthly, days of all others), so that adjacent files adjoin.
 *
 * @param frequencies labels of the file, such as `mon`; if none names a step, whole days are used
 */
export function wholeSteps(interval: Interval, frequencies: readonly string[]): Interval {
  const step = shortest(frequencies);
  const { start, end } = interval;
  const isMonths = step?.unit === "month";
  const length = step?.length ?? DAY;
  const widen = (part: Interval): Interval =>
    isMonths && Math.max(Math.abs(part.start), Math.abs(part.end)) < MAX_TIME
      ? inMonths(part, length)
      : inDays(part, isMonths ? DAY : length);
  // An open end stays open.
  return {
    start: Number.isFinite(start) ? widen({ start, end: start + 1 }).start : start,
    end: Number.isFinite(end) ? widen({ start: end - 1, end }).end : end,
  };
}
