/** What Solr is asked for a search, and what is refused before it is asked. */
import { describe, expect, it } from "vitest";
import { InvalidParameters } from "../../src/errors.js";
import { countedFacets } from "../../src/query/counted-facets.js";
import { buildSearch, type SearchInput, type UniqKey } from "../../src/query/search.js";
import { selectionClauses } from "../../src/query/selection.js";
import { FACET_NAMES } from "../../src/vocabulary/facets.js";
import {
  type BuiltIn,
  FLAVOURS,
  searchableFacets,
  translation,
} from "../../src/vocabulary/flavours.js";

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
  it("of each flavour knows its own name of every facet, and asks for the same field", () => {
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

  it("looks at public data, or at user data alone, and at the newest versions, or at all", () => {
    expect(buildSearch(input({}))).toMatchObject({ collection: "latest", filters: ["-user:*"] });
    expect(buildSearch(input({}, {}, "user")).filters).toEqual(["user:*"]);
    expect(buildSearch(input({}, { "multi-version": true })).collection).toBe("files");
    expect(buildSearch(input({}, {}, "native", "uri")).filters).toEqual(["-user:*", "uri:*"]);
  });

  it("takes any of the values of a key, and all keys", () => {
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

  it("has a sign before a date or a degree, and no exclusion", () => {
    expect(filters({}, { time: ["-0500"] })).toEqual([
      '_query_:"{!field f=time op=Intersects}[-0500-01-01T00:00:00.000Z TO -0500-12-31T23:59:59.999Z]"',
    ]);
    expect(filters({}, { bbox: ["-10,10,-5,5"] })[0]).not.toMatch(/^-/);
    expect(filters({}, { bbox: ["!-10,10,-5,5"] })[0]).toMatch(/^-\(/);
  });

  it("relates periods as asked", () => {
    const operation = (time_select: "flexible" | "strict" | "file") =>
      /op=(\w+)/.exec(filters({}, { time: ["2000"], time_select })[0] ?? "")?.[1];
    expect(operation("flexible")).toBe("Intersects");
    expect(operation("strict")).toBe("Within");
    expect(operation("file")).toBe("Contains");
  });

  it("names everything that is wrong with it", () => {
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

  it("is bounded in values and in wildcards, however they are spread", () => {
    const many = (count: number, value: string) => Array.from({ length: count }, () => value);
    const halves = (count: number, value: string) => ({
      model: many(count / 2, value),
      variable: many(count / 2, value),
    });
    expect(filters(halves(1000, "x"))).toHaveLength(2);
    expect(issues(() => buildSearch(input(halves(1002, "x"))))).toHaveLength(1);
    expect(filters(halves(200, "a*"))).toHaveLength(2);
    expect(issues(() => buildSearch(input(halves(202, "a*"))))).toHaveLength(1);
    expect(filters(halves(202, "a\\*"))).toHaveLength(2);
  });
});

describe("the facets that are counted", () => {
  const counted = (facets?: string[], flavour: BuiltIn = "cmip6", version = false) =>
    countedFacets({
      path: { flavour: FLAVOURS[flavour] },
      query: { "multi-version": version, translate: true, facets },
    });

  it("are all but those on request, with the version where all versions are searched", () => {
    expect(counted()).not.toContain("time");
    expect(counted(["all"])).toEqual(counted());
    expect(counted(undefined, "cmip6", true)).toEqual([...counted(), "version"]);
  });

  it("are those that are named, in the order of facets, by the flavour's names", () => {
    expect(counted(["variable_id, source_id", "time"])).toEqual(["model", "variable", "time"]);
    expect(issues(() => counted(["model", "nothing"])).map(([, reason]) => reason)).toEqual([
      expect.stringContaining("source_id"),
      expect.stringContaining("nothing"),
    ]);
  });
});

describe("a selection of user data", () => {
  it("is always its owner's, and has no negation", () => {
    expect(selectionClauses('ada" OR "', { model: "!x", file: "/u/*" })).toEqual([
      'owner:"ada\\" OR \\""',
      'model:"!x"',
      "file:\\/u\\/*",
    ]);
  });

  it("knows native names alone, and names everything that is wrong", () => {
    for (const name of FACET_NAMES) {
      const value = { time: "2000", bbox: "0,1,0,1" }[name as string] ?? "x";
      expect(selectionClauses("ada", { [name]: value })).toHaveLength(2);
    }
    const found = issues(() =>
      selectionClauses("ada", { source_id: "x", time: "x", owner: "bob" }),
    );
    expect(found.map(([name]) => name)).toEqual(["source_id", "time", "owner"]);
    expect(found[0]?.[1]).toContain("model");
  });
});
