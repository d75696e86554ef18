/** The periods of a dataset's files: what they cover together, and where they overlap. */
import { SECOND } from "../extent/durations.js";
import { type Interval, intervalOf, united } from "../extent/intervals.js";
import { wholeSteps } from "./whole-steps.js";

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
