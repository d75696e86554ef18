/** A page of datasets is what plain arithmetic makes of the documents that its search finds. */
import { beforeAll, describe, expect, it } from "vitest";
import type { components } from "../../../generated/openapi.js";
import { type Flavour, listedFacets } from "../../../src/domain/vocabulary/flavours.js";
import { found } from "../../support/data/known-documents.js";
import { chances } from "../../support/data/random-documents.js";
import { OWN_FLAVOUR, OWN_MAPPING, randomSearch } from "../../support/data/random-searches.js";
import { attempts, chance, patience, SEED, tried } from "../../support/run/trials.js";
import { makeFlavour } from "../../support/service/flavours.js";
import { emptyIndex, load } from "../../support/service/service.js";
import { bearer } from "../../support/service/sign-in.js";
import { usePerson, useService } from "../../support/service/use-service.js";
import { datasetDocuments } from "./expected/dataset-documents.js";
import { type DatasetDocument, expectedDatasets } from "./expected/expected-datasets.js";

type Datasets = components["schemas"]["Datasets"];
type Dataset = components["schemas"]["Dataset"];

const SEARCHES = attempts(40, 3000);
const random = chance(SEED);
const by = chances(random);

let documents: DatasetDocument[];

const service = useService();
const ada = usePerson(service);
beforeAll(async () => {
  await emptyIndex(service.solr);
  await makeFlavour(service, ada, OWN_FLAVOUR.name, OWN_MAPPING);
  documents = datasetDocuments(by);
  const refused: never[] = [];
  await load(
    service.solr,
    documents.map(({ document }) => document),
    refused,
  );
  expect(refused).toEqual([]);
});

const get = (query: URLSearchParams | string, flavour = "cmip6", init: RequestInit = {}) =>
  service.get(`/databrowser/datasets/${flavour}?${query}`, { ...bearer(ada.token), ...init });

async function page(query: URLSearchParams | string, flavour?: string): Promise<Datasets> {
  const response = await get(query, flavour);
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return JSON.parse(text) as Datasets;
}

/** All pages of a search, one after the other. */
async function pages(query: URLSearchParams, flavour: string, limit: number) {
  const all: Datasets["datasets"] = [];
  const asked = new URLSearchParams(query);
  asked.set("limit", String(limit));
  for (let turn = 0; ; turn++) {
    const { datasets, after, next, ...numbers } = await page(asked, flavour);
    expect(datasets.length).toBeLessThanOrEqual(limit);
    all.push(...datasets);
    expect(next === null).toBe(after === null);
    if (after === null) return { all, numbers };
    expect(turn).toBeLessThan(1000);
    asked.set("after", after);
  }
}

const APART = ["time", "bbox", "user", "format", "fs_type"];
const facetsOf = (flavour: Flavour): string[] =>
  listedFacets(flavour).filter((one) => !APART.includes(one));

describe("datasets of a random search", () => {
  it("are those of a filter in memory, page by page", { timeout: patience(90_000) }, async () => {
    let several = 0;
    for (let n = 0; n < SEARCHES; n++) {
      const search = { ...randomSearch(by, 3), key: "file" as const };
      const query = new URLSearchParams(search.pairs.map(([name, value]) => [name, value]));
      const of = new Set(
        found(
          documents.map(({ known }) => known),
          search,
        ),
      );
      const facets = facetsOf(search.flavour);
      const expected = expectedDatasets(
        documents.filter(({ known }) => of.has(known)),
        facets,
        search.nameOf,
      );
      const context = `SEED=${SEED}, search ${n}: ${search.flavour.name}?${query}`;
      const { all, numbers } = await pages(query, search.flavour.name, 1 + by.below(30));
      const named = expected.filter(({ dataset_id }) => dataset_id !== null);
      expect(numbers, context).toEqual({
        total_count: of.size,
        dataset_count: named.length,
        unnamed_files: expected.find(({ dataset_id }) => dataset_id === null)?.files ?? 0,
      });
      expect(all, context).toEqual(expected);
      if (all.length > 3) several += 1;
    }
    expect(several).toBeGreaterThan(SEARCHES / 10);
    tried(SEARCHES);
  });
});

