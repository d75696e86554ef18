/** A matrix is what plain arithmetic makes of the documents that its search finds. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { components } from "../../generated/openapi.js";
import { YEAR } from "../../src/vocabulary/durations.js";
import { searchableFacets } from "../../src/vocabulary/flavours.js";
import { attempts, patience } from "../support/attempts.js";
import { chance, SEED } from "../support/chance.js";
import { makeFlavour } from "../support/flavours.js";
import { found, type Known } from "../support/known-documents.js";
import { chances, randomDocuments, VALUED } from "../support/random-documents.js";
import { OWN_FLAVOUR, OWN_MAPPING, randomSearch } from "../support/random-searches.js";
import { emptyIndex, load, startService, type TestService } from "../support/service.js";
import { bearer } from "../support/sign-in.js";
import { tried } from "../support/tried.js";
import { type Person, person } from "../support/user-data.js";

type Coverage = components["schemas"]["Coverage"];

const SEARCHES = attempts(150, 5000);
const CELLS = ["files", "datasets", "bytes", "members", "years"] as const;

let service: TestService;
let ada: Person;
let documents: Known[];
const random = chance(SEED);
const by = chances(random);

beforeAll(async () => {
  service = await startService();
  await emptyIndex(service.solr);
  ada = await person(service);
  await makeFlavour(service, ada, OWN_FLAVOUR.name, OWN_MAPPING);
  const made = randomDocuments(random);
  await load(service.solr, made.posted);
  documents = made.known;
}, 60_000);
afterAll(() => service.close());

const ask = (query: URLSearchParams | string, flavour = "cmip6", init: RequestInit = {}) =>
  service.get(`/databrowser/coverage/${flavour}?${query}`, init);

async function matrix(query: URLSearchParams | string, flavour?: string): Promise<Coverage> {
  const response = await ask(query, flavour, bearer(ada.token));
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return JSON.parse(text) as Coverage;
}

/** Milliseconds that a document covers; none where an end is open. */
const interval = ({ period }: Known): [number, number][] =>
  period?.start === undefined || period.end === undefined ? [] : [[period.start, period.end + 1]];

/** The years that some documents cover: the moments between any two ends that one of them covers. */
function years(some: readonly Known[]): number {
  const intervals = some.flatMap(interval);
  const moments = [...new Set(intervals.flat())].sort((a, b) => a - b);
  const covered = moments.slice(1).reduce((sum, end, index) => {
    const start = moments[index] ?? 0;
    return sum + (intervals.some(([a, b]) => a <= start && end <= b) ? end - start : 0);
  }, 0);
  return Math.round((100 * covered) / YEAR) / 100;
}

const numbers: Record<(typeof CELLS)[number], (some: readonly Known[]) => number> = {
  files: (some) => some.length,
  datasets: (some) => new Set(some.flatMap(({ datasetId }) => datasetId ?? [])).size,
  bytes: (some) => some.reduce((sum, { size }) => sum + (size ?? 0), 0),
  members: (some) => new Set(some.flatMap(({ values }) => values.get("ensemble") ?? [])).size,
  years,
};

const isKnown: Record<(typeof CELLS)[number], (one: Known) => boolean> = {
  files: () => true,
  datasets: ({ datasetId }) => datasetId !== undefined,
  bytes: ({ size }) => size !== undefined,
  members: ({ values }) => (values.get("ensemble") ?? []).length > 0,
  years: (one) => interval(one).length > 0,
};

/** Each cell as its row, its column and its number, in their order. */
function expected(
  of: readonly Known[],
  rows: string,
  columns: string,
  cells: (typeof CELLS)[number],
): [string, string, number][] {
  const valuesOf = (side: string): string[] =>
    [...new Set(of.flatMap(({ values }) => values.get(side) ?? []))].sort((a, b) =>
      a < b ? -1 : 1,
    );
  return valuesOf(rows).flatMap((row) =>
    valuesOf(columns).flatMap((column): [string, string, number][] => {
      const some = of.filter(
        ({ values }) => values.get(rows)?.includes(row) && values.get(columns)?.includes(column),
      );
      return some.length === 0 ? [] : [[row, column, numbers[cells](some)]];
    }),
  );
}

const told = ({ row_values, column_values, values }: Coverage) =>
  values.map(([row = -1, column = -1, number]) => [row_values[row], column_values[column], number]);

describe("a matrix of a random search", () => {
  it("has in each cell what a filter in memory finds", { timeout: patience(60_000) }, async () => {
    let full = 0;
    for (let n = 0; n < SEARCHES; n++) {
      const search = { ...randomSearch(by, 3), key: "file" as const };
      const { flavour, nameOf, pairs } = search;
      const details = ["units", "standard_name", "long_name", "license"];
      const searchable = new Set<string>(searchableFacets(flavour));
      const sides: readonly string[] = [
        ...VALUED.filter((one) => searchable.has(one) || details.includes(one)),
        ...(search.collection === "files" ? ["version"] : []),
      ];
      const [rows, columns, cells] = [by.pick(sides), by.pick(sides), by.pick(CELLS)];
      const query = new URLSearchParams(pairs.map(([name, value]) => [name, value]));
      query.set("rows", nameOf(rows));
      query.set("columns", nameOf(columns));
      if (cells !== "files" || random() < 0.5) query.set("cells", cells);
      const of = found(documents, search);
      const answer = await matrix(query, flavour.name);
      const context = `SEED=${SEED}, search ${n}: ${flavour.name}?${query}`;
      const cellsExpected = expected(of, rows, columns, cells);
      expect(told(answer), context).toEqual(cellsExpected);
      expect(answer, context).toMatchObject({
        ...{ rows: nameOf(rows), columns: nameOf(columns), cells, total_count: of.length },
      });
      const known = cells === "files" ? undefined : of.filter(isKnown[cells]).length;
      expect(answer.known_files, context).toBe(known);
      if (cellsExpected.length > 3) full += 1;
    }
    expect(full).toBeGreaterThan(SEARCHES / 8);
    tried(SEARCHES);
  });
});
