/** Forms in which clients write several values, and filters as a whole. */
import { describe, expect, it } from "vitest";
import { queryOf } from "../../../src/server/contract/input/decode-query.js";
import { attempts, chance, SEED, tried } from "../../support/run/trials.js";

interface Decoded {
  readonly time?: readonly string[];
  readonly bbox?: readonly string[];
  readonly filters: Readonly<Record<string, readonly string[]>>;
}

/** What is read of a query, or the reasons for which it is refused. */
function read(query: string): Decoded | string[] {
  const all = new URLSearchParams(query);
  const given = Object.fromEntries([...all.keys()].map((key) => [key, all.getAll(key)]));
  const result = queryOf("searchData").safeParse(given);
  if (result.success) return result.data as Decoded;
  return result.error.issues.map(({ path, message }) => `${path.join(".")} ${message}`);
}

const filters = (query: string) => {
  const result = read(query);
  return Array.isArray(result) ? result : result.filters;
};

describe("unknown parameters", () => {
  it("are all refused, and the first twenty with the names that may be meant", () => {
    const given = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`limt${n}`, "x"]));
    const issues = queryOf("stacSearch").safeParse(given).error?.issues ?? [];
    expect(issues).toHaveLength(50);
    const explained = issues.map(({ message }) => message.includes("did you mean limit"));
    expect(explained).toEqual(Array.from({ length: 50 }, (_, n) => n < 20));
  });
});

describe("several values of a key", () => {
  it.each([
    ["JSON", 'variable=["tas","pr"]'],
    ["JSON with blanks", 'variable=[ "tas" , "pr" ]'],
    ["JSON and a plain value", 'variable=["tas"]&variable=pr'],
    ["brackets", "variable[]=tas&variable[]=pr"],
    ["indices", "variable[0]=tas&variable[1]=pr"],
    ["brackets of a table", "filters[variable]=tas&filters[variable]=pr"],
    ["brackets of a list in a table", "filter[variable][]=tas&filters[variable][1]=pr"],
    ["JSON in brackets of a table", 'filters[variable]=["tas","pr"]'],
    ["a table in JSON", 'filters={"variable":["tas","pr"]}'],
    ["a table in JSON under the other name", 'filter={"variable":["tas","pr"]}'],
    ["an item with JSON", 'filter=variable=["tas","pr"]'],
    ["items in JSON", 'filter=["variable=tas","variable=pr"]'],
    ["all of them", 'variable[]=tas&filters={"variable":"pr"}'],
  ])("are read from %s", (_, query) => {
    expect(filters(query)).toEqual({ variable: ["tas", "pr"] });
  });

  it("are excluded if a list is, or one of its values", () => {
    expect(filters('variable=!["tas","pr"]')).toEqual({ variable: ["!tas", "!pr"] });
    expect(filters('variable=["!tas","pr"]')).toEqual({ variable: ["!tas", "pr"] });
    expect(filters('filters[variable_not_]=["tas"]')).toEqual({ variable_not_: ["tas"] });
  });

  it("are read in parameters with a form as well, whose own brackets keep their meaning", () => {
    expect(read('time=["2000","2001 to 2002"]')).toMatchObject({ time: ["2000", "2001 to 2002"] });
    expect(read("time=[2000 TO 2001]")).toMatchObject({ time: ["[2000 TO 2001]"] });
    expect(read("filters[time]=2000")).toMatchObject({ time: ["2000"], filters: {} });
    expect(read('filters={"bbox":"-10,30,35,70"}')).toMatchObject({ bbox: ["-10,30,35,70"] });
    expect(read('bbox=["-10,30,35,70"]')).toMatchObject({ bbox: ["-10,30,35,70"] });
    expect(read("bbox[]=-10,30,35,70")).toMatchObject({ bbox: ["-10,30,35,70"] });
    expect(read("multi-version[]=true")).toMatchObject({ "multi-version": true });
  });

  it.each([
    ["as Python prints them", "variable=['tas', 'pr']"],
    ["as Java prints them", "variable=[tas, pr]"],
    ["nested", 'variable=[["tas"]]'],
    ["as a table", 'variable={"in":["tas"]}'],
    ["none", "variable=[]"],
    ["one of them empty", 'variable=["tas",""]'],
    ["null", 'variable=["tas",null]'],
    ["none in a table", 'filters={"variable":[]}'],
    ["a table in a table", 'filters={"variable":{"in":["tas"]}}'],
  ])("are refused %s, with the right form", (_, query) => {
    const reasons = filters(query);
    expect(reasons).toEqual([
      expect.stringMatching(/once for each value: key=a&key=b|must not be empty/),
    ]);
  });

  it.each([
    "filters=experiment_id,historical",
    "filters=experiment_id=historical",
    'filters=["experiment_id","historical"]',
    'filters={"experiment_id":"historical"',
  ])("are refused as filters if %s means nothing, with the right form", (query) => {
    expect(filters(query)).toEqual([expect.stringMatching(/each is a parameter of its own/)]);
  });

  it("are like any other value", () => {
    for (const value of [
      "[",
      "]",
      "[]x",
      "[a]",
      "x[1]",
      '"tas"',
      "{a}",
      "{!term f=project}cmip6",
      "a,b",
      "[* TO *]",
      "/data/[x], [y].nc",
      "$[0]",
      "{",
      "[{",
    ]) {
      expect(filters(`file=${encodeURIComponent(value)}`)).toEqual({ file: [value] });
    }
  });

  it("never reach properties of every object", () => {
    for (const query of [
      "filters[__proto__]=x",
      'filters={"__proto__":"x"}',
      "filter=__proto__=x",
      'filters={"__proto__":["x"]}',
    ]) {
      expect(Array.isArray(filters(query)), query).toBe(true);
    }
    expect(filters("filters[constructor]=x")).toEqual({ constructor: ["x"] });
  });

  it("are the same in every form, whatever they are", () => {
    const turns = attempts(300, 100_000);
    tried(turns);
    const random = chance(SEED);
    const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
    const letters = [
      "a",
      "B",
      "é",
      "💥",
      '"',
      "\\",
      ",",
      " ",
      "[",
      "]",
      "{",
      "}",
      ":",
      "!",
      "*",
      "=",
    ];
    for (let turn = 0; turn < turns; turn += 1) {
      // Letters around it, so that none of the values is a list or a table itself.
      const values = Array.from({ length: 1 + Math.floor(random() * 3) }, () =>
        ["x", ...Array.from({ length: Math.floor(random() * 6) }, () => pick(letters)), "y"].join(
          "",
        ),
      );
      const json = JSON.stringify(values);
      const forms = [
        values.map((value) => ["model", value]),
        values.map((value) => ["model[]", value]),
        values.map((value, index) => [`model[${index}]`, value]),
        values.map((value) => ["filters[model]", value]),
        values.map((value) => ["filter", `model=${value}`]),
        [["model", json]],
        [["filters[model]", json]],
        [["filters", `{"model":${json}}`]],
        [["filter", JSON.stringify(values.map((value) => `model=${value}`))]],
      ];
      for (const form of forms) {
        const query = new URLSearchParams(form).toString();
        expect(filters(query), `SEED=${SEED}: ${query}`).toEqual({ model: values });
      }
    }
  }, 300_000);
});
