/** Matrices of what a search finds are those that a filter in memory makes of the same documents. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { components } from "../../generated/openapi.js";
import { found } from "../support/known-documents.js";
import type { Pair } from "../support/random-searches.js";
import { CELLS, coverage, knownFiles } from "./expected-coverage.js";
import { inOrder, PATIENCE, RandomScene, SEARCHES } from "./random-scene.js";

/** Facets of all flavours. */
const FACETS = ["model", "experiment", "variable", "ensemble", "institute", "format", "realm"];

let scene: RandomScene;
beforeAll(async () => {
  scene = await RandomScene.start();
}, 60_000);
afterAll(() => scene.close());

describe("over random searches, a filter in memory makes", () => {
  it("the same matrices", { timeout: PATIENCE }, async () => {
    let cellsSeen = 0;
    await scene.each(3, async (search) => {
      const { pick } = scene.by;
      const of = found(scene.documents, { ...search, key: "file" });
      const [rows, columns, cells] = [pick(FACETS), pick(FACETS), pick(CELLS)];
      const asked: Pair[] = [
        ["rows", search.nameOf(rows)],
        ["columns", search.nameOf(columns)],
        ["cells", cells],
      ];
      const { name } = search.flavour;
      const answer = await scene.askJson<components["schemas"]["Coverage"]>(
        "coverage",
        search,
        name,
        asked,
      );
      const wanted = coverage(of, rows, columns, cells);
      const { row_values, column_values, values } = answer;
      const told = values.map(
        ([row = -1, column = -1, number]) =>
          [JSON.stringify([row_values[row], column_values[column]]), number] as const,
      );
      const context = `${rows} x ${columns}: ${cells}`;
      expect(inOrder(told), context).toEqual(inOrder([...wanted]));
      expect(row_values, context).toEqual([...row_values].sort());
      expect(column_values, context).toEqual([...column_values].sort());
      expect(answer.total_count).toBe(of.length);
      if (cells !== "files") expect(answer.known_files, context).toBe(knownFiles(of, cells));
      cellsSeen += told.length;
    });
    expect(cellsSeen).toBeGreaterThan(SEARCHES);
  });
});
