/** What the page makes of the answers about groups and pairs of values, and of a form for them. */
import { describe, expect, it } from "vitest";
import { combinationOf, rowsOf } from "../../../web/src/complete/combination.js";
import { EMPTY_NEED, isNeed, needRow, needText } from "../../../web/src/complete/needs.js";
import { matrixOf, SHADES, shadeOf } from "../../../web/src/coverage/matrix.js";
import { nextCell } from "../../../web/src/coverage/next-cell.js";

describe("a need as a row", () => {
  it("is read and written", () => {
    const text = "variable_id:tas;table_id:Amon;on=source_id;from=1850;to=2014-06";
    const row = needRow(text);
    expect(row).toEqual({
      pairs: [
        { name: "variable_id", value: "tas" },
        { name: "table_id", value: "Amon" },
      ],
      on: ["source_id"],
      from: "1850",
      to: "2014-06",
    });
    expect(row && needText(row, ["source_id", "member_id"])).toBe(text);
    expect(row && needText(row, ["source_id"])).toBe(text.replace("on=source_id;", ""));
  });

  it("keeps marks in its values", () => {
    for (const value of ["a;b", "a:b", "1*", "what?", "back\\slash", "end\\", "\\*", "on=x"]) {
      const row = { pairs: [{ name: "model", value }], on: [], from: "", to: "" };
      expect(needRow(needText(row, ["model"]))).toEqual(row);
    }
  });

  it("searches nothing before a pair is filled in, and does not exist for an invalid text", () => {
    expect(isNeed({ pairs: [{ name: "model", value: "" }], on: [], from: "1", to: "" })).toBe(
      false,
    );
    expect(needRow("nothing")).toBeUndefined();
    expect(needRow("model:a*")).toBeUndefined();
  });
});

describe("combinations of values", () => {
  const needs = (...texts: string[]) => ({
    groupBy: ["source_id"],
    rows: texts.map((text) => needRow(text) ?? { text }),
  });
  const texts = (...all: string[]) => {
    const combination = combinationOf(needs(...all));
    return combination && rowsOf(combination).map((row) => needText(row, ["source_id"]));
  };

  it("are read from requirements, and written as the same", () => {
    const all = ["a:1;b:1", "a:1;b:2", "a:2;b:1", "a:2;b:2"];
    expect(combinationOf(needs(...all))?.values).toEqual(
      new Map([
        ["a", ["1", "2"]],
        ["b", ["1", "2"]],
      ]),
    );
    expect(texts(...all)).toEqual(all);
    expect(texts("b:2;a:1", "a:1;b:1")).toEqual(["b:2;a:1", "b:1;a:1"]);
    expect(texts("a:1;from=1980;to=1999")).toEqual(["a:1;from=1980;to=1999"]);
  });

  it("are not read from other requirements", () => {
    expect(texts("a:1;b:1", "a:2;b:2")).toBeUndefined();
    expect(texts("a:1", "b:1")).toBeUndefined();
    expect(texts("a:1;a:2")).toBeUndefined();
    expect(texts("a:1;from=1980", "a:2")).toBeUndefined();
    expect(texts("a:1;on=source_id")).toBeUndefined();
    expect(texts("a:*")).toBeUndefined();
  });

  it("leave one empty requirement without a value", () => {
    const combination = combinationOf(needs("a:1"));
    expect(rowsOf({ values: new Map([["a", []]]), from: "", to: "" })).toEqual([EMPTY_NEED]);
    expect(combination?.values.size).toBe(1);
  });
});

describe("a matrix of coverage", () => {
  it("has its numbers at their rows and columns, and shades by their size", () => {
    const matrix = matrixOf({
      rows: "source_id",
      columns: "experiment_id",
      cells: "files",
      total_count: 12,
      row_values: ["a", "b"],
      column_values: ["x", "y", "z"],
      values: [
        [0, 2, 1],
        [1, 0, 1000],
      ],
    });
    // The largest sums come first.
    expect([matrix.rowValues, matrix.columnValues]).toEqual([
      ["b", "a"],
      ["x", "z", "y"],
    ]);
    expect([matrix.rowSums, matrix.columnSums]).toEqual([
      [1000, 1],
      [1000, 1, 0],
    ]);
    expect([matrix.at(1, 1), matrix.at(0, 0), matrix.at(0, 1)]).toEqual([1, 1000, undefined]);
    expect([shadeOf(0, 1000), shadeOf(1, 1000), shadeOf(1000, 1000)]).toEqual([0, 2, SHADES]);
    expect(shadeOf(1, 1)).toBe(SHADES);
  });

  it("folds rare values away, and keeps those that contain the typed text", () => {
    const rows = Array.from({ length: 100 }, (_, i) => `r${i}`);
    const coverage = {
      rows: "a",
      columns: "b",
      cells: "files" as const,
      total_count: 1,
      row_values: rows,
      column_values: ["x"],
      values: rows.map((_, i) => [i, 0, 1 + i]),
    };
    const shown = { rowFilter: "", columnFilter: "", isUnfolded: false };
    const { rowValues, foldedRows } = matrixOf(coverage, shown);
    expect([rowValues[0], rowValues.length, foldedRows]).toEqual(["r99", 60, 40]);
    expect(matrixOf(coverage, { ...shown, rowFilter: " R9" }).rowValues).toHaveLength(11);
    expect(matrixOf(coverage, { ...shown, columnFilter: "y" }).columnValues).toEqual([]);
  });

  it("has the sum of all its numbers, whatever is shown of it", () => {
    const values = Array.from({ length: 100 }, (_, i) => [i, 0, i]);
    const names = values.map((_, i) => `r${i}`);
    const named = { rows: "a", columns: "b", cells: "files" as const, total_count: 1 };
    const coverage = { ...named, row_values: names, column_values: ["x"], values };
    const turned = {
      ...coverage,
      row_values: ["x"],
      column_values: names,
      values: values.map(([row = 0, column = 0, number = 0]) => [column, row, number]),
    };
    const folded = { rowFilter: "", columnFilter: "", isUnfolded: false };
    const sums = [
      matrixOf(coverage),
      matrixOf(coverage, folded),
      matrixOf(coverage, { ...folded, rowFilter: "r9" }),
      matrixOf(turned, folded),
    ].map(({ sum }) => sum);
    expect(sums).toEqual([4950, 4950, 4950, 4950]);
  });

  it("is navigated by keys from number to number", () => {
    const matrix = matrixOf({
      rows: "source_id",
      columns: "experiment_id",
      cells: "files",
      total_count: 4,
      row_values: ["a", "b", "c"],
      column_values: ["x", "y", "z"],
      values: [
        [0, 0, 1],
        [0, 2, 1],
        [2, 0, 1],
        [2, 1, 1],
      ],
    });
    const from = (row: number, column: number, key: string) => {
      const cell = nextCell(matrix, { row, column }, key);
      return cell && [cell.row, cell.column];
    };
    expect(from(0, 0, "ArrowRight")).toEqual([0, 2]);
    expect(from(0, 0, "ArrowDown")).toEqual([1, 0]);
    expect(from(0, 2, "ArrowDown")).toEqual([1, 1]);
    expect(from(1, 1, "ArrowUp")).toEqual([0, 0]);
    expect(from(0, 2, "ArrowRight")).toBeUndefined();
    expect([from(0, 2, "Home"), from(0, 0, "End")]).toEqual([
      [0, 0],
      [0, 2],
    ]);
    expect(from(0, 0, "Tab")).toBeUndefined();
  });
});
