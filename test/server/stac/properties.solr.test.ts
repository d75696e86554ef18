/** The properties of items of several standards: which items have them, and what queryables say of them. */
import { beforeAll, describe, expect, it } from "vitest";
import { fillIndex } from "../../support/service/service.js";
import { useService } from "../../support/service/use-service.js";

const CMIP6 = {
  project: "CMIP6",
  product: "CMIP",
  institute: "i",
  model: "m6",
  experiment: "historical",
  ensemble: "r1i1p1f1",
  cmor_table: "Amon",
  grid_label: "gn",
  version: "v20200101",
};
const CMIP5 = {
  project: "CMIP5",
  product: "output1",
  institute: "i",
  model: "m5",
  experiment: "rcp85",
  time_frequency: "mon",
  realm: "atmos",
  cmor_table: "Amon",
  ensemble: "r1i1p1",
};
const OWN = { project: "own", product: "p", model: "mo", experiment: "e" };

const service = useService();
beforeAll(async () => {
  const { refused } = await fillIndex(service.solr, [
    { ...CMIP6, file: "/six/tas.nc", variable: "tas" },
    { ...CMIP6, file: "/six/pr.nc", variable: "pr" },
    { ...CMIP5, file: "/five/tas.nc", variable: "tas" },
    { ...OWN, file: "/own/tas.nc", variable: "tas" },
    { ...OWN, file: "/own/odd.nc", variable: "odd" },
  ]);
  expect(refused).toBe(0);
});

interface Page {
  readonly numberMatched: number;
  readonly features: readonly { readonly properties: Readonly<Record<string, unknown>> }[];
}

async function get<T>(path: string, query: Readonly<Record<string, string>> = {}): Promise<T> {
  const response = await service.get(`/stac${path}?${new URLSearchParams(query)}`);
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return JSON.parse(text) as T;
}

describe("a property with the name of a standard as its prefix", () => {
  it.each([
    ["variable_id = 'tas'", 3],
    ["cmip6:variable_id = 'tas'", 1],
    ["cmip6:variable_id in ('tas', 'pr')", 2],
    ["cmip6:variable_id like '%'", 2],
    ["cmip6:variable_id between 'a' and 'z'", 2],
    ["a_overlaps(cmip6:variable_id, ('tas', 'odd'))", 1],
    ["casei(cmip6:variable_id) = casei('TAS')", 1],
    ["cmip6:variable_id is null", 3],
    ["cmip6:variable_id is not null", 2],
    ["not cmip6:variable_id = 'tas'", 1],
    ["cmip6:variable_id <> 'tas'", 1],
    ["not (cmip6:variable_id = 'tas' or cmip5:variable = 'tas')", 0],
    ["cmip6:variable_id = 'tas' or cmip5:variable = 'tas'", 2],
    ["cmip6:standard_name is null", 5],
    ["cmip6:latest = true", 5],
  ])("is null in the items of others: %s finds %d", async (filter, expected) => {
    const { features, numberMatched } = await get<Page>("/search", { filter, limit: "100" });
    expect(numberMatched).toBe(expected);
    if (!/is null|latest|\bor\b|^variable/.test(filter)) {
      for (const { properties } of features)
        expect(properties).toHaveProperty(["cmip6:variable_id"]);
    }
  });

  it("is counted as filters find it", async () => {
    const aggregations = "cmip6_variable_id_frequency";
    const answer = await get<{ aggregations: { buckets: { key: string; frequency: number }[] }[] }>(
      "/aggregate",
      { aggregations },
    );
    for (const { key, frequency } of answer.aggregations[0]?.buckets ?? []) {
      const filter = `cmip6:variable_id = '${key}'`;
      expect((await get<Page>("/search", { filter })).numberMatched, key).toBe(frequency);
    }
  });

  it("sorts the items that have it, and the others come last", async () => {
    const variables = async (sortby: string) =>
      (await get<Page>("/search", { sortby })).features.map(
        ({ properties }) => properties["cmip6:variable_id"],
      );
    const none = [undefined, undefined, undefined];
    expect(await variables("cmip6:variable_id")).toEqual(["pr", "tas", ...none]);
    expect(await variables("-cmip6:variable_id")).toEqual(["tas", "pr", ...none]);
  });

  it("is unknown in a collection of another standard, like any that it does not have", async () => {
    const filter = "cmip6:variable_id = 'tas'";
    for (const collection of ["CMIP5", "own"]) {
      for (const parameters of [{ filter }, { sortby: "cmip6:variable_id" }]) {
        const query = new URLSearchParams(parameters);
        const response = await service.get(`/stac/collections/${collection}/items?${query}`);
        expect(response.status, `${collection} ${query}`).toBe(400);
      }
    }
    expect((await get<Page>("/collections/cmip6/items", { filter })).numberMatched).toBe(1);
  });
});

describe("queryables", () => {
  interface Schema {
    readonly properties: Readonly<Record<string, { readonly enum?: readonly string[] }>>;
  }

  it("list at the root the values of the items that have the property", async () => {
    const { properties } = await get<Schema>("/queryables");
    expect(properties["cmip6:variable_id"]?.enum).toEqual(["pr", "tas"]);
    expect(properties["cmip5:variable"]?.enum).toEqual(["tas"]);
    expect(properties.variable?.enum).toEqual(["odd", "pr", "tas"]);
    expect(properties.project?.enum).toEqual(["CMIP5", "CMIP6", "own"]);
    const one = await get<Schema>("/collections/CMIP6/queryables");
    expect(one.properties["cmip6:variable_id"]?.enum).toEqual(["pr", "tas"]);
    expect(one.properties).not.toHaveProperty(["cmip5:variable"]);
  });

  it("use no schema of another host, which browsers would have to fetch", async () => {
    expect(JSON.stringify(await get<Schema>("/queryables"))).not.toContain("$ref");
  });
});

describe("the title of an item", () => {
  it("can be compared and sorted by, as STAC Browser does", async () => {
    const titles = async (sortby: string) =>
      (await get<Page>("/search", { sortby })).features.map(({ properties }) => properties.title);
    const ascending = await titles("properties.title");
    expect(ascending).toEqual([...ascending].sort());
    expect(await titles("-properties.title")).toEqual([...ascending].reverse());
    const filter = "title like 'CMIP6.%'";
    expect((await get<Page>("/search", { filter })).numberMatched).toBe(2);
  });
});
