/** Orders of items by what the items show, and dates outside the years of STAC. */
import { beforeAll, expect, it } from "vitest";
import { fillIndex } from "../../support/service/service.js";
import { useService } from "../../support/service/use-service.js";

const DATASET = { project: "own", product: "p", experiment: "e", variable: "tas" };
const file = (model: string, from: number | string, to: number | string, more: object = {}) => ({
  ...DATASET,
  model,
  file: `/own/${model}/${from}.nc`,
  time: `[${from} TO ${to}]`,
  ...more,
});

const service = useService();
beforeAll(async () => {
  const { refused } = await fillIndex(service.solr, [
    file("long", 1850, 1899),
    file("long", 1900, 1949, { retracted: false }),
    file("long", 1950, 1999),
    file("wide", 1860, 2014, { retracted: true }),
    file("kept", 1870, 1880, { retracted: false }),
    file("old", "-20000", "-19000"),
    file("future", "9990", "12000"),
    file("beyond", "11000", "12000"),
    file("beyond", "9999", "10500"),
    file("old", "0001", "0005"),
  ]);
  expect(refused).toBe(0);
});

async function get<T>(path: string, query: Readonly<Record<string, string>>): Promise<T> {
  const response = await service.get(`/stac${path}?${new URLSearchParams(query)}`);
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return JSON.parse(text) as T;
}
interface Page {
  readonly features: readonly { readonly properties: Readonly<Record<string, unknown>> }[];
}
const sorted = async (property: string, sortby: string, more: object = {}): Promise<unknown[]> => {
  const { features } = await get<Page>("/search", { sortby, ...more });
  return features.map(({ properties }) => properties[property]);
};

it("items are sorted by the dates that they show, also if a search finds some of their files only", async () => {
  const datetime = "1960-01-01T00:00:00Z/1961-01-01T00:00:00Z";
  const dates = ["1850-01-01T00:00:00Z", "1860-01-01T00:00:00Z"];
  expect(await sorted("start_datetime", "start_datetime", { datetime })).toEqual(dates);
  expect(await sorted("start_datetime", "start_datetime", { datetime, limit: "1" })).toEqual([
    "1850-01-01T00:00:00Z",
  ]);
  expect(await sorted("start_datetime", "-start_datetime", { datetime })).toEqual(dates.reverse());
});

it("an item without a note on its retraction is sorted as one that is not retracted", async () => {
  const shown = await sorted("retracted", "retracted");
  expect(shown).toEqual([false, false, false, false, false, true]);
  expect(await sorted("retracted", "-retracted")).toEqual(shown.reverse());
});

it("aggregated dates are those that items show, and no dataset outside the years 1 to 9999 is missing", async () => {
  const names = ["datetime_min", "datetime_max", "datetime_frequency"];
  interface Counted {
    readonly aggregations: readonly {
      readonly value?: string;
      readonly buckets?: readonly { readonly key: string; readonly frequency: number }[];
    }[];
  }
  const { aggregations } = await get<Counted>("/aggregate", { aggregations: names.join(",") });
  const [least, greatest, years] = aggregations;
  expect(least?.value).toBe("0001-01-01T00:00:00Z");
  expect(greatest?.value).toBe("9999-12-31T23:59:59Z");
  expect(years?.buckets?.map(({ key, frequency }) => [key, frequency])).toEqual([
    ["0001-01-01T00:00:00Z", 1],
    ["1850-01-01T00:00:00Z", 1],
    ["1860-01-01T00:00:00Z", 1],
    ["1870-01-01T00:00:00Z", 1],
    ["1900-01-01T00:00:00Z", 1],
    ["1950-01-01T00:00:00Z", 1],
    ["9990-01-01T00:00:00Z", 2],
    ["9999-12-31T23:59:59Z", 1],
  ]);
});
