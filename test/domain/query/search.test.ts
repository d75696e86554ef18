/** What Solr is asked for a search, and what is refused before it is asked. */
import { describe, expect, it } from "vitest";
import { countedFacets } from "../../../src/domain/aggregation/counted-facets.js";
import { InvalidParameters } from "../../../src/domain/errors.js";
import { namedValues } from "../../../src/domain/search/named-values.js";
import { buildSearch, type SearchInput, type UniqKey } from "../../../src/domain/search/search.js";
import { selectionClauses } from "../../../src/domain/search/user-data-clause.js";
import { FACET_NAMES } from "../../../src/domain/vocabulary/facets.js";
import {
  type BuiltIn,
  FLAVOURS,
  searchableFacets,
  translation,
} from "../../../src/domain/vocabulary/flavours.js";

const PLAIN = {
  "multi-version": false,
  translate: true,
  time_select: "flexible",
  bbox_select: "flexible",
} as const;

const input = (
  filters: Record<string, string[]>,
  query: Partial<SearchInput["query"]> = {},
  flavour: BuiltIn = "native",
  uniq_key: UniqKey = "file",
): SearchInput => ({
  path: { flavour: FLAVOURS[flavour], uniq_key },
  query: { ...PLAIN, ...query, filters },
});

/** The filters beside the one that keeps user data apart. */
const filters = (...of: Parameters<typeof input>): readonly string[] =>
  buildSearch(input(...of)).filters.slice(1);

function issues(act: () => unknown): [name: string, reason: string][] {
  try {
    act();
  } catch (error) {
    if (error instanceof InvalidParameters)
      return error.issues.map(({ name, reason }) => [name, reason]);
    throw error;
  }
  throw new Error("nothing was refused");
}