describe("a page of datasets", () => {
  it.each(["0", "501", "-1", "1.5", "x", "", "1e9", "99999999999999999999"])(
    "is refused with limit=%s",
    async (limit) => {
      const response = await get(new URLSearchParams({ limit }));
      expect(response.status).toBe(422);
      expect(await response.text()).toContain("limit");
    },
  );

  it.each(["x", "====", "_w", "a".repeat(12_001), "%ff"])(
    "is refused after an invented page: %#",
    async (after) => {
      const response = await get(new URLSearchParams({ after }));
      expect(response.status).toBe(422);
    },
  );

  it("begins after any text, whatever it means to Solr", async () => {
    const all = await page("limit=500", "native");
    const names = all.datasets.flatMap(({ dataset_id }) => dataset_id ?? []);
    for (const text of [" ", "'", "\\'} *:*", "CMIP6.", "\u{10ffff}", "\0", names[3] ?? ""]) {
      const after = Buffer.from(text).toString("base64url");
      const { datasets } = await page(new URLSearchParams({ limit: "500", after }), "native");
      const behind = (name: string) => Buffer.compare(Buffer.from(name), Buffer.from(text)) > 0;
      const told = datasets.flatMap(({ dataset_id }) => dataset_id ?? []);
      expect(told, JSON.stringify(text)).toEqual(names.filter(behind));
    }
  });

  it("has the same datasets in any order, page by page: the largest first, or those that begin earliest", async () => {
    const { all } = await pages(new URLSearchParams(), "native", 500);
    const byName = new Map(all.map((one, place) => [one.dataset_id, place]));
    const rank = {
      size: ({ sized_files, bytes }: Dataset) => (sized_files > 0 ? -bytes : Infinity),
      // An open start may be that of one file only, and says nothing of the others.
      start: ({ start, dated_files }: Dataset) =>
        start !== null ? Date.parse(start) : dated_files === 0 ? Infinity : Number.NaN,
      newest: () => Number.NaN,
    };
    for (const order of ["size", "start", "newest"] as const) {
      const told = await pages(new URLSearchParams({ sort: order }), "native", 7);
      const places = told.all.map(({ dataset_id }) => byName.get(dataset_id) ?? -1);
      expect([...places].sort((a, b) => a - b)).toEqual([...byName.values()]);
      expect(told.all.at(-1)?.dataset_id).toBe(all.at(-1)?.dataset_id);
      const ranked = told.all
        .filter(({ dataset_id }) => dataset_id !== null)
        .map((one) => [rank[order](one), byName.get(one.dataset_id) ?? -1] as const)
        .filter(([value]) => !Number.isNaN(value));
      const sorted = [...ranked].sort(
        ([a, first], [b, second]) => (a === b ? 0 : a - b) || first - second,
      );
      expect(ranked, order).toEqual(sorted);
      expect(ranked.length > 5).toBe(order !== "newest");
    }
    const behind = (after: string) => {
      const query = { sort: "size", after: Buffer.from(after).toString("base64url") };
      return get(new URLSearchParams(query));
    };
    for (const after of [all[0]?.dataset_id ?? "", "-1", "99999999", "1.5"]) {
      const refused = await behind(after);
      expect([refused.status, await refused.text()]).toEqual([
        422,
        expect.stringContaining("must be the `after` value of the previous page"),
      ]);
    }
    expect((await behind("1000000")).status).toBe(200);
    const tooFar = await behind("1000001");
    expect([tooFar.status, await tooFar.text()]).toEqual([
      422,
      expect.stringContaining("only `sort=name` can list"),
    ]);
    expect((await get(new URLSearchParams({ sort: "file" }))).status).toBe(422);
  });

  it.each(["group_by", "need", "require_all_on", "start", "facets"])(
    "is restricted by the search alone: %s is not part of it",
    async (name) => {
      const response = await get(new URLSearchParams({ [name]: "model" }), "native");
      expect(response.status).toBe(422);
    },
  );

  it("is confirmed as long as nothing changes, links to the next one, and is empty for no datasets", async () => {
    const first = await get("limit=2");
    const { next, datasets } = (await first.json()) as Datasets;
    const headers = {
      "If-None-Match": first.headers.get("etag") ?? "",
      ...bearer(ada.token).headers,
    };
    expect((await get("limit=2", "cmip6", { headers })).status).toBe(304);
    const second = (await (await fetch(next ?? "")).json()) as Datasets;
    expect(second.datasets).toHaveLength(2);
    expect(second.datasets[0]?.dataset_id).not.toBe(datasets[1]?.dataset_id);
    expect(await page("model=nobody", "native")).toEqual({
      total_count: 0,
      dataset_count: 0,
      unnamed_files: 0,
      datasets: [],
      after: null,
      next: null,
    });
  });

  it("has fewer datasets if these have very many files, and a single one with more", async () => {
    const files = (dataset: string, count: number) =>
      Array.from({ length: count }, (_, index) => ({
        file: `/many/${dataset}/${index}.nc`,
        project: ["many"],
        model: [dataset],
        time: `[${index} TO ${index}]`,
      }));
    await load(service.solr, [...files("a", 5001), ...files("b", 5001), ...files("c", 10_001)]);
    const sizes: number[][] = [];
    for (let after: string | null = ""; after !== null; ) {
      const query = new URLSearchParams({ project: "many", ...(after && { after }) });
      const one: Datasets = await page(query, "native");
      expect(one.dataset_count).toBe(3);
      sizes.push(one.datasets.map(({ files }) => files));
      expect(one.datasets.map(({ period_count }) => period_count)).toEqual(
        one.datasets.map(() => 1),
      );
      after = one.after;
    }
    expect(sizes).toEqual([[5001], [5001], [10_001]]);
  });
});
