/** Groups documents, one at a time, and finds which groups are complete and what the others lack. */
import { TooManyResults } from "../errors.js";
import { gapsWithin, type Interval, united } from "../extent/intervals.js";
import { addBit, hasBit, meet } from "./bitset.js";
import { combinations } from "./combinations.js";
import { PeriodReader } from "./file-periods.js";
import { type Document, foldedValues, Interner } from "./folded-values.js";
import { GroupLevel } from "./group-level.js";
import { Groups, type Lack, type NearMiss } from "./groups.js";
import { isTimed, type Need } from "./need.js";
import { NeedIndex } from "./needs-index.js";
import type { Requirement } from "./requirement.js";

const MAX_GROUPS = 100_000;
/** Beyond this, even the number of groups is not computed. */
const MAX_COUNTED = 1_000_000;
/** Assignments of files to groups: a file with several values is in several groups. */
const MAX_ASSIGNMENTS = 20_000_000;
/** Stored periods of files that meet needs with a time range. */
const MAX_PERIODS = 1_000_000;
/** Periods of one group and need that are collected before they are united. */
const UNITE_FROM = 64;
/** Incomplete groups that are reported with what they lack. */
const MAX_NEAR = 1000;
/** Gaps reported per group. */
const MAX_GAPS = 100;

export class GroupAccumulator {
  readonly #requirement: Requirement;
  readonly #facets: readonly Interner[];
  readonly #needs: NeedIndex;
  /** `#whole` first, then one level for each subset of the facets that a need is on. */
  readonly #levels: readonly GroupLevel[];
  readonly #whole: GroupLevel;
  readonly #levelOf: readonly GroupLevel[];
  /** Indexes of the needs with a time range. */
  readonly #timed: readonly number[];
  /** One shared object per need: many groups lack the same. */
  readonly #lacks: readonly Lack[];
  readonly #periodReader = new PeriodReader();
  #periods = 0;
  #assignments = 0;
  /** Whether a file is in several groups. */
  #hasOverlap = false;
  /** The keys of all groups, once there are more than MAX_GROUPS. */
  #overflow: Set<string> | undefined;

  constructor(requirement: Requirement) {
    this.#requirement = requirement;
    const { groupBy, needs } = requirement;
    this.#facets = groupBy.map(({ field }) => new Interner(field));
    this.#needs = new NeedIndex(needs);
    this.#whole = new GroupLevel(
      groupBy.map((_, index) => index),
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
    this.#lacks = needs.map((_, need) => ({ need }));
    this.#timed = needs.flatMap((need, index) => (isTimed(need) ? [index] : []));
  }

  add(documents: readonly Document[]): void {
    for (const document of documents) this.#addOne(document);
  }

  #addOne(document: Document): void {
    const ids = this.#facets.map((facet) => facet.idsOf(document));
    const met = this.#needs.metBy(document);
    const timed = this.#timed.filter((need) => hasBit(met, need));
    const period = timed.length > 0 ? this.#periodOf(document) : undefined;
    for (const level of this.#levels) {
      const isWhole = level === this.#whole;
      if (!isWhole && !meet(level.needs, met)) continue;
      const choices = level.on.map((facet) => ids[facet] ?? []);
      const count = choices.reduce((product, { length }) => product * length, 1);
      this.#assignments += count;
      if (this.#assignments > MAX_ASSIGNMENTS) {
        throw beyond(MAX_ASSIGNMENTS, "assignments of files to groups");
      }
      if (isWhole && count > 1) this.#hasOverlap = true;
      const groups = count === 1 ? [choices.map(([only = 0]) => only)] : combinations(choices);
      for (const values of groups) {
        if (this.#isOverflow(level, values)) continue;
        const group = level.indexOf(values);
        level.files[group] = (level.files[group] ?? 0) + 1;
        level.add(group, met);
        if (period === undefined) continue;
        for (const need of timed) {
          if (hasBit(level.needs, need)) this.#addPeriod(level, group, need, period);
        }
      }
    }
  }

  /** Once there are too many groups, counts them instead of storing them. */
  #isOverflow({ indexes, on }: GroupLevel, values: readonly number[]): boolean {
    if (this.#overflow === undefined) {
      if (indexes.size <= MAX_GROUPS) return false;
      this.#overflow = new Set(this.#whole.indexes.keys());
    }
    if (on.length < this.#facets.length) return true;
    this.#overflow.add(values.join());
    if (this.#overflow.size > MAX_COUNTED) throw tooMany(`more than ${MAX_COUNTED}`);
    return true;
  }

  #addPeriod({ periods }: GroupLevel, group: number, need: number, period: Interval): void {
    const key = this.#periodKey(group, need);
    const known = periods.get(key);
    if (known === undefined) periods.set(key, [period]);
    else {
      known.push(period);
      if (known.length >= UNITE_FROM && Math.log2(known.length) % 1 === 0) {
        const whole = united(known);
        this.#periods -= known.length - whole.length;
        periods.set(key, whole);
      }
    }
    this.#periods += 1;
    if (this.#periods > MAX_PERIODS) throw beyond(MAX_PERIODS, "separate periods of files");
  }

  #periodOf(document: Document): Interval | undefined {
    const frequencies = foldedValues(document, "time_frequency");
    return this.#periodReader.read(document.time_raw, frequencies)?.whole;
  }