describe("a search", () => {
  it("uses the facet names of each flavour, for the same fields", () => {
    for (const flavour of Object.values(FLAVOURS)) {
      for (const facet of searchableFacets(flavour)) {
        if (facet === "time" || facet === "bbox") continue;
        const own = translation(flavour).name(facet);
        const [asked = ""] = filters({ [own]: ["x"] }, {}, flavour.name as BuiltIn);
        expect(asked, `${flavour.name} ${own}`).toBe(`${facet}:"x"`);
        expect(filters({ [facet]: ["x"] }, { translate: false }, flavour.name as BuiltIn)).toEqual([
          asked,
        ]);
      }
    }
  });

  it("selects public or user data, and the newest or all versions", () => {
    const NEWEST =
      '(+latest:true -user:* -_query_:"{!join from=_replaces_ to=_dataset_version_}_replaces_:*")';
    expect(buildSearch(input({})).filters).toEqual([NEWEST]);
    expect(buildSearch(input({}, {}, "user")).filters).toEqual(["user:*"]);
    expect(buildSearch(input({}, { "multi-version": true })).filters).toEqual(["-user:*"]);
    expect(buildSearch(input({}, {}, "native", "uri")).filters).toEqual([NEWEST, "uri:*"]);
  });

  it("accepts any of the values of a key, and requires all keys", () => {
    expect(filters({ variable: ["tas", "pr"], model: ["a*"] })).toEqual([
      '(variable:"tas" OR variable:"pr")',
      "model:a*",
    ]);
  });

  it.each(["not tas", "!tas", "-tas", "! tas"])("excludes %s", (value) => {
    expect(filters({ variable: [value] })).toEqual(['-variable:"tas"']);
  });

  it("excludes by the key as well, once", () => {
    expect(filters({ variable_not_: ["tas", "!pr"], variable: ["ta"] })).toEqual([
      'variable:"ta"',
      '-(variable:"tas" OR variable:"pr")',
    ]);
  });

  it("treats a minus before a date or a degree as a sign, not as an exclusion", () => {
    expect(filters({}, { time: ["-0500"] })).toEqual([
      '_query_:"{!field f=time op=Intersects}[-0500-01-01T00:00:00.000Z TO -0500-12-31T23:59:59.999Z]"',
    ]);
    expect(filters({}, { bbox: ["-10,10,-5,5"] })[0]).not.toMatch(/^-/);
    expect(filters({}, { bbox: ["!-10,10,-5,5"] })[0]).toMatch(/^-\(/);
  });

  it("relates periods as the selection says", () => {
    const operation = (time_select: "flexible" | "strict" | "file") =>
      /op=(\w+)/.exec(filters({}, { time: ["2000"], time_select })[0] ?? "")?.[1];
    expect(operation("flexible")).toBe("Intersects");
    expect(operation("strict")).toBe("Within");
    expect(operation("file")).toBe("Contains");
  });

  it.each([
    ["199001-199912", "1990-01 to 1999-12"],
    ["199001", "1990-01"],
    ["1990s", "1990 to 1999"],
    ["1990-95", "1990 to 1995"],
    ["from 1990 to 2000", "1990 to 2000"],
    ["since  1990-06", "1990-06 to"],
    ["March 1990", "1990-03"],
    ["1990..2000", "1990 to 2000"],
  ])("refuses the period %s, and says that %s may be meant", (text, meant) => {
    expect(issues(() => buildSearch(input({}, { time: [text] })))).toEqual([
      ["time", `"${text}" is not a period: write ${meant}`],
    ]);
  });

  it.each(["199095", "1990-13"])("refuses the period %s, and supposes nothing", (text) => {
    const found = issues(() => buildSearch(input({}, { time: [text] })));
    expect(found).toHaveLength(1);
    expect(String(found)).not.toContain(": write");
  });

  it("selects all data by the period of constant data, and nothing else by it", () => {
    expect(filters({}, { time: ["fx"] })).toEqual([
      '_query_:"{!field f=time op=Contains}[* TO *]"',
    ]);
  });

  it("reads details as text, and booleans by their words", () => {
    expect(filters({ units: ["K*"], file: ["/a"], uri: ["u"] })).toEqual([
      "units:K*",
      'file:"/a"',
      'uri:"u"',
    ]);
    expect(filters({ retracted: ["Yes", "not no"] })).toEqual([
      'retracted:"true"',
      '-retracted:"false"',
    ]);
    expect(filters({ retracted_not_: ["0"] })).toEqual(['-retracted:"false"']);
    expect(issues(() => buildSearch(input({ retracted: ["maybe"] })))).toEqual([
      ["retracted", "must be true or false"],
    ]);
  });

  it("accepts a box that was written as a list of four", () => {
    const [text] = filters({}, { bbox: ["0,10,20,30"] });
    expect(filters({}, { bbox: ["0", "10", "20", "30"] })).toEqual([text]);
    const boxes = ["0,10,20,30", "0,10,20,31", "0,10,20,32", "0,10,20,33"];
    expect(filters({}, { bbox: boxes })[0]).toContain(text);
    expect(issues(() => buildSearch(input({}, { bbox: ["0", "10", "20", "30,"] })))).toHaveLength(
      4,
    );
    expect(issues(() => buildSearch(input({}, { bbox: ["0", "10", "20"] })))).toHaveLength(3);
  });

  it("negates only by the start of a value", () => {
    expect(filters({ variable: ["a-b", "is not c", "d!"] })).toEqual([
      '(variable:"a-b" OR variable:"is not c" OR variable:"d!")',
    ]);
    expect(filters({}, { time: ["not  2000"] })[0]).toMatch(/^-_query_/);
    expect(issues(() => buildSearch(input({}, { time: ["200!0"] })))).toHaveLength(1);
  });

  it("has versions only if all are searched, and no key of an inherited property", () => {
    expect(filters({ version: ["v1"] }, { "multi-version": true })).toEqual(['version:"v1"']);
    expect(issues(() => buildSearch(input({ size: ["1"] })))).toEqual([
      ["size", "cannot be searched: it is a range without discrete values"],
    ]);
    expect(issues(() => buildSearch(input({ "": ["1"] })))).toHaveLength(1);
    expect(filters({}, { time: undefined, bbox: undefined })).toEqual([]);
  });

  it("names the key of each error", () => {
    const where = (act: () => unknown): unknown => {
      try {
        return act();
      } catch (error) {
        return (error as InvalidParameters).issues.map((issue) => issue.in);
      }
    };
    const wrong = (of: Record<string, string[]>) => where(() => buildSearch(input(of)));
    expect(wrong({ modle: ["x"], variable: [""] })).toEqual(["query", "query"]);
    const counting = { "multi-version": false, translate: true, facets: ["x"] };
    expect(
      where(() => countedFacets({ path: { flavour: FLAVOURS.cmip6 }, query: counting })),
    ).toEqual(["query"]);
    expect(where(() => selectionClauses("ada", { x: "x" }))).toEqual(["body"]);
    const many = wrong({ variable: Array.from({ length: 1001 }, () => "a*") });
    expect(many).toEqual(["query", "query"]);
  });

  it("names all its errors", () => {
    const found = issues(() =>
      buildSearch(
        input({ modle: ["x"], version: ["v1"], variable: [""] }, { time: ["x"], bbox: ["1,2"] }),
      ),
    );
    expect(found.map(([name]) => name)).toEqual(["time", "bbox", "modle", "version", "variable"]);
    expect(Object.fromEntries(found)).toMatchObject({
      modle: expect.stringContaining("model"),
      version: expect.stringContaining("multi-version=true"),
      variable: "must not be empty",
    });
  });

  it("explains the first of very many unknown keys, each of which is compared with all names", () => {
    const names = Array.from({ length: 2000 }, (_, i) => `modle${i}`);
    const found = issues(() =>
      buildSearch(input(Object.fromEntries(names.map((name) => [name, ["x"]])))),
    );
    expect(found.map(([name]) => name)).toEqual(names);
    const explained = found.filter(([, reason]) => String(reason).includes("did you mean"));
    expect(explained.map(([name]) => name)).toEqual(names.slice(0, 20));
  });

  it("is bounded in values and in wildcards, however they are spread", () => {
    const many = (count: number, value: string) => Array.from({ length: count }, () => value);
    const halves = (count: number, value: string) => ({
      model: many(count / 2, value),
      variable: many(count / 2, value),
    });
    expect(filters(halves(1000, "x"))).toHaveLength(2);
    expect(issues(() => buildSearch(input(halves(1002, "x"))))).toEqual([
      ["filters", "has 1002 values; at most 1000 are allowed"],
    ]);
    expect(issues(() => buildSearch(input({ model: many(200_000, "x") })))).toEqual([
      ["filters", "has 200000 values; at most 1000 are allowed"],
    ]);
    expect(filters(halves(200, "a*"))).toHaveLength(2);
    expect(issues(() => buildSearch(input(halves(202, "a*"))))).toEqual([
      ["filters", "has 202 wildcards; at most 200 are allowed"],
    ]);
    expect(filters(halves(202, "a\\*"))).toHaveLength(2);
  });
});

describe("the facets to explain a search by", () => {
  const values = (of: Record<string, string[]>, flavour: BuiltIn = "cmip6") =>
    namedValues(buildSearch(input(of, { "multi-version": true }, flavour)).constraints).map(
      ({ constraint: { name, included }, field, value, clause, isAlone }) => ({
        ...{ name, field, value, clause, included },
        alone: isAlone,
      }),
    );

  it("are searched in all that the flavour can see, in any version", () => {
    expect(buildSearch(input({ model: ["x"] })).population).toEqual({ filters: ["-user:*"] });
    expect(buildSearch(input({}, {}, "user")).population.filters).toEqual(["user:*"]);
  });

  it("have each value without wildcards, by the name and in the text of the caller", () => {
    const variable = { name: "variable_id", field: "variable" };
    const tas = { ...variable, value: "tas", clause: 'variable:"tas"' };
    expect(values({ variable_id: ["tas"] })).toEqual([{ ...tas, included: true, alone: true }]);
    expect(values({ variable_id: ["t*", "tas"] })).toEqual([
      { ...tas, included: true, alone: false },
    ]);
    expect(
      values({ variable_id_not_: ["tas"], file: ["a\\*"], uri: ["u"], version: ["v1"] }),
    ).toEqual([
      {
        name: "file",
        field: "file",
        value: "a*",
        clause: 'file:"a*"',
        included: true,
        alone: true,
      },
      { name: "uri", field: "uri", value: "u", clause: 'uri:"u"', included: true, alone: true },
      {
        name: "version",
        field: "version",
        value: "v1",
        clause: 'version:"v1"',
        included: true,
        alone: true,
      },
      { ...tas, included: false, alone: false },
    ]);
  });

  it("exclude users' names, periods, boxes and booleans", () => {
    expect(values({ user: ["ada"], retracted: ["true"] }, "user")).toEqual([]);
    const { constraints } = buildSearch(input({}, { time: ["2000"], bbox: ["0,1,0,1"] }));
    expect(namedValues(constraints)).toEqual([]);
  });
});

describe("the counted facets", () => {
  const counted = (facets?: string[], flavour: BuiltIn = "cmip6", version = false) =>
    countedFacets({
      path: { flavour: FLAVOURS[flavour] },
      query: { "multi-version": version, translate: true, facets },
    });

  it("are all but those on request, with the version if all versions are searched", () => {
    expect(counted()).not.toContain("time");
    expect(counted()).toContain("variable");
    expect(counted(["", " , "])).toEqual(counted());
    expect(counted(["*"])).toEqual(counted());
    expect(counted(["version", "model"], "native", true)).toEqual(["model", "version"]);
    expect(counted(["all"])).toEqual(counted());
    expect(counted(undefined, "cmip6", true)).toEqual([...counted(), "version"]);
  });

  it("are the named ones, in the order of facets, by the flavour's names", () => {
    expect(counted(["variable_id, source_id", "time"])).toEqual(["model", "variable", "time"]);
    expect(counted(["units, model", "retracted"], "native")).toEqual([
      "model",
      "units",
      "retracted",
    ]);
    expect(issues(() => counted(["size", "tracking_id", "unit"]))).toEqual([
      ["facets", '"size" cannot be counted: it is a range without discrete values'],
      ["facets", '"tracking_id" cannot be counted: nearly every file or dataset has its own value'],
      ["facets", expect.stringMatching(/^"unit" is not a facet of cmip6; .*units/)],
    ]);
    expect(issues(() => counted(["version"]))).toEqual([
      ["facets", '"version" requires multi-version=true'],
    ]);
    expect(issues(() => counted(["model", "nothing"])).map(([, reason]) => reason)).toEqual([
      expect.stringContaining("source_id"),
      expect.stringContaining("nothing"),
    ]);
  });
});

describe("a selection of user data", () => {
  it("is always limited to its owner, and has no negation", () => {
    expect(selectionClauses('ada" OR "', { model: "!x", file: "/u/*" })).toEqual([
      'owner:"ada\\" OR \\""',
      'model:"!x"',
      "file:\\/u\\/*",
    ]);
  });

  it("accepts native names alone, and names all errors", () => {
    for (const name of FACET_NAMES) {
      const value = { time: "2000", bbox: "0,1,0,1" }[name as string] ?? "x";
      expect(selectionClauses("ada", { [name]: value })).toHaveLength(2);
    }
    expect(selectionClauses("ada", { uri: "u", version: "v*", time: "2000" }).slice(1)).toEqual([
      'uri:"u"',
      "version:v*",
      expect.stringContaining("op=Intersects"),
    ]);
    expect(selectionClauses("ada", { bbox: "0,1,0,1" })[1]).toBe(
      filters({}, { bbox: ["0,1,0,1"] })[0],
    );
    const found = issues(() =>
      selectionClauses("ada", { source_id: "x", time: "x", owner: "bob" }),
    );
    expect(found.map(([name]) => name)).toEqual(["source_id", "time", "owner"]);
    expect(found[0]?.[1]).toContain("model");
  });
});
