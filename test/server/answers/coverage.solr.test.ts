/** A matrix is what plain arithmetic makes of the documents that its search finds. */
import { beforeAll, describe, expect, it } from "vitest";
import { searchableFacets } from "../../../src/domain/vocabulary/flavours.js";
import { found, type Known, known } from "../../support/data/known-documents.js";
import { chances, randomDocuments, VALUED } from "../../support/data/random-documents.js";
import { OWN_FLAVOUR, OWN_MAPPING, randomSearch } from "../../support/data/random-searches.js";
import { runWithInput } from "../../support/programs/python.js";
import { attempts, chance, patience, SEED, tried } from "../../support/run/trials.js";
import { makeFlavour } from "../../support/service/flavours.js";
import { emptyIndex, fillIndex, load, startService } from "../../support/service/service.js";
import { bearer } from "../../support/service/sign-in.js";
import { usePerson, useService } from "../../support/service/use-service.js";
import { CELLS, type Coverage, expected, isKnown, told } from "./expected/expected-cells.js";

const SEARCHES = attempts(150, 5000);

let documents: Known[];
const random = chance(SEED);
const by = chances(random);

const service = useService();
const ada = usePerson(service);
beforeAll(async () => {
  await emptyIndex(service.solr);
  await makeFlavour(service, ada, OWN_FLAVOUR.name, OWN_MAPPING);
  const made = randomDocuments(random);
  await load(service.solr, made.posted);
  documents = made.known;
});

const ask = (query: URLSearchParams | string, flavour = "cmip6", init: RequestInit = {}) =>
  service.get(`/databrowser/coverage/${flavour}?${query}`, init);

async function matrix(query: URLSearchParams | string, flavour?: string): Promise<Coverage> {
  const response = await ask(query, flavour, bearer(ada.token));
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return JSON.parse(text) as Coverage;
}

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
        ...(search.isMultiVersion ? ["version"] : []),
        "retracted",
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
        rows: nameOf(rows),
        columns: nameOf(columns),
        cells,
        total_count: of.length,
      });
      const known = cells === "files" ? undefined : of.filter(isKnown[cells]).length;
      expect(answer.known_files, context).toBe(known);
      if (cellsExpected.length > 3) full += 1;
    }
    expect(full).toBeGreaterThan(SEARCHES / 8);
    tried(SEARCHES);
  });
});

describe("the answer of coverage", () => {
  const QUERY = "rows=model&columns=variable&multi-version=true&translate=false";

  it("is a table for callers that prefer CSV, which pandas reads back", async () => {
    const numbers = await matrix(QUERY);
    const { row_values, column_values } = numbers;
    const filled = row_values.map((_, row) =>
      column_values.map(
        (_, column) => numbers.values.find(([r, c]) => r === row && c === column)?.[2] ?? null,
      ),
    );
    const byAccept = await ask(QUERY, "cmip6", { headers: { Accept: "text/csv" } });
    expect(byAccept.headers.get("Content-Type")).toMatch(/^text\/csv/);
    expect(byAccept.headers.get("Vary")).toContain("Accept");
    const text = await byAccept.text();
    expect(await (await ask(`${QUERY}&format=csv`)).text()).toBe(text);
    expect(await (await ask(QUERY, "cmip6/csv")).text()).toBe(text);
    expect(await (await ask(`${QUERY}&format=json`)).json()).toEqual(numbers);
    const script =
      "import pandas, sys; pandas.read_csv(sys.stdin, index_col=0).to_json(sys.stdout, orient='split')";
    expect(JSON.parse(await runWithInput(["-c", script], text))).toEqual({
      columns: column_values,
      index: row_values,
      data: filled,
    });
    expect(text.split(",")[0]).toBe("model");
  });

  it("has a tag, and is not sent twice until the index has changed", async () => {
    for (const query of [QUERY, `${QUERY}&format=csv`]) {
      const tag = (await ask(query)).headers.get("ETag") ?? "";
      const again = await ask(query, "cmip6", { headers: { "If-None-Match": tag } });
      expect([again.status, await again.text()]).toEqual([304, ""]);
    }
    const before = await matrix(QUERY);
    const more = { file: "/data/new.nc", model: "new-model", variable: "new-variable" };
    await load(service.solr, [more]);
    const after = await matrix(QUERY);
    expect(after.total_count).toBe(before.total_count + 1);
    expect(told(after)).toEqual(
      expect.arrayContaining([...told(before), ["new-model", "new-variable", 1]]),
    );
  });

  it("says that nothing is there if nothing is found", async () => {
    expect(
      await matrix("rows=model&columns=project&project=nothing&cells=years", "native"),
    ).toEqual({
      rows: "model",
      columns: "project",
      cells: "years",
      total_count: 0,
      known_files: 0,
      row_values: [],
      column_values: [],
      values: [],
    });
    expect(
      await (await ask("rows=model&columns=project&format=csv&model=no", "native")).text(),
    ).toBe("model\r\n");
  });

  it.each([
    ["cmip6", "rows=model&columns=experiment_id", "rows", "is called source_id in cmip6"],
    ["native", "rows=model&columns=experimant", "columns", "did you mean experiment"],
    ["cmip6", "rows=source_id&columns=user", "columns", "is a facet of user data"],
    ["native", "rows=time&columns=model", "rows", "range without discrete values"],
    ["native", "rows=model&columns=version", "columns", "requires multi-version=true"],
    ["native", "rows=model&columns=size", "columns", "is not a facet"],
    ["native", "rows=model&columns=realm&cells=all", "cells", ""],
    ["native", "rows=model", "columns", ""],
  ])("is 422 for %s?%s and names %s", async (flavour, query, name, reason) => {
    const response = await ask(query, flavour);
    expect(response.status).toBe(422);
    const { errors } = (await response.json()) as { errors: { name: string; reason: string }[] };
    expect(errors.map((one) => one.name)).toEqual([name]);
    expect(errors[0]?.reason).toContain(reason);
  });

  it("has flags for rows and columns", async () => {
    const answer = await matrix("rows=retracted&columns=variable&multi-version=true", "native");
    expect(answer.row_values).toEqual(["false", "true"]);
    const turned = await matrix("rows=variable&columns=retracted&multi-version=true", "native");
    expect(
      told(turned)
        .map(([row, column, n]) => [column, row, n])
        .sort(),
    ).toEqual(told(answer).sort());
  });
});

