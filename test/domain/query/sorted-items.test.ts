/** The order of datasets by their values, for pages of STAC items. */
import { expect, it } from "vitest";
import { TooManyResults } from "../../../src/domain/errors.js";
import { compareItems, sortQuery } from "../../../src/domain/stac/sorted-items.js";
import { chance, SEED } from "../../support/run/trials.js";

const SEARCH = { filters: [] };
const KEYS = [
  { field: "model", isDescending: true },
  { field: "time_start", isDescending: false, missing: "", shown: "last" },
] as const;

it("datasets are sorted by all keys and then by name, however many there are", async () => {
  const random = chance(SEED);
  const documents = Array.from({ length: 12_000 }, (_, n) => ({
    dataset_id: `d${(n * 7919) % 6001}`,
    model: `m${Math.floor(random() * 20)}`,
    ...(random() < 0.8 && { time_start: `${1850 + Math.floor(random() * 9)}-01-01T00:00:00Z` }),
  }));
  const scan = sortQuery(SEARCH, KEYS).accumulator();
  scan.add(documents);
  const { items } = await scan.result();
  expect(items).toHaveLength(6001);
  expect(items).toEqual([...items].sort((a, b) => compareItems(a, b, KEYS)));
  // The greatest value in descending order, and the last one where items show that.
  for (const { name, values } of items.slice(0, 100)) {
    const own = documents.filter(({ dataset_id }) => dataset_id === name);
    const models = own.map(({ model }) => model).sort();
    expect(values[0]).toBe(models.at(-1));
    const last =
      own
        .map(({ time_start }) => time_start ?? "")
        .sort()
        .at(-1) ?? "";
    expect(values[1]).toBe(last === "" ? "" : `100000${last}`);
  }
});

it("datasets with too long values to hold are not sorted", () => {
  const scan = sortQuery(SEARCH, [{ field: "license", isDescending: false }]).accumulator();
  const license = "x".repeat(1_000_000);
  const documents = Array.from({ length: 60 }, (_, n) => ({ dataset_id: `d${n}`, license }));
  expect(() => scan.add(documents)).toThrow(TooManyResults);
});
