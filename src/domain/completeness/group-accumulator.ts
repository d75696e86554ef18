/** Files, one after the other -> which groups of them there are, what each has, and what it lacks. */
import { TooManyResults } from "../errors.js";
import { gapsWithin, type Interval, intervalOf, united } from "../extent/intervals.js";
import { addBit, hasBit, meet } from "./bitset.js";
import { combinations } from "./combinations.js";
import { type Document, foldedValues } from "./folded-values.js";
import { GroupLevel } from "./group-level.js";
import { Groups, type Lack, type NearMiss } from "./groups.js";
import { NumberedValues } from "./interner.js";
import { isTimed, type Need } from "./need.js";
import { NeedsMet } from "./needs-index.js";
import type { Requirement } from "./requirement.js";
import { wholeSteps } from "./whole-steps.js";

const MAX_GROUPS = 100_000;
/** Beyond so many they are not counted any more. */
const MAX_COUNTED = 1_000_000;
/** A file may be in many groups, where it has several values: so many times files are put into groups. */
const MAX_PLACES = 20_000_000;
/** Periods that are kept: of what is needed over a time. */
const MAX_PERIODS = 1_000_000;
/** So many of one group and need are gathered before they are united. */
const GATHERED = 64;
/** Groups of which it is kept what they lack. */
export const MAX_NEAR = 1000;
/** Gaps that are told of one group. */
const MAX_GAPS = 100;
/** Texts of periods that are remembered as they were read. */
const MAX_READ = 10_000;

export class GroupTally {
  readonly #requirement: Requirement;
  readonly #facets: readonly NumberedValues[];
  readonly #met: NeedsMet;
  /** By all facets first; by some of them, as needs are. */
  readonly #levels: readonly GroupLevel[];
  readonly #whole: GroupLevel;
  readonly #levelOf: readonly GroupLevel[];
  readonly #timed: readonly number[];
  /** One for all groups that lack the same. */
  readonly #lack: readonly Lack[];
  readonly #read = new Map<string, Interval | undefined>();
  #periods = 0;
  #filled = 0;
  #isShared = false;
  /** Groups, once there are too many. */
  #counted: Set<string> | undefined;

  constructor(requirement: Requirement) {
    this.#requirement = requirement;
    const { groupBy, needs } = requirement;
    this.#facets = groupBy.map(({ field }) => new NumberedValues(field));
    this.#met = new NeedsMet(needs);
    this.#whole = new GroupLevel(
      groupBy.map((_, place) => place),
      needs.length,
    );
    const levels = new Map([[this.#whole.on.join(), this.#whole]]);
    this.#levelOf = needs.map((need, index) => {
      const { on } = need;
      const level = levels.get(on.join()) ?? new GroupLevel(on, needs.length);
      levels.set(on.join(), level);
      addBit(level.needs, index);
      if (!isTimed(need)) addBit(level.untimed, index);
      return level;
    });
    this.#levels = [...levels.values()];
    this.#lack = needs.map((_, need) => ({ need }));
    this.#timed = needs.flatMap((need, index) => (isTimed(need) ? [index] : []));
  }

  /** @throws TooManyResults */
  add(documents: readonly Document[]): void {
    for (const document of documents) this.#addOne(document);
  }

