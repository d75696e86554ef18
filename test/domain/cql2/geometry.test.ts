import { describe, expect, it } from "vitest";
import {
  boxesOf,
  boxOfEnvelope,
  intersectsBox,
  readGeometry,
} from "../../../src/domain/extent/geometry.js";
import { Unreadable } from "../../../src/domain/extent/period.js";
import type { Region } from "../../../src/domain/extent/region.js";

const BOX: Region = { west: 0, south: 0, east: 10, north: 10 };
const meets = (geometry: unknown, box = BOX) => intersectsBox(readGeometry(geometry), box);
const ring = (west: number, south: number, east: number, north: number) => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];
const of = (type: string, ...coordinates: unknown[]) => ({ type, coordinates });
const polygon = (...rings: unknown[]) => of("Polygon", ...rings);
const line = (x1: number, y1: number, x2: number, y2: number) => [
  [x1, y1],
  [x2, y2],
];

describe("a GeoJSON geometry", () => {
  it.each([
    ["a point inside", { type: "Point", coordinates: [5, 5] }, true],
    ["a point with a height on the border", { type: "Point", coordinates: [10, 10, 100] }, true],
    ["a point outside", { type: "Point", coordinates: [11, 5] }, false],
    ["one point of many", of("MultiPoint", [50, 50], [1, 1]), true],
    ["a line through the box", of("LineString", [-5, 5], [15, 6]), true],
    ["a line around its corner", of("LineString", [-5, 8], [8, 21]), false],
    ["one line of many", of("MultiLineString", line(20, 20, 30, 30), line(5, -5, 5, 15)), true],
    ["a polygon around the box", polygon(ring(-20, -20, 20, 20)), true],
    ["a polygon inside the box", polygon(ring(4, 4, 5, 5)), true],
    ["a polygon elsewhere", polygon(ring(20, 20, 30, 30)), false],
    [
      "a polygon with the box in its hole",
      polygon(ring(-20, -20, 20, 20), ring(-5, -5, 15, 15)),
      false,
    ],
    ["a polygon whose hole is in the box", polygon(ring(-20, -20, 20, 20), ring(4, 4, 5, 5)), true],
    [
      "one polygon of many",
      { type: "MultiPolygon", coordinates: [[ring(20, 20, 30, 30)], [ring(9, 9, 12, 12)]] },
      true,
    ],
    [
      "one of a collection",
      { type: "GeometryCollection", geometries: [of("MultiPoint", [50, 50]), of("Point", 1, 1)] },
      true,
    ],
  ])("intersects a box or not: %s: %s", (_, geometry, expected) => {
    expect(meets(geometry)).toBe(expected);
  });

  it("intersects boxes in any convention of longitudes", () => {
    const point = { type: "Point", coordinates: [-5, 5] };
    for (const text of [
      "ENVELOPE(350,10,10,0)",
      "ENVELOPE(-10,0,10,0)",
      "ENVELOPE(350,360,10,0)",
      "ENVELOPE(0,359.5,10,0)",
      "ENVELOPE(0,360,10,0)",
    ]) {
      const box = boxOfEnvelope(text);
      expect(box && meets(point, box), text).toBe(true);
    }
    const box = boxOfEnvelope("ENVELOPE(170,-170,10,0)");
    expect(box && meets({ type: "Point", coordinates: [-175, 5] }, box)).toBe(true);
    expect(box && meets({ type: "Point", coordinates: [175, 5] }, box)).toBe(true);
    expect(box && meets({ type: "Point", coordinates: [0, 5] }, box)).toBe(false);
  });

  it.each([
    [null],
    [{}],
    [{ type: "Circle", coordinates: [0, 0] }],
    [{ type: "Point" }],
    [{ type: "Point", coordinates: ["0", 0] }],
    [{ type: "Point", coordinates: [0, 91] }],
    [{ type: "Point", coordinates: [Number.NaN, 0] }],
    [{ type: "LineString", coordinates: [[0, 0]] }],
    [
      polygon([
        [0, 0],
        [1, 1],
        [0, 0],
      ]),
    ],
    [
      polygon([
        [0, 0],
        [1, 1],
        [1, 0],
        [2, 2],
      ]),
    ],
    [{ type: "Polygon", coordinates: [] }],
    [{ type: "GeometryCollection", geometries: [] }],
    [polygon(Array.from({ length: 10_001 }, () => [0, 0]))],
  ])("is refused with a sentence: %.60j", (geometry) => {
    expect(() => readGeometry(geometry)).toThrow(Unreadable);
  });
});

describe("bbox", () => {
  it("has four numbers, or six with heights, and may cross the antimeridian", () => {
    const plain = [{ west: 1, south: 2, east: 3, north: 4 }];
    expect(boxesOf([1, 2, 3, 4])).toEqual(plain);
    expect(boxesOf([1, 2, -5, 3, 4, 5])).toEqual(plain);
    expect(boxesOf([170, 2, -170, 4])).toEqual([
      { west: 170, south: 2, east: 180, north: 4 },
      { west: -180, south: 2, east: -170, north: 4 },
    ]);
    expect(boxesOf([350, 2, 10, 4])).toEqual([{ west: -10, south: 2, east: 10, north: 4 }]);
    expect(boxesOf([200, 2, -100, 4])).toEqual([{ west: -160, south: 2, east: -100, north: 4 }]);
    expect(boxesOf([190, 2, -190, 4])).toEqual([{ west: -170, south: 2, east: 170, north: 4 }]);
    expect(boxesOf([-180.0000001, -90.1, 180.0000001, 90.1])).toHaveLength(1);
  });

  it.each([[[]], [[1, 2, 3]], [[1, 2, 3, 4, 5]], [[1, 5, 3, 4]], [[1, 2, 3, Number.NaN]]])(
    "%j is refused",
    (numbers) => {
      expect(() => boxesOf(numbers)).toThrow(Unreadable);
    },
  );
});
