/** The bars of a timeline: few enough, whole lengths, and within what Solr counts. */
import { describe, expect, it } from "vitest";
import { yearAxis, yearHistogram } from "../../../src/domain/aggregation/years.js";

describe("bars of years", () => {
  it.each([
    [{ first: 1850, last: 1969 }, 120, 1850, 1, 120],
    [{ first: 1850, last: 1970 }, 120, 1850, 2, 61],
    [{ first: 1851, last: 2100 }, 120, 1850, 5, 51],
    [{ first: 1, last: 2100 }, 120, 0, 20, 106],
    [{ first: -20_000, last: 2100 }, 120, -20_000, 200, 111],
    [{ first: 1999, last: 1999 }, 1, 1999, 1, 1],
    [{ first: 1999, last: 2000 }, 1, 1990, 20, 1],
  ])(
    "cover the range of %o in at most %i, from %i, with %i years each",
    (span, most, first, length, bars) => {
      const axis = yearAxis(span, { maxBars: most });
      if (most > 1) expect(axis).toMatchObject({ first, yearsPerBar: length, bars });
      expect(axis?.bars).toBeLessThanOrEqual(most);
      expect(axis?.first).toBeLessThanOrEqual(span.first);
      expect(axis?.last).toBeGreaterThanOrEqual(span.last);
    },
  );

  it("begin later on request, and are none if all has ended", () => {
    const span = { first: 1, last: 2100 };
    expect(yearAxis(span, { since: 1850, maxBars: 300 })).toEqual({
      first: 1850,
      last: 2100,
      yearsPerBar: 1,
      bars: 251,
    });
    expect(yearAxis(span, { since: -5000, maxBars: 400 })?.first).toBe(0);
    expect(yearAxis(span, { since: 2101, maxBars: 120 })).toBeUndefined();
  });

  it("stay within the years of Solr", () => {
    const span = { first: -292_000_000, last: 292_000_000 };
    for (const most of [1, 2, 7, 120, 400]) {
      const axis = yearAxis(span, { maxBars: most });
      expect(axis?.bars).toBeLessThanOrEqual(most);
      expect(axis && yearHistogram(axis)).toMatchObject({
        start: "-292000000-01-01T00:00:00Z",
        end: "+292000001-01-01T00:00:00Z",
      });
    }
    const near = yearAxis({ first: -3, last: 3 }, { maxBars: 7 });
    expect(near && yearHistogram(near)).toMatchObject({
      start: "-0003-01-01T00:00:00Z",
      end: "0004-01-01T00:00:00Z",
      gap: "+1YEARS",
    });
  });
});
