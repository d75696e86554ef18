import { describe, expect, it } from "vitest";
import {
  Extent,
  geometry,
  readBox,
  readInterval,
} from "../../../src/server/formats/stac/extent.js";

const box = (west: number, east: number, south = 0, north = 10) => ({ west, east, south, north });
const ALL = { start: "2000-01-01T00:00:00Z", end: "2000-12-31T23:59:59Z" };

describe("a document's box", () => {
  it.each([
    ["ENVELOPE(-180,180,90,-90)", box(-180, 180, -90, 90)],
    ["ENVELOPE(0,360,90,-90)", box(-180, 180, -90, 90)],
    ["ENVELOPE(-180,360,90,-90)", box(-180, 180, -90, 90)],
    ["ENVELOPE(-0.9375, 359.0625, 90, -90)", box(-180, 180, -90, 90)],
    ["envelope( 10 , 20 , 10 , 0 )", box(10, 20)],
    ["ENVELOPE(350,10,10,0)", box(-10, 10)],
    ["ENVELOPE(350,370,10,0)", box(-10, 10)],
    ["ENVELOPE(160,-150,10,0)", box(160, -150)],
    ["ENVELOPE(160,210,10,0)", box(160, -150)],
    ["ENVELOPE(160,180,10,0)", box(160, 180)],
    ["ENVELOPE(180,200,10,0)", box(-180, -160)],
    ["ENVELOPE(-180,-160,10,0)", box(-180, -160)],
    ["ENVELOPE(5,5,10,10)", box(5, 5, 10, 10)],
    ["ENVELOPE(-10.1,10.3,10,0)", box(-10.1, 10.3)],
    ["ENVELOPE(-179.999999999999,179.9,10,0)", box(-179.999999999999, 179.9)],
    ["ENVELOPE(190.1,350.7,10,0)", box(-169.9, -9.3)],
  ])("is read from %s", (text, expected) => {
    expect(readBox(text)).toEqual(expected);
  });

  it.each([
    undefined,
    null,
    "",
    "x",
    "ENVELOPE(1,2,3)",
    "ENVELOPE(1,2,0,10)",
    "ENVELOPE(1,2,91,0)",
    "ENVELOPE(1,2,NaN,0)",
    "POINT(1 2)",
  ])("does not exist for %s", (text) => {
    expect(readBox(text)).toBeUndefined();
  });
});

describe("a geometry", () => {
  it("is a polygon, counterclockwise and closed", () => {
    expect(geometry(box(10, 20))).toEqual({
      type: "Polygon",
      coordinates: [
        [
          [10, 0],
          [20, 0],
          [20, 10],
          [10, 10],
          [10, 0],
        ],
      ],
    });
  });

  it("is cut at the antimeridian", () => {
    expect(geometry(box(160, -150))).toEqual({
      type: "MultiPolygon",
      coordinates: [
        [
          [
            [160, 0],
            [180, 0],
            [180, 10],
            [160, 10],
            [160, 0],
          ],
        ],
        [
          [
            [-180, 0],
            [-150, 0],
            [-150, 10],
            [-180, 10],
            [-180, 0],
          ],
        ],
      ],
    });
  });

  it("is a point or a line if the box is one", () => {
    expect(geometry(box(5, 5, 1, 1)).type).toBe("Point");
    expect(geometry(box(5, 5)).type).toBe("LineString");
  });
});

