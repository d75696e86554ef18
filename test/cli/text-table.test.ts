/** Text for people: how wide it is, tables that fit, colours. */
import { describe, expect, it } from "vitest";
import { lookOf } from "../../src/cli/terminal/terminal.js";
import {
  cut,
  padStart,
  properties,
  table,
  widthOf,
  wrap,
} from "../../src/cli/terminal/text-table.js";

const plain = (columns?: number) => lookOf(columns === undefined ? {} : { columns }, {});

describe("a text on a terminal", () => {
  it.each([
    ["tas", 3],
    ["氷河", 4],
    ["e\u0301", 1],
    ["ｆ", 2],
    ["한글", 4],
    ["🌍", 2],
    ["", 0],
  ])("takes the right number of columns: %j, %i", (text, width) => {
    expect(widthOf(text)).toBe(width);
    expect(widthOf(padStart(text, 10))).toBe(10);
  });

  it("is cut and wrapped by its width", () => {
    expect(cut("氷河の氷", 6)).toBe("氷河…");
    expect(cut("tas", 3)).toBe("tas");
    expect(wrap("one two three", 7)).toEqual(["one two", "three"]);
    expect(wrap("氷河の氷 x", 5)).toEqual(["氷河", "の氷", "x"]);
    expect(wrap("a bcdefgh", 4)).toEqual(["a", "bcde", "fgh"]);
  });
});

describe("a table", () => {
  const columns = [{ name: "files", isNumber: true }, { name: "model" }, { name: "what" }];
  const rows = [
    ["1,234", "氷", "one two three four five six seven"],
    ["5", "mpi", "x\u001b[2J"],
  ];

  it("aligns numbers, and wraps a row below itself if it has no space", () => {
    expect(table(columns, rows, plain(34)).split("\n")).toEqual([
      "files  model  what",
      "1,234  氷     one two three four",
      "              five six seven",
      "    5  mpi    x\\u001b[2J",
    ]);
    const lines = properties([["name", "a b c d e f g h i j"]], plain(24)).split("\n");
    expect(lines).toEqual(["name  a b c d e f g h i", "      j"]);
  });

  it("is 80 wide if no width is known; colours are used on a terminal, refused and forced", () => {
    expect(plain().width).toBe(80);
    const bold = (isTTY: boolean, env: NodeJS.ProcessEnv) =>
      lookOf({ isTTY }, env).bold("x") !== "x";
    expect(bold(true, {})).toBe(true);
    expect(bold(false, {})).toBe(false);
    expect(bold(true, { NO_COLOR: "1" })).toBe(false);
    expect(bold(true, { NO_COLOR: "" })).toBe(true);
    expect(bold(true, { TERM: "dumb" })).toBe(false);
    expect(bold(false, { FORCE_COLOR: "1" })).toBe(true);
    expect(bold(true, { FORCE_COLOR: "0" })).toBe(false);
  });
});
