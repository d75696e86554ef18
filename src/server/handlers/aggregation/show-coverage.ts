/** Coverage matrices: counts files for each pair of values of two facets, within limits. */
import {
  type Matrix,
  matrixOf,
  type Plan,
  partsField,
  planByTerms,
  planCoverage,
  planOfParts,
  type Sizes,
} from "../../../domain/aggregation/coverage.js";
import type { FacetTree } from "../../../domain/aggregation/facet-request.js";
import { TooManyResults } from "../../../domain/errors.js";
import type { FacetSearch } from "../../../domain/search/search.js";
import { translation } from "../../../domain/vocabulary/flavours.js";
import type { FacetAggregation } from "../../../index/query/facet-aggregations.js";
import type { SearchClient } from "../../../index/query/query-admission.js";
import type { Solr } from "../../../index/solr.js";
import type { Request } from "../../contract/operation.js";
import { numberIn } from "../../formats/aggregation/buckets.js";
import {
  type Cells,
  cellsOfParts,
  countedCells,
  coverageCsv,
  coverageJson,
  isSpelledTwice,
} from "../../formats/aggregation/coverage.js";
import { FORM_HEADERS, negotiatedForm } from "../common/content-negotiation.js";
import { taggedReply, taggedText } from "../common/tagged-reply.js";
import { type InFlavour, withFlavour } from "../flavours/requested-flavour.js";
import { guardUserNames, recordSearch, searchOf } from "../search/requested-search.js";
import type { Handler, Services } from "../services.js";

const FORMS = { json: "application/json", csv: "text/csv" } as const;

/** Counts files for each pair of values of two facets. */
export const showCoverage: Handler<"showCoverage"> = async (received, services) => {
  const { form, request } = negotiatedForm(await withFlavour(received, services), FORMS);
  const { cells, plan, found, names } = await count(request, services);
  if (form === "csv")
    return taggedText(request, FORMS.csv, await coverageCsv(cells, names), FORM_HEADERS);
  return taggedReply(request, await coverageJson(cells, plan, found, names), FORM_HEADERS);
};

export const showCoverageCsv: Handler<"showCoverageCsv"> = async (received, services) => {
  const request = await withFlavour(received, services);
  const { cells, names } = await count(request, services);
  return taggedText(request, FORMS.csv, await coverageCsv(cells, names));
};

async function count(request: InFlavour<Request<"showCoverage">>, { solr }: Services) {
  const { path, query, principal } = request;
  const matrix = matrixOf(request);
  guardUserNames([matrix.rows, matrix.columns], principal);
  const { search, client } = searchOf(request);
  const counted = await countCells(solr, search, matrix, client);
  recordSearch(request, search, counted.found.found > 0);
  const { name } = translation(path.flavour, query.translate);
  return { ...counted, names: { rows: name(matrix.rows), columns: name(matrix.columns) } };
}

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

export async function countCells(
  solr: Solr,
  search: FacetSearch,
  matrix: Matrix,
  client: SearchClient,
): Promise<Counted> {
  const sizes = await sizesOf(solr, search, matrix, client);
  const { cells, ...more } = await countedOf(solr, search, matrix, sizes, client);
  // The index may have changed since the sizes were counted.
  requireFewCells(cells.size * new Set([...cells.values()].flatMap((row) => [...row.keys()])).size);
  return { cells, ...more };
}

async function countedOf(
  solr: Solr,
  search: FacetSearch,
  matrix: Matrix,
  sizes: Sizes,
  client: SearchClient,
): Promise<Counted> {
  const { filters } = search;
  const ask = (plan: Plan): Promise<FacetAggregation> =>
    solr.aggregateFacets({ filters, facets: plan.facets, isHeavy: true }, client);

  const count = async (isPlain: boolean): Promise<Counted> => {
    const plan = planCoverage(matrix, sizes, isPlain);
    const isByParts = plan.levels.includes("parts");
    if (isByParts) await requireFewParts();
    const found = await ask(plan);
    if (isByParts) return { cells: await cellsOfParts(plan, found), plan, found };
    if (matrix.cells === "members" && isSpelledTwice(found)) return count(false);
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

  return count(!solr.isSharded);
}

const NOTHING = { numbers: { count: 0 } };

/**
 * Counts the rows, columns and parts among the files found. The counts are cached by index version, so they are never older
 * than the answer.
 */
async function sizesOf(
  solr: Solr,
  search: FacetSearch,
  matrix: Matrix,
  client: SearchClient,
): Promise<Sizes> {
  const { rows, columns } = matrix;
  const { filters } = search;
  const field = partsField(matrix);
  const facets: FacetTree = field === undefined ? {} : { parts: `unique(${field})` };
  const [{ counts }, { numbers }, { numbers: ofIndex }] = await Promise.all([
    solr.countFacets(search, { facets: [...new Set([rows, columns])], ...client }),
    field === undefined ? NOTHING : solr.aggregateFacets({ filters, facets }, client),
    field === undefined ? NOTHING : solr.aggregateFacets({ filters: [], facets }, client),
  ]);
  const sizes: Sizes = {
    rows: counts.get(rows)?.size ?? 0,
    columns: counts.get(columns)?.size ?? 0,
    parts: numberIn(numbers, "parts"),
    partsOfIndex: numberIn(ofIndex, "parts"),
  };
  const cells = sizes.rows * sizes.columns;
  requireFewCells(cells);
  if (matrix.cells !== "years" && cells * sizes.parts > MAX_PAIRS) {
    throw new TooManyResults(cells * sizes.parts, MAX_PAIRS, `pairs of cells and ${matrix.cells}`);
  }
  return sizes;
}

function requireFewCells(cells: number): void {
  if (cells > MAX_CELLS) throw new TooManyResults(cells, MAX_CELLS, "cells");
}
