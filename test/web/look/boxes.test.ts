/** Boxes and named regions, as the page makes `bbox` of them. */
import { describe, expect, it } from "vitest";
import { boxAround, findRegions, NAMED_REGIONS } from "../../../src/domain/extent/named-regions.js";
import { readRegion } from "../../../src/domain/extent/region.js";
import {
  type Box,
  boxBetween,
  boxOf,
  boxText,
  boxWords,
  moved,
  onMap,
  resized,
} from "../../../web/src/place/region/box.js";
import { chance, SEED } from "../../support/run/trials.js";

describe("a box", () => {
  it.each([
    ["10,50,-5,5", "10,50,-5,5"],
    ["170,-170,-10,10", "170,-170,-10,10"],
    ["350,10,40,60", "-10,10,40,60"],
    ["170,190,0,1", "170,-170,0,1"],
    ["0,360,-90,90", "-180,180,-90,90"],
    ["-180,180,0,1", "-180,180,0,1"],
    ["180,-170,0,1", "-180,-170,0,1"],
    ["150,180,0,1", "150,180,0,1"],
    ["5,5,7,7", "5,5,7,7"],
  ])("%s is written %s", (text, written) => {
    const box = boxOf(text);
    expect(box && boxText(box)).toBe(written);
  });

  it("does not exist for an exclusion or an invalid text", () => {
    for (const text of ["!1,2,3,4", "not 1,2,3,4", "1,2,3", "1,2,9,3", "x"]) {
      expect([text, boxOf(text)]).toEqual([text, undefined]);
    }
  });

  it("is drawn over the edge of the map", () => {
    expect(boxText(boxBetween([200, -10], [170, 10]))).toBe("170,-160,-10,10");
    expect(boxText(boxBetween([-200, -95], [-170, 95]))).toBe("160,-170,-90,90");
    const box = boxBetween([170, 0], [200, 10]);
    expect(onMap(box, -180)).toEqual([
      [-180, -160],
      [170, 180],
    ]);
    expect(onMap(box, 0)).toEqual([[170, 200]]);
    expect(onMap(boxBetween([-180, 0], [180, 1]), 0)).toEqual([[0, 360]]);
  });

  it("stops at the poles, at its other side, and after one turn", () => {
    const box: Box = { west: 10, east: 20, south: 80, north: 85 };
    expect(moved(box, 355, 30)).toEqual({ west: 5, east: 15, south: 85, north: 90 });
    expect(resized(box, "south", 30).south).toBe(85);
    expect(resized(box, "north", 30).north).toBe(90);
    expect(resized(box, "east", -30).east).toBe(10);
    expect(boxText(resized(box, "east", 400))).toBe("-180,180,80,85");
  });

  it("has the same meaning on the page and in the service, wherever it was moved", () => {
    const next = chance(SEED);
    const any = (least: number, most: number) => least + Math.round(next() * (most - least));
    for (let attempt = 0; attempt < 500; attempt++) {
      const west = any(-400, 400);
      const south = any(-90, 80);
      const start = boxBetween([west, south], [west + any(0, 359), any(south, 90)]);
      const box = moved(start, any(-500, 500), any(-100, 100));
      const read = readRegion(boxText(box));
      expect([box.west, box.east, box.south, box.north, SEED]).toEqual([
        read.west,
        read.east,
        read.south,
        read.north,
        SEED,
      ]);
      expect([box.east - box.west, SEED]).toEqual([start.east - start.west, SEED]);
      const seen = onMap(box, any(-180, 0)).reduce((sum, [from, to]) => sum + to - from, 0);
      expect([seen, SEED]).toEqual([box.east - box.west, SEED]);
    }
  });

  it("is described in words", () => {
    expect(boxWords({ west: 170, east: 190, south: -10, north: 0 })).toBe(
      "170°E to 170°W, 10°S to 0°",
    );
    expect(boxWords({ west: -180, east: 180, south: -90, north: 90 })).toBe(
      "all longitudes, 90°S to 90°N",
    );
  });
});

describe("the regions of AR6", () => {
  it("are those of version 4", () => {
    const onLand = NAMED_REGIONS.filter(({ surface }) => surface !== "ocean");
    const onOcean = NAMED_REGIONS.filter(({ surface }) => surface !== "land");
    expect([onLand.length, onOcean.length]).toEqual([46, 15]);
    expect(new Set(NAMED_REGIONS.map(({ code }) => code)).size).toBe(58);
  });

  it.each([
    ["MED", "-10,40,30,45"],
    ["RAR", "40,-168,65,82"],
    ["NPO", "132,-91.7,7.6,65"],
    ["EPO", "132,-83.4,-10,7.6"],
    ["SPO", "155,-74.6,-56,-10"],
    ["EAN", "-180,180,-90,-64"],
    ["NZ", "155,180,-50,-30"],
    ["ARO", "-180,180,72.6,90"],
    ["SOO", "-180,180,-75,-36"],
    ["WAN", "-180,-56,-83,-62"],
  ])("%s lies within %s", (code, text) => {
    const [region] = findRegions(code);
    expect(region && boxText(boxAround(region))).toBe(text);
  });

  it("are found by code, name and surface", () => {
    expect(findRegions("med")[0]?.name).toBe("Mediterranean");
    expect(findRegions("russian far").map(({ code }) => code)).toEqual(["RFE"]);
    expect(findRegions("west europe").map(({ code }) => code)).toEqual(["WCE"]);
    expect(findRegions("atlantis")).toEqual([]);
    expect(findRegions("")).toHaveLength(58);
  });
});