describe("a document's period", () => {
  it.each([
    ["[1979-01 TO 2014-12]", "1979-01-01T00:00:00Z", "2014-12-31T23:59:59Z"],
    ["[2000-02 TO 2000-02]", "2000-02-01T00:00:00Z", "2000-02-29T23:59:59Z"],
    ["[1900-02 TO 1900-02]", "1900-02-01T00:00:00Z", "1900-02-28T23:59:59Z"],
    ["[2016-09-02T23:00 TO 2016-09-02T23:30]", "2016-09-02T23:00:00Z", "2016-09-02T23:30:59Z"],
    ["[2000-01-01T00:00:00Z TO *]", "2000-01-01T00:00:00Z", undefined],
    ["[* TO 2000]", undefined, "2000-12-31T23:59:59Z"],
    ["2000", "2000-01-01T00:00:00Z", "2000-12-31T23:59:59Z"],
    ["[850-01 TO 1849-12]", "0850-01-01T00:00:00Z", "1849-12-31T23:59:59Z"],
    ["[4-02 TO 99-12-30T06]", "0004-02-01T00:00:00Z", "0099-12-30T06:59:59Z"],
    // Beyond RFC 3339: cut off at the years that it has.
    ["[-21000 TO -20000]", "0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"],
    ["[-500 TO 1850]", "0001-01-01T00:00:00Z", "1850-12-31T23:59:59Z"],
    ["[0000 TO 0000]", "0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"],
    ["[9000 TO +12000]", "9000-01-01T00:00:00Z", "9999-12-31T23:59:59Z"],
    ["[12345-06 TO *]", "9999-12-31T23:59:59Z", undefined],
    ["[* TO -50000000]", undefined, "0001-01-01T00:00:00Z"],
    // A day of 360-day calendars, as a crawler may have posted it.
    ["[2001-02-30 TO 2001-02-30]", "2001-02-28T00:00:00Z", "2001-02-28T23:59:59Z"],
  ])("is read from %s", (text, start, end) => {
    expect(readInterval(text)).toEqual({ start, end });
  });

  it.each([undefined, "", "[* TO *]", "[2000 TO x]", "x"])("does not exist for %s", (text) => {
    expect(readInterval(text)).toBeUndefined();
  });
});

describe("an extent", () => {
  const union = (...boxes: ReturnType<typeof box>[]) => {
    const extent = new Extent();
    for (const one of boxes) extent.add(one, ALL);
    return extent.bbox();
  };

  it("is the smallest box that holds all boxes", () => {
    expect(union(box(10, 20), box(30, 40, -5, 3))).toEqual([10, -5, 40, 10]);
    expect(union(box(160, 170), box(-170, -160))).toEqual([160, 0, -160, 10]);
    expect(union(box(160, -150), box(-140, -130))).toEqual([160, 0, -130, 10]);
    expect(union(box(-10, 10), box(5, 30))).toEqual([-10, 0, 30, 10]);
    expect(union(box(-180, 180), box(5, 30))).toEqual([-180, 0, 180, 10]);
    expect(union(box(-180, 0), box(0, 180))).toEqual([-180, 0, 180, 10]);
  });

  it("is the globe, and has no period, if nothing is known", () => {
    expect(new Extent().bbox()).toEqual([-180, -90, 180, 90]);
    expect(new Extent().interval()).toEqual([null, null]);
  });

  it("is not endless because of a constant field, unless there is nothing else", () => {
    const extent = new Extent();
    extent.add(undefined, readInterval(undefined));
    extent.add(box(10, 20), readInterval("[* TO *]"));
    expect(extent.interval()).toEqual(["0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"]);
    expect(extent.bbox()).toEqual([10, 0, 20, 10]);
    extent.add(undefined, ALL);
    expect(extent.interval()).toEqual([ALL.start, ALL.end]);
    extent.add(undefined, readInterval("[850 TO *]"));
    expect(extent.interval()).toEqual(["0850-01-01T00:00:00Z", "9999-12-31T23:59:59Z"]);
  });

  it("keeps every longitude within -180 to 180 digit for digit", () => {
    for (let hundredths = -18_000; hundredths <= 18_000; hundredths += 7) {
      const text = String(hundredths / 100);
      const east = String(Math.min(18_000, hundredths + 100) / 100);
      const read = readBox(`ENVELOPE(${text},${east},1,0)`);
      expect([String(read?.west), String(read?.east)]).toEqual([text, east]);
    }
  });

  it("reaches from the first start to the last end", () => {
    const extent = new Extent();
    extent.add(undefined, ALL);
    extent.add(undefined, { start: "1990-01-01T00:00:00Z", end: "1995-01-01T00:00:00Z" });
    expect(extent.interval()).toEqual(["1990-01-01T00:00:00Z", "2000-12-31T23:59:59Z"]);
  });
});
