import { describe, expect, it } from "vitest";
import { DAY, YEAR } from "../../../src/domain/extent/durations.js";
import { coveredBy, gapsWithin, intervalOf, united } from "../../../src/domain/extent/intervals.js";
import { chance, SEED } from "../../support/run/trials.js";

const day = (text: string): number => Date.parse(`${text}Z`);
const of = (range: string) => {
  const interval = intervalOf(range);
  if (interval === undefined) throw new Error(range);
  return interval;
};

describe("the interval of a document's time", () => {
  it.each([
    ["[2000 TO 2001]", day("2000-01-01T00:00"), day("2002-01-01T00:00")],
    [
      "[2000-02-01T00:00:00Z TO 2000-02-29T23:59:59Z]",
      day("2000-02-01T00:00"),
      day("2000-03-01T00:00"),
    ],
    ["2000-02", day("2000-02-01T00:00"), day("2000-03-01T00:00")],
    [
      "[1850-01-16T12:00:00Z TO 1850-12-16T12:00:00.500Z]",
      day("1850-01-16T12:00"),
      day("1850-12-16T12:00:00.501"),
    ],
    ["[-0044-03-15 TO 0001]", day("-000044-03-15T00:00"), day("0002-01-01T00:00")],
    ["[* TO 1999]", -Infinity, day("2000-01-01T00:00")],
    ["[2000 TO *]", day("2000-01-01T00:00"), Infinity],
    ["[* TO *]", -Infinity, Infinity],
    ["*", -Infinity, Infinity],
  ])("has the end %s, where the next one begins", (range, start, end) => {
    expect(intervalOf(range)).toEqual({ start, end });
  });

  it("is given for years beyond JavaScript's dates", () => {
    const { start, end } = of("[-1000000 TO -990001]");
    expect((end - start) / YEAR).toBeCloseTo(10_000, 6);
    expect((of("+300000").end - of("+299999").start) / DAY).toBe(366 + 365);
  });

  it.each(["", "fx", "[2000 TO]", "[x TO 2000]", "[2001 TO 2000]", "2000-02-00"])(
    "is none for %j",
    (range) => {
      expect(intervalOf(range)).toBeUndefined();
    },
  );
});

describe("intervals", () => {
  it("cover overlaps once", () => {
    const files = [
      of("[2000 TO 2004]"),
      of("[2003 TO 2005]"),
      of("2007"),
      of("[2003-05 TO 2003-06]"),
    ];
    expect(united(files)).toEqual([of("[2000 TO 2005]"), of("2007")]);
    expect(coveredBy(files)).toBe((366 + 365 * 3 + 366 + 365 + 365) * DAY);
    expect(coveredBy([])).toBe(0);
  });

  it("leave gaps at the ends and between, and none if one is open", () => {
    const files = [of("[1990 TO 1995]"), of("[1997 TO 1999]"), of("[1980 TO 1985]")];
    const all = of("[1988 TO 2001]");
    expect(gapsWithin(files, all)).toEqual([
      of("[1988 TO 1989]"),
      of("1996"),
      of("[2000 TO 2001]"),
    ]);
    expect(gapsWithin(files, of("[1991 TO 1993]"))).toEqual([]);
    expect(gapsWithin([], all)).toEqual([all]);
    expect(gapsWithin([of("[* TO *]")], all)).toEqual([]);
    expect(gapsWithin([of("[* TO 1999]")], all)).toEqual([of("[2000 TO 2001]")]);
    expect(gapsWithin([of("[2005 TO *]")], all)).toEqual([all]);
  });

  it("are united as a count of single moments shows", () => {
    const random = chance(SEED);
    for (let round = 0; round < 500; round++) {
      const some = Array.from({ length: Math.floor(random() * 8) }, () => {
        const start = Math.floor(random() * 30);
        return { start, end: start + 1 + Math.floor(random() * 8) };
      });
      const has = (at: number): boolean => some.some(({ start, end }) => start <= at && at < end);
      const moments = Array.from({ length: 40 }, (_, at) => at);
      expect(coveredBy(some), `SEED=${SEED}`).toBe(moments.filter(has).length);
      const within = { start: 5, end: 25 };
      const open = gapsWithin(some, within).reduce((sum, { start, end }) => sum + end - start, 0);
      expect(open, `SEED=${SEED}`).toBe(moments.slice(5, 25).filter((at) => !has(at)).length);
    }
  });
});
