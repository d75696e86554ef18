/** The periods of a dataset's files: what they cover together, and what several of them have. */
import { SECOND } from "../extent/durations.js";
import { type Interval, intervalOf, united } from "../extent/intervals.js";
import { wholeSteps } from "./whole-steps.js";

interface FilePeriod {
  /** As the file says it. */
  readonly said: Interval;
  /** In whole steps of its frequency. */
  readonly whole: Interval;
}

/** Texts of periods that are remembered as they were read. */
const MAX_READ = 10_000;

/** Reads periods of files, each text once. */
export class PeriodReader {
  readonly #read = new Map<string, FilePeriod | undefined>();

  /** @returns undefined for what cannot be read */
  read(range: unknown, frequencies: readonly string[]): FilePeriod | undefined {
    if (typeof range !== "string") return undefined;
    const key = frequencies.length === 0 ? range : JSON.stringify([range, ...frequencies]);
    if (this.#read.has(key)) return this.#read.get(key);
    const said = intervalOf(range);
    const period = said && { said, whole: wholeSteps(said, frequencies) };
    if (this.#read.size >= MAX_READ) this.#read.clear();
    this.#read.set(key, period);
    return period;
  }
}

/** Those of one dataset. */
export class FilePeriods {
  /** Each once; and by what else files say, with how many files have it. */
  readonly #all = new Set<FilePeriod>();
  readonly #alike = new Map<string, Map<FilePeriod, number>>();

  /** @param kind the same of files that differ in their periods alone */
  add(period: FilePeriod, kind: string): void {
    this.#all.add(period);
    const known = this.#alike.get(kind);
    if (known === undefined) this.#alike.set(kind, new Map([[period, 1]]));
    else known.set(period, (known.get(period) ?? 0) + 1);
  }

  /** From where files say that they begin to where they end; one goes on where the next step is there. */
  covered(): Interval[] {
    const sorted = [...this.#all].sort((a, b) => (a.whole.start < b.whole.start ? -1 : 1));
    const found: { start: number; end: number; reached: number }[] = [];
    for (const { said, whole } of sorted) {
      const last = found.at(-1);
      if (last === undefined || whole.start > last.reached) {
        found.push({ ...said, reached: whole.end });
        continue;
      }
      last.start = Math.min(last.start, said.start);
      last.end = Math.max(last.end, said.end);
      last.reached = Math.max(last.reached, whole.end);
    }
    return found.map(({ start, end }) => ({ start, end }));
  }

  /** What two or more files have that differ in nothing else; a moment where one ends and the next begins is none. */
  overlaps(): Interval[] {
    return united([...this.#alike.values()].flatMap(shared));
  }
}

function shared(periods: ReadonlyMap<FilePeriod, number>): Interval[] {
  const sorted = [...periods].sort(([a], [b]) => (a.said.start < b.said.start ? -1 : 1));
  const found: Interval[] = [];
  let reached = -Infinity;
  for (const [{ said }, files] of sorted) {
    const end = files > 1 ? said.end : Math.min(said.end, reached);
    if (end - said.start > SECOND) found.push({ start: said.start, end });
    reached = Math.max(reached, said.end);
  }
  return found;
}
