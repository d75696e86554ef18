/** What the search view makes of texts, held against what the service understands by them. */
import { describe, expect, it } from "vitest";
import { literal, wildcards } from "../../../src/domain/search/lucene.js";
import {
  constraintsOf,
  drop,
  dropKey,
  dropValue,
  facetConstraints,
  replaceValue,
  translated,
} from "../../../web/src/search/constraints.js";
import { isPattern, matcher, searchedText } from "../../../web/src/search/value-text.js";
import { expectBelow } from "../../support/run/bounds.js";
import { chance, SEED } from "../../support/run/trials.js";

const random = chance(SEED);
const pick = (signs: string, most: number): string =>
  Array.from(
    { length: 1 + Math.floor(random() * most) },
    () => signs[Math.floor(random() * signs.length)],
  ).join("");

/** A slow way to say which texts a pattern means. */
const asExpression = (pattern: string): RegExp =>
  new RegExp(
    `^${(pattern.match(/\\[*?]|[\s\S]/g) ?? [])
      .map((part) => {
        if (part === "*") return ".*";
        return part === "?" ? "." : part.slice(-1).replace(/[\\*?.[\]-]/, "\\$&");
      })
      .join("")}$`,
    "s",
  );

describe("the texts of a search", () => {
  it("are read by the service as the same value, or as a pattern that matches it", () => {
    for (let turn = 0; turn < 2_000; turn += 1) {
      const value = pick("ab*?\\-![{]} not", 8).toLowerCase();
      const text = searchedText(value);
      if (!isPattern(text)) expect(literal(text)).toBe(value);
      else expect(wildcards(text)).toBe(1);
      expect(isPattern(text)).toBe(literal(text) === undefined);
      expect([value, matcher(text)(value)]).toEqual([value, true]);
      // Neither excludes, nor is a list.
      expect(text).not.toMatch(/^(?:not |!|-|\s*[[{])/);
    }
  });

  it("mean the values that a pattern means", () => {
    for (let turn = 0; turn < 5_000; turn += 1) {
      const pattern = pick("ab*?\\", 7);
      const value = pick("ab*?\\", 7);
      expect([pattern, value, matcher(pattern)(value)]).toEqual([
        pattern,
        value,
        asExpression(pattern).test(value),
      ]);
    }
    // Whatever somebody puts into an address.
    const begin = performance.now();
    expect(matcher(`${"*a".repeat(2_000)}b`)("a".repeat(2_000))).toBe(false);
    expectBelow(performance.now() - begin, 1_000);
  });

  it("are read as constraints in all spellings, and changed one by one", () => {
    const address =
      "flavour=cmip6&variable_id=TAS&variable_id[]=pr&source_id_not_=a*&table_id=!day&filter=realm=ocean&time=not 1990&multi_version=true&rows=x";
    const query = new URLSearchParams(address);
    const pairs = [...query].slice(1) as [string, string][];
    const all = constraintsOf(pairs);
    expect(all.map(({ kind, name, value, isExcluded }) => [kind, name, value, isExcluded])).toEqual(
      [
        ["value", "variable_id", "TAS", false],
        ["value", "variable_id", "pr", false],
        ["value", "source_id", "a*", true],
        ["value", "table_id", "day", true],
        ["value", "realm", "ocean", false],
        ["period", "time", "1990", true],
        ["setting", "multi_version", "true", false],
        ["value", "rows", "x", false],
      ],
    );
    const { isChosen, isExcluded, named } = facetConstraints(all, "variable_id");
    expect([named, isChosen("tas"), isExcluded("tas"), isChosen("ta")]).toEqual([
      ["tas", "pr"],
      true,
      false,
      false,
    ]);
    dropValue(query, "variable_id", "tas");
    dropKey(query, "table_id_not_");
    dropKey(query, "realm");
    dropKey(query, "source_id");
    for (const one of all) if (one.kind === "period") drop(query, one);
    replaceValue(query, { name: "variable_id", value: "PR", near: "prc" });
    expect(query.toString()).toBe(
      "flavour=cmip6&source_id_not_=a*&multi_version=true&rows=x&variable_id=prc",
    );
  });

  it("have the names of another flavour, except native ones", () => {
    const cmip6 = { experiment: "experiment_id", model: "source_id", variable: "variable_id" };
    const nextgems = { product: "experiment_id", experiment: "simulation_id", model: "source_id" };
    const search: [string, string][] = [
      ["experiment_id_not_", "x"],
      ["variable_id[]", "tas"],
      ["filter", "experiment_id=experiment_id"],
      ["time", "1990"],
    ];
    expect(translated(search, cmip6, nextgems)).toEqual([
      ["simulation_id_not_", "x"],
      ["variable[]", "tas"],
      ["filter", "simulation_id=experiment_id"],
      ["time", "1990"],
    ]);
    const native: [string, string][] = [
      ["experiment", "x"],
      ["translate", "false"],
    ];
    expect(translated(native, cmip6, nextgems)).toEqual(native);
  });
});
