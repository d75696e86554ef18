/** Which boxes a region finds: each clause, read by the rules of its language, held against arcs on a circle. */
import { describe, expect, it } from "vitest";
import { regionClause } from "../../../src/domain/search/region-clause.js";
import { type Box, relates } from "../../support/data/arcs.js";
import { chance, SEED } from "../../support/run/trials.js";
import { holds, ruleOf } from "./holds.js";

const next = chance(SEED);
const tenths = (from: number, to: number) => Math.round((from + next() * (to - from)) * 10) / 10;
const box = (least: number, most: number): Box => {
  const [south = 0, north = 0] = [tenths(-90, 90), tenths(-90, 90)].sort((a, b) => a - b);
  return [tenths(least, most), tenths(least, most), south, north];
};

const fields = ([bbox_west, bbox_east, bbox_south, bbox_north]: Box) => ({
  bbox_west,
  bbox_east,
  bbox_south,
  bbox_north,
});

const GLOBAL: Box[] = [
  [0, 360, -90, 90],
  [-180, 180, -90, 90],
  [-180, 360, -90, 90],
];
const REGIONS: Box[] = [
  ...GLOBAL,
  [350, 360, 0, 10],
  [350, 10, 0, 10],
  [100, 110, 0, 10],
  [179.2, 179.8, 0, 10],
  [-180, -180, 0, 0],
  [0.5, 359.5, -90, 90],
  ...Array.from({ length: 60 }, () => box(-180, 360)),
];
/** Longitudes of the globe by several customs: an ocean model's from -280 to 80, cells around -180, turns too many. */
const DOCUMENTS: Box[] = [
  ...REGIONS,
  [-280, 80, -90, 90],
  [-280, -200, -10, 20],
  [-180.9, 179.1, -90, 90],
  [73, 433, -90, 90],
  [-360, -350, 0, 10],
  [710, 720, 0, 10],
  [720, -360, 0, 10],
  [720, 0, 0, 10],
  [720, 360, 0, 10],
  [719, -360, 0, 10],
  [360, -360, 0, 10],
  [350, -20, 0, 10],
  ...Array.from({ length: 200 }, () => box(-360, 720)),
];

describe("a region", () => {
  it.each(["flexible", "strict", "file"] as const)(
    "finds with bbox_select=%s the boxes of that relation, whatever numbers stand for a meridian",
    (select) => {
      for (const region of REGIONS) {
        const rule = ruleOf(regionClause(region.join(","), select));
        const wrong = DOCUMENTS.filter(
          (document) => rule(fields(document)) !== relates(select, document, region),
        );
        expect(wrong, `SEED=${SEED}: ${region}`).toEqual([]);
      }
    },
  );

  it("is covered by the globe, although the last step of a grid is missing", () => {
    const clause = regionClause("350,10,0,10", "file");
    const almost = { bbox_west: 0, bbox_east: 359.99995, bbox_south: -90, bbox_north: 90 };
    expect(holds(clause, almost)).toBe(true);
    expect(holds(clause, { ...almost, bbox_east: 359.9 })).toBe(false);
  });

  it("is written in numbers without the noise of binary fractions", () => {
    expect(regionClause("0.1,0.3,0,1", "flexible")).toContain("+bbox_west:[* TO -359.7]");
  });

  it("is compared with no more turns of the globe than documents can have", () => {
    const places = (region: string) => regionClause(region, "flexible").split("+bbox_west:").length;
    expect(places("-10,30,0,10") - 1).toBe(4 + 5 + 4 + 3);
    expect(places("100,110,0,10") - 1).toBe(3 + 4 + 3 + 2);
    expect(places("-180,180,0,10") - 1).toBe(0);
  });
});
