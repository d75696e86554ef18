/** Names of facets: what they are in each flavour, and what was meant by one that is none. */
import { describe, expect, it } from "vitest";
import { envelope, readRegion } from "../../../src/domain/extent/region.js";
import { folded, matchOf } from "../../../src/domain/suggestions/match.js";
import { valueOfField } from "../../../src/domain/suggestions/read-typed.js";
import { typedWords } from "../../../src/domain/suggestions/typed-words.js";
import { lowerCase } from "../../../src/domain/text/case-folding.js";
import { editDistance, nearest } from "../../../src/domain/text/nearest-names.js";
import { FACET_NAMES, FACETS } from "../../../src/domain/vocabulary/facets.js";
import {
  FLAVOURS,
  primaryFacets,
  searchableFacets,
  translation,
} from "../../../src/domain/vocabulary/flavours.js";
import { longName } from "../../../src/domain/vocabulary/long-names/long-names.js";
import { chance, SEED } from "../../support/run/trials.js";

describe.each(Object.values(FLAVOURS))("the flavour $name", (flavour) => {
  it("has no name for two facets, and no native name of another facet", () => {
    const names = FACET_NAMES.map(translation(flavour).name);
    expect(new Set(names).size).toBe(names.length);
    for (const facet of Object.keys(flavour.renamed)) expect(FACET_NAMES).toContain(facet);
  });

  it("keeps the native names with translate=false", () => {
    expect(FACET_NAMES.map(translation(flavour, false).name)).toEqual(FACET_NAMES);
  });

  it("has the common primary facets and its own, in the order of facets", () => {
    const primary = primaryFacets(flavour);
    expect(primary).toEqual(FACET_NAMES.filter((facet) => primary.includes(facet)));
    const common = FACET_NAMES.filter((facet) => FACETS[facet].primary);
    expect(primary).toEqual(expect.arrayContaining(common));
    const searchable: readonly string[] = searchableFacets(flavour);
    for (const facet of primary) expect(searchable).toContain(facet);
  });
});

describe("the nearest names", () => {
  const known = ["model", "variable", "experiment", "time_frequency", "project"];
  it.each([
    ["modle", "model"],
    ["MODEL", "model"],
    ["varible", "variable"],
    ["frequency", "time_frequency"],
    ["projects", "project"],
  ])("are sorted by likeness: of %s begin with %s", (name, expected) => {
    expect(nearest(name, known)[0]).toBe(expected);
  });

  it("have a distance that is 0 to itself, symmetric, and bounded by both lengths", () => {
    const random = chance(SEED);
    const word = (): string =>
      Array.from({ length: Math.floor(random() * 7) }, () => "abc"[Math.floor(random() * 3)]).join(
        "",
      );
    for (let i = 0; i < 3000; i += 1) {
      const [a, b] = [word(), word()];
      const told = `SEED=${SEED}: ${a}, ${b}`;
      expect(editDistance(a, a)).toBe(0);
      expect(editDistance(a, b), told).toBe(editDistance(b, a));
      expect(editDistance(a, b), told).toBeGreaterThanOrEqual(Math.abs(a.length - b.length));
      expect(editDistance(a, b), told).toBeLessThanOrEqual(Math.max(a.length, b.length));
      expect(editDistance(a, `${a}x`)).toBe(1);
    }
  });
});

it.each(["source_id", "my-model", "Model2-a"])(
  "the name %s is read before a typed value",
  (name) => {
    expect(valueOfField(`${name}=x-1`)).toEqual({ name, value: "x-1" });
    expect(valueOfField(`${name}:x-1`)).toEqual({ name, value: "x-1" });
    expect(typedWords(`${name}!=x-1`)).toEqual([
      { text: `${name}=x-1`, isQuoted: false, sign: "!" },
    ]);
  },
);

describe("lower case", () => {
  it.each([
    ["TAS", "tas"],
    ["ΟΔΟΣ", "οδοσ"],
    ["İ", "i"],
    ["ẞ", "ß"],
    ["\u{10400}", "\u{10428}"],
  ])("is made of %s as %s, character by character", (text, expected) => {
    expect(lowerCase(text)).toBe(expected);
  });
});

describe("a region", () => {
  it.each([
    ["-10,30,35,70", { west: -10, east: 30, south: 35, north: 70 }],
    ["170,-170,-10,10", { west: 170, east: 190, south: -10, north: 10 }],
    ["350,10,0,1", { west: 350, east: 370, south: 0, north: 1 }],
    ["0,360,-90,90", { west: 0, east: 360, south: -90, north: 90 }],
    [" 1 , 2 , .5 , 1e1 ", { west: 1, east: 2, south: 0.5, north: 10 }],
  ])("%s goes eastwards", (text, expected) => {
    expect(readRegion(text)).toEqual(expected);
  });

  it.each([
    "",
    "1,2,3",
    "1,2,3,4,5",
    "a,2,3,4",
    "1,2,4,3",
    "-181,0,0,1",
    "0,361,0,1",
    "0,1,-91,0",
    "0,1,0,91",
    "NaN,1,0,1",
    "1e400,1,0,1",
    "0x1,2,0,1",
    "1,,0,1",
    "Infinity,1,0,1",
  ])("%j is none", (text) => {
    expect(() => readRegion(text)).toThrow();
  });

  it("keeps the numbers of a document, in the order that Solr has", () => {
    expect(envelope("350,10,-5,5")).toBe("ENVELOPE(350,10,5,-5)");
    expect(envelope("ENVELOPE(350, 10, 5, -5)")).toBe("ENVELOPE(350,10,5,-5)");
    expect(() => envelope("ENVELOPE(350,10,-5,5)")).toThrow();
  });
});

describe("long names", () => {
  it.each([
    ["time_frequency", "6hr", "6-hourly", "exact"],
    ["cmor_table", "3hr", "3 hourly", "exact"],
    ["time_frequency", "1hr", "hourly", "exact"],
    ["experiment", "rcp85", "RCP8.5", "word"],
  ] as const)("lead to the %s %s from %s", (field, code, typed, match) => {
    const name = longName(field, code) ?? "";
    expect(matchOf(folded(typed), [code, folded(name)])).toBe(match);
  });

  it("do not lead from 6-hourly to other frequencies", () => {
    for (const code of ["1hr", "3hr", "30min"]) {
      const name = longName("time_frequency", code) ?? "";
      expect(matchOf(folded("6-hourly"), [code, folded(name)])).toBeUndefined();
    }
  });
});