  #addOne(document: Document): void {
    const numbers = this.#facets.map((facet) => facet.of(document));
    const met = this.#met.by(document);
    const timed = this.#timed.filter((need) => hasBit(met, need));
    const period = timed.length > 0 ? this.#periodOf(document) : undefined;
    for (const level of this.#levels) {
      const isWhole = level === this.#whole;
      if (!isWhole && !meet(level.needs, met)) continue;
      const choices = level.on.map((place) => numbers[place] ?? []);
      const count = choices.reduce((product, { length }) => product * length, 1);
      this.#filled += count;
      if (this.#filled > MAX_PLACES) throw beyond(MAX_PLACES, "places of files in groups");
      if (isWhole && count > 1) this.#isShared = true;
      const groups = count === 1 ? [choices.map(([only = 0]) => only)] : combinations(choices);
      for (const values of groups) {
        if (this.#isTooMuch(level, values)) continue;
        const place = level.place(values);
        level.files[place] = (level.files[place] ?? 0) + 1;
        level.add(place, met);
        if (period === undefined) continue;
        for (const need of timed) {
          if (hasBit(level.needs, need)) this.#addPeriod(level, place, need, period);
        }
      }
    }
  }

  /** Once there are too many groups they are only counted. @throws TooManyResults */
  #isTooMuch({ places, on }: GroupLevel, values: readonly number[]): boolean {
    if (this.#counted === undefined) {
      if (places.size <= MAX_GROUPS) return false;
      this.#counted = new Set(this.#whole.places.keys());
    }
    if (on.length < this.#facets.length) return true;
    this.#counted.add(values.join());
    if (this.#counted.size > MAX_COUNTED) throw tooMany(`more than ${MAX_COUNTED}`);
    return true;
  }

  #addPeriod({ periods }: GroupLevel, place: number, need: number, period: Interval): void {
    const key = this.#keyOf(place, need);
    const known = periods.get(key);
    if (known === undefined) periods.set(key, [period]);
    else {
      known.push(period);
      if (known.length >= GATHERED && Math.log2(known.length) % 1 === 0) {
        const whole = united(known);
        this.#periods -= known.length - whole.length;
        periods.set(key, whole);
      }
    }
    this.#periods += 1;
    if (this.#periods > MAX_PERIODS) {
      throw beyond(MAX_PERIODS, "separate periods of files");
    }
  }

  #periodOf(document: Document): Interval | undefined {
    const range = document.time_raw;
    if (typeof range !== "string") return undefined;
    const frequencies = foldedValues(document, "time_frequency");
    const key = JSON.stringify([range, ...frequencies]);
    if (this.#read.has(key)) return this.#read.get(key);
    const interval = intervalOf(range);
    const period = interval && wholeSteps(interval, frequencies);
    if (this.#read.size >= MAX_READ) this.#read.clear();
    this.#read.set(key, period);
    return period;
  }

  /** @throws TooManyResults where there are too many groups */
  end(): Groups {
    if (this.#counted !== undefined) throw tooMany(String(this.#counted.size));
    const { groupBy, needs } = this.#requirement;
    const complete: (readonly string[])[] = [];
    const incomplete: { place: number; values: readonly string[]; lacks: number }[] = [];
    let files = 0;
    for (const [place, numbers] of this.#whole.values.entries()) {
      const values = numbers.map((number, index) => this.#facets[index]?.values[number] ?? "");
      const lacks = needs.length - this.#metBy(place);
      if (lacks > 0) incomplete.push({ place, values, lacks });
      else {
        complete.push(values);
        files += this.#whole.files[place] ?? 0;
      }
    }
    complete.sort(inOrder);
    incomplete.sort((a, b) => a.lacks - b.lacks || inOrder(a.values, b.values));
    const isCounted = this.#requirement.isOfAll && !this.#isShared && this.#levels.length === 1;
    return new Groups(
      groupBy,
      needs,
      complete,
      this.#whole.values.length,
      incomplete.slice(0, MAX_NEAR).map((one) => this.#nearMiss(one)),
      isCounted ? files : undefined,
    );
  }

  #nearMiss({ place, values }: { place: number; values: readonly string[] }): NearMiss {
    const missing: Lack[] = [];
    let told = 0;
    for (const need of this.#lack.keys()) {
      const lack = this.#lackOf(place, need);
      if (lack === undefined) continue;
      const gaps = lack.gaps?.slice(0, MAX_GAPS - told);
      told += gaps?.length ?? 0;
      missing.push(gaps === undefined ? lack : { need, gaps });
    }
    return { values, missing };
  }

  /** How many needs a group meets. */
  #metBy(place: number): number {
    let count = 0;
    for (const level of this.#levels) {
      const mine = this.#placeIn(level, place);
      if (mine !== undefined) count += level.count(mine);
    }
    return count + this.#timed.filter((need) => this.#lackOf(place, need) === undefined).length;
  }

  /** What a group lacks of a need; undefined where it meets it. */
  #lackOf(place: number, need: number): Lack | undefined {
    const level = this.#levelOf[need] ?? this.#whole;
    const mine = this.#placeIn(level, place);
    const wanted = this.#requirement.needs[need];
    if (wanted === undefined || !isTimed(wanted)) {
      return mine !== undefined && level.has(mine, need) ? undefined : this.#lack[need];
    }
    const periods = mine === undefined ? undefined : level.periods.get(this.#keyOf(mine, need));
    const gaps = gapsOf(periods ?? [], wanted);
    return gaps.length > 0 ? { need, gaps } : undefined;
  }

  /** Where the periods of a group's files that meet a need are kept. */
  #keyOf(place: number, need: number): number {
    return place * this.#requirement.needs.length + need;
  }

  /** Where a group by all facets stands among those by some. */
  #placeIn(level: GroupLevel, place: number): number | undefined {
    if (level === this.#whole) return place;
    const numbers = this.#whole.values[place] ?? [];
    return level.places.get(level.on.map((facet) => numbers[facet]).join());
  }
}

/** What periods of files leave open of the one that is needed. */
function gapsOf(periods: readonly Interval[], { start, end }: Need): Interval[] {
  const starts = start ?? Math.min(...periods.map((period) => period.start));
  const ends = end ?? Math.max(...periods.map((period) => period.end));
  // Without an end the files themselves have one, if they reach into what is needed at all.
  if (starts >= ends || periods.length === 0) {
    return [{ start: start ?? -Infinity, end: end ?? Infinity }];
  }
  return gapsWithin(periods, { start: starts, end: ends });
}

/** Too many of what is not counted to its end. */
const beyond = (most: number, things: string): TooManyResults =>
  new TooManyResults(`more than ${most}`, most, things);

const tooMany = (count: string): TooManyResults => new TooManyResults(count, MAX_GROUPS, "groups");

/** By the first value, then by the second ... */
function inOrder(a: readonly string[], b: readonly string[]): number {
  for (const [index, value] of a.entries()) {
    const other = b[index] ?? "";
    if (value !== other) return value < other ? -1 : 1;
  }
  return 0;
}
