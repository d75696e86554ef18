/** What a caller writes stays text in Lucene's language, whatever it is: read back by the rules of that language. */
import { describe, expect, it } from "vitest";
import {
  anyOf,
  clause,
  exactly,
  literal,
  NOTHING,
  nested,
  noneOf,
  sortedFrom,
  startsWith,
  uncached,
  wildcards,
} from "../../../src/domain/search/lucene.js";
import { chance, SEED } from "../../support/run/trials.js";

/** The text in quotes that is all of a value: only a quote and a backslash are special in it. */
function quoted(text: string): string {
  const whole = /^"((?:[^"\\]|\\.)*)"$/su.exec(text);
  if (whole === null) throw new Error(`more than one text in quotes: ${text}`);
  return (whole[1] ?? "").replace(/\\(.)/gsu, "$1");
}

type Piece = string | { readonly wildcard: string };

/** A term without quotes: characters after a backslash, letters and digits as they are, and wildcards. */
function bare(text: string): Piece[] {
  const pieces: Piece[] = [];
  let rest = text;
  while (rest !== "") {
    const [whole = "", escaped, plain, wildcard] =
      /^(?:\\(.)|([\p{L}\p{N}_])|([*?]))/su.exec(rest) ?? [];
    if (whole === "") throw new Error(`what Lucene takes for its own: ${rest}`);
    pieces.push(wildcard === undefined ? (escaped ?? plain ?? "") : { wildcard });
    rest = rest.slice(whole.length);
  }
  return pieces;
}

const SPECIAL = [..."+-&|!(){}[]^\"~:/\\<>=,.;#%$@ \t\n'", "&&", "||", " OR ", " TO ", "{!lucene}"];
const PLAIN = ["a", "Z", "9", "_", "ä", "\u{1F30D}", "\u3000", "\u0000", "AND", "NOT", "*:*"];

describe("a value", () => {
  const random = chance(SEED);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const text = (extra: readonly string[] = []): string =>
    Array.from({ length: 1 + Math.floor(random() * 6) }, () =>
      pick([...SPECIAL, ...PLAIN, ...extra]),
    ).join("");
  const isLiteral = (value: string): boolean => !/[*?]/.test(value);

  it("is one text in quotes without wildcards", () => {
    for (let i = 0; i < 5000; i += 1) {
      const value = text();
      if (!isLiteral(value)) continue;
      expect(quoted(clause("model", value).slice("model:".length)), `SEED=${SEED}`).toBe(value);
    }
  });

  it("is one term with wildcards, in which only these are special", () => {
    for (let i = 0; i < 5000; i += 1) {
      const parts = Array.from({ length: 3 }, () => text().replace(/[*?\\]/g, "")).map(String);
      const [a = "", b = "", c = ""] = parts;
      const value = `${a}*${b}?${c}`;
      const pieces = bare(clause("model", value).slice("model:".length));
      const expected = [...a, { wildcard: "*" }, ...b, { wildcard: "?" }, ...c];
      expect(pieces, `SEED=${SEED}: ${value}`).toEqual(expected);
    }
  });

  it("has no wildcards if it must be equal", () => {
    for (let i = 0; i < 2000; i += 1) {
      const value = text(["*", "?", "\\*"]);
      expect(quoted(exactly("owner", value).slice("owner:".length))).toBe(value);
      const beginning = startsWith("file", value).slice("file:".length);
      expect(bare(beginning)).toEqual([...value, { wildcard: "*" }]);
    }
  });

  it.each([
    ["a\\*b", '"a*b"', 0],
    ["a\\?b*", "a\\?b*", 1],
    ["a***b", "a*b", 1],
    ["a\\\\b", '"a\\\\\\\\b"', 0],
    ["\\", '"\\\\"', 0],
    ["*", "*", 1],
    ["??", "??", 2],
  ])("is escaped: %s is %s, with %d wildcards", (value, expected, count) => {
    expect(clause("model", value)).toBe(`model:${expected}`);
    expect(wildcards(value)).toBe(count);
  });

  it("is one text if it has no wildcards", () => {
    expect(literal("a\\*b\\?\\c")).toBe("a*b?\\c");
    expect(literal("")).toBe("");
    expect(literal("a*")).toBeUndefined();
    expect(literal("?")).toBeUndefined();
    expect(clause("model", "")).toBe('model:""');
  });
});

describe("clauses", () => {
  it("are joined by AND", () => {
    expect(anyOf(["a:1"])).toBe("a:1");
    expect(anyOf(["a:1", "a:2"])).toBe("(a:1 OR a:2)");
    expect(anyOf([])).toBe(NOTHING);
    expect(noneOf(["a:1", "a:2"])).toBe("-(a:1 OR a:2)");
    expect(noneOf(["a:1"])).toBe("-a:1");
  });

  it("are quoted for another parser", () => {
    expect(quoted(nested('{!field f=time op="x"}', "[a TO \\b]").slice("_query_:".length))).toBe(
      '{!field f=time op="x"}[a TO \\b]',
    );
  });

  it("can be kept out of the cache", () => {
    expect(uncached("a:1")).toBe("{!cache=false}a:1");
  });

  it("contain no character that ends a sort expression", () => {
    expect(sortedFrom("file", "/a'} b_9Zé")).toBe(
      "{!frange l='\\u002fa\\u0027\\u007d\\u0020b_9Z\\u00e9' cache=false}file",
    );
  });
});