describe("a matrix of few periods, and of values in several spellings", () => {
  it("is exact in all ways to compute it", async () => {
    const several = (some: readonly string[]): string[] => [
      ...new Set(Array.from({ length: 1 + by.below(4) }, () => by.pick(some))),
    ];
    const posted = Array.from({ length: 80 }, (_, index) => ({
      file: `/few/${index}.nc`,
      project: "CMIP6",
      variable: several(["tas", "TAS", "pr", "Pr", "uas"]),
      realm: several(["atmos", "ATMOS", "ocean", "land", "seaIce", "aerosol", "landIce"]),
      ...(random() < 0.8 && { ensemble: several(["r1i1p1f1", "R1i1p1f1", "r2i1p1f1"]) }),
      ...(random() < 0.8 && {
        time: by.pick(["1990", "[1990 TO 1991]", "[1993 TO *]", "fx", "[1991-07 TO 1993]", "1995"]),
      }),
      ...(random() < 0.8 && { size: by.below(1e9) }),
    }));
    // What is known of the sizes of fields is known of this index.
    const other = await startService();
    try {
      await fillIndex(other.solr, posted);
      const all = posted.map((document) => known(document, true));
      for (const cells of CELLS) {
        for (const [rows, columns] of [
          ["variable", "realm"] as const,
          ["realm", "variable"] as const,
        ]) {
          const path = `/databrowser/coverage/native?rows=${rows}&columns=${columns}&cells=${cells}`;
          const answer = (await (await other.get(path)).json()) as Coverage;
          const context = `SEED=${SEED} ${path}`;
          expect(told(answer), context).toEqual(expected(all, rows, columns, cells));
        }
      }
    } finally {
      await other.close();
    }
  });
});

describe("a matrix of more than a million cells", () => {
  it("is refused if the index has that many", async () => {
    const other = await startService();
    const ask = async (): Promise<string> => {
      const response = await other.get("/databrowser/coverage/native?rows=model&columns=ensemble");
      return `${response.status} ${(await response.text()).slice(0, 400)}`;
    };
    const models = (from: number, to: number): string[] =>
      Array.from({ length: to - from }, (_, index) => `m${from + index}`);
    try {
      await emptyIndex(other.solr);
      const members = Array.from({ length: 1000 }, (_, index) => `r${index}`);
      await load(other.solr, [
        { file: "/members.nc", model: ["m0"], ensemble: members },
        { file: "/models.nc", model: models(0, 400), ensemble: ["r0"] },
      ]);
      expect(await ask()).toMatch(/^200 /);
      await load(other.solr, [{ file: "/more.nc", model: models(400, 1000), ensemble: ["R0"] }]);
      expect(await ask()).toMatch(/^200 /);
      await load(other.solr, [{ file: "/last.nc", model: ["m1000"], ensemble: ["r0"] }]);
      expect(await ask()).toMatch(/^413 .*1001000 cells/);
    } finally {
      await other.close();
    }
  });
});