  /** @throws TooManyResults for more than MAX_GROUPS groups */
  result(): Groups {
    if (this.#overflow !== undefined) throw tooMany(String(this.#overflow.size));
    const { groupBy, needs } = this.#requirement;
    const complete: (readonly string[])[] = [];
    const incomplete: { group: number; values: readonly string[]; lacks: number }[] = [];
    let files = 0;
    for (const [group, ids] of this.#whole.values.entries()) {
      const values = ids.map((id, facet) => this.#facets[facet]?.values[id] ?? "");
      const lacks = needs.length - this.#metCount(group);
      if (lacks > 0) incomplete.push({ group, values, lacks });
      else {
        complete.push(values);
        files += this.#whole.files[group] ?? 0;
      }
    }
    complete.sort(inOrder);
    incomplete.sort((a, b) => a.lacks - b.lacks || inOrder(a.values, b.values));
    const isCounted = this.#requirement.isOfAll && !this.#hasOverlap && this.#levels.length === 1;
    return new Groups(
      groupBy,
      needs,
      complete,
      this.#whole.values.length,
      incomplete.slice(0, MAX_NEAR).map((one) => this.#nearMiss(one)),
      isCounted ? files : undefined,
    );
  }

  #nearMiss({ group, values }: { group: number; values: readonly string[] }): NearMiss {
    const missing: Lack[] = [];
    let listed = 0;
    for (const need of this.#lacks.keys()) {
      const lack = this.#lackOf(group, need);
      if (lack === undefined) continue;
      const gaps = lack.gaps?.slice(0, MAX_GAPS - listed);
      listed += gaps?.length ?? 0;
      missing.push(gaps === undefined ? lack : { need, gaps });
    }
    return { values, missing };
  }

  /** How many needs a group meets. */
  #metCount(group: number): number {
    let count = 0;
    for (const level of this.#levels) {
      const index = this.#indexIn(level, group);
      if (index !== undefined) count += level.count(index);
    }
    return count + this.#timed.filter((need) => this.#lackOf(group, need) === undefined).length;
  }

  /** The part of a need that a group lacks; undefined if it meets the need. */
  #lackOf(group: number, need: number): Lack | undefined {
    const level = this.#levelOf[need] ?? this.#whole;
    const index = this.#indexIn(level, group);
    const wanted = this.#requirement.needs[need];
    if (wanted === undefined || !isTimed(wanted)) {
      return index !== undefined && level.has(index, need) ? undefined : this.#lacks[need];
    }
    const periods =
      index === undefined ? undefined : level.periods.get(this.#periodKey(index, need));
    const gaps = gapsOf(periods ?? [], wanted);
    return gaps.length > 0 ? { need, gaps } : undefined;
  }

  #periodKey(group: number, need: number): number {
    return group * this.#requirement.needs.length + need;
  }

  /** The index, in a level, of the group that a group of `#whole` belongs to. */
  #indexIn(level: GroupLevel, group: number): number | undefined {
    if (level === this.#whole) return group;
    const ids = this.#whole.values[group] ?? [];
    return level.indexes.get(level.on.map((facet) => ids[facet]).join());
  }
}

/** The parts of the needed period that the files do not cover. */
function gapsOf(periods: readonly Interval[], { start, end }: Need): Interval[] {
  const starts = start ?? periods.reduce((least, one) => Math.min(least, one.start), Infinity);
  const ends = end ?? periods.reduce((most, one) => Math.max(most, one.end), -Infinity);
  // If the need has no end, the files' own end counts, provided that they reach into the needed period.
  if (starts >= ends || periods.length === 0) {
    return [{ start: start ?? -Infinity, end: end ?? Infinity }];
  }
  return gapsWithin(periods, { start: starts, end: ends });
}

const beyond = (limit: number, things: string): TooManyResults =>
  new TooManyResults(`more than ${limit}`, limit, things);

const tooMany = (count: string): TooManyResults => new TooManyResults(count, MAX_GROUPS, "groups");

/** Compares value by value. */
function inOrder(a: readonly string[], b: readonly string[]): number {
  for (const [index, value] of a.entries()) {
    const other = b[index] ?? "";
    if (value !== other) return value < other ? -1 : 1;
  }
  return 0;
}
