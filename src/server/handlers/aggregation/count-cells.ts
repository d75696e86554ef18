/** Counts the cells of a coverage matrix, within limits. */

import {
  type Matrix,
  type Plan,
  partsField,
  planByTerms,
  planCoverage,
  planOfParts,
  type Sizes,
} from "../../../domain/aggregation/coverage.js";
import { TooManyResults } from "../../../domain/errors.js";
import type { FacetSearch } from "../../../domain/search/search.js";
import type { FacetAggregation } from "../../../index/query/facet-aggregations.js";
import type { SearchClient } from "../../../index/query/query-admission.js";
import type { Solr } from "../../../index/solr.js";
import {
  type Cells,
  cellsOfParts,
  countedCells,
  isSpelledTwice,
} from "../../formats/aggregation/coverage.js";

/** Rows times columns; each cell is some 100 bytes of Solr's answer. */
const MAX_CELLS = 1_000_000;
/** Periods or members of all cells that Solr lists one by one. */
const MAX_PARTS = 2_000_000;
/** Distinct texts of the index times cells: Solr clears as many bits, within seconds. */
const MAX_PAIRS = 2.5e11;

interface Counted {
  readonly cells: Cells;
  readonly plan: Plan;
  readonly found: FacetAggregation;
}

/** @throws TooManyResults; what Solr.breakDown throws */
export async function countCells(
  solr: Solr,
  search: FacetSearch,
  matrix: Matrix,
  client: SearchClient,
): Promise<Counted> {
  const sizes = await sizesOf(solr, search, matrix, client);
  const { collection, filters } = search;
  const ask = (plan: Plan): Promise<FacetAggregation> =>
    solr.aggregateFacets({ collection, filters, facets: plan.facets, isHeavy: true }, client);

  const count = async (isPlain: boolean): Promise<Counted> => {
    const plan = planCoverage(matrix, sizes, isPlain);
    const isByParts = plan.levels.includes("parts");
    if (isByParts) await requireFewParts();
    const found = await ask(plan);
    if (isByParts) return { cells: await cellsOfParts(plan, found), plan, found };
    if (matrix.cells === "members" && isSpelledTwice(plan, found)) return count(false);
    const cells = await countedCells(plan, found);
    if (cells !== undefined) return { cells, plan, found };
    const byTerms = planByTerms(matrix, sizes);
    const again = await ask(byTerms);
    const exact = (await countedCells(byTerms, again)) ?? new Map<string, never>();
    return { cells: exact, plan: byTerms, found: again };
  };

  const requireFewParts = async (): Promise<void> => {
    if (sizes.rows * sizes.columns * sizes.parts <= MAX_PARTS) return;
    const plan = planOfParts(matrix, sizes);
    let parts = 0;
    for (const row of (await countedCells(plan, await ask(plan)))?.values() ?? []) {
      for (const number of row.values()) parts += number;
    }
    const things = `${matrix.cells === "years" ? "periods" : "members"} of cells`;
    if (parts > MAX_PARTS) throw new TooManyResults(parts, MAX_PARTS, things);
  };

  return count(!solr.isSharded(collection));
}

/** @throws TooManyResults */
async function sizesOf(
  solr: Solr,
  search: FacetSearch,
  matrix: Matrix,
  client: SearchClient,
): Promise<Sizes> {
  const { rows, columns } = matrix;
  const parts = partsField(matrix);
  const fields = [rows, columns, ...(parts === undefined ? [] : [parts])];
  const known = await solr.sizes(search.population, fields, client);
  const about: Sizes = {
    rows: known[rows] ?? 0,
    columns: known[columns] ?? 0,
    parts: (parts && known[parts]) ?? 0,
  };
  // Cached cardinalities may be old or of other searches, so they decide only far from the limit.
  const isFar = about.rows * about.columns <= MAX_CELLS / 2;
  const sizes = isFar ? about : { ...about, ...(await counted(solr, search, matrix, client)) };
  const cells = sizes.rows * sizes.columns;
  if (cells > MAX_CELLS) throw new TooManyResults(cells, MAX_CELLS, "cells");
  if (matrix.cells !== "years" && cells * sizes.parts > MAX_PAIRS) {
    throw new TooManyResults(cells * sizes.parts, MAX_PAIRS, `pairs of cells and ${matrix.cells}`);
  }
  return sizes;
}

/** The number of values of rows and columns among the files found. */
async function counted(
  solr: Solr,
  search: FacetSearch,
  { rows, columns }: Matrix,
  client: SearchClient,
): Promise<Pick<Sizes, "rows" | "columns">> {
  const { counts } = await solr.countFacets(search, {
    facets: [...new Set([rows, columns])],
    ...client,
  });
  return { rows: counts.get(rows)?.size ?? 0, columns: counts.get(columns)?.size ?? 0 };
}
