/** Values that files write in several ways: collections of STAC, and counts of many values. */
import { beforeAll, expect, it } from "vitest";
import { allItems } from "../../../src/domain/stac/item-search.js";
import { aggregationsOf, countedItems } from "../../../src/server/handlers/stac/aggregations.js";
import { fillIndex } from "../../support/service/service.js";
import { useService } from "../../support/service/use-service.js";

const DATASET = {
  product: "CMIP",
  institute: "i",
  experiment: "historical",
  ensemble: "r1i1p1f1",
  cmor_table: "Amon",
  grid_label: "gn",
  version: "v20200101",
};

const service = useService();
beforeAll(async () => {
  const { refused } = await fillIndex(service.solr, [
    { ...DATASET, project: "CMIP6", model: "One", variable: "tas", file: "/a.nc" },
    { ...DATASET, project: "CMIP6", model: "One", variable: "pr", file: "/b.nc" },
    { ...DATASET, project: "CMIP6", model: "Two", variable: "tas", file: "/c.nc" },
    { ...DATASET, project: "cmip6", model: "Three", variable: "odd", file: "/d.nc" },
    { ...DATASET, project: "CORDEX", model: "Four", variable: "odd", file: "/e.nc" },
  ]);
  expect(refused).toBe(0);
});

it("a search for collections gives the whole collection, by the name that most files write", async () => {
  interface Collections {
    readonly collections: readonly { readonly id: string; readonly description: string }[];
  }
  const find = async (query: string): Promise<Collections> => {
    const response = await service.get(`/stac/collections${query}`);
    expect(response.status).toBe(200);
    return (await response.json()) as Collections;
  };
  const all = await find("");
  expect(all.collections.map(({ id }) => id)).toEqual(["CMIP6", "CORDEX"]);
  expect((await find("?q=odd")).collections).toEqual(all.collections);
  const [cmip6, cordex] = all.collections;
  expect((await find("?q=odd&limit=1")).collections).toEqual([cmip6]);
  expect((await find("?q=odd&limit=1&token=CMIP6")).collections).toEqual([cordex]);
});

it("datasets are counted alike whether or not Solr could hold all values at once", async () => {
  const aggregations = aggregationsOf(["CMIP6"]);
  const index = { solr: service.solr, client: {} };
  const counted = async (maxBits?: number) => {
    const found = await countedItems(aggregations, allItems(), index, maxBits);
    expect(found.matched).toBe(5);
    return new Map(found.aggregations.map(({ name, ...one }) => [name, one]));
  };
  const [atOnce, oneByOne] = [await counted(), await counted(0)];
  const collections = [
    { key: "CMIP6", data_type: "string", frequency: 4 },
    { key: "CORDEX", data_type: "string", frequency: 1 },
  ];
  expect(oneByOne.get("collection_frequency")).toMatchObject({ buckets: collections });
  for (const [name, one] of atOnce) {
    if (!/collection|mip_era|project/.test(name)) expect(oneByOne.get(name), name).toEqual(one);
  }
  expect(oneByOne.get("cmip6_source_id_frequency")).toMatchObject({
    buckets: [
      { key: "One", frequency: 2 },
      { key: "Three", frequency: 1 },
      { key: "Two", frequency: 1 },
    ],
  });
});
