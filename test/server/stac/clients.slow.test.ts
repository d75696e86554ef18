/** Clients and validators of STAC, as they are published, over the sample catalogue. */
import { beforeAll, describe, expect, it } from "vitest";
import { PREFIX } from "../../../generated/prefix.js";
import { readJsonFilter } from "../../../src/domain/cql2/read-json.js";
import { readTextFilter } from "../../../src/domain/cql2/read-text.js";
import { packagePath } from "../../../src/platform/package-root.js";
import { RandomFilters } from "../../domain/cql2/random-filters.js";
import { pythonOf, runWithInput } from "../../support/programs/python.js";
import { chance, SEED } from "../../support/run/trials.js";
import { useService } from "../../support/service/use-service.js";

let address: string;
const service = useService({ documents: "sample" });
beforeAll(async () => {
  address = `${service.address}${PREFIX}/stac`;
});

const run = (script: string, args: readonly string[], input = ""): Promise<string> =>
  runWithInput([packagePath("test", "python", script), ...args], input, pythonOf("stac"));

/** A search of pystac-client and the same as parameters of data-search. */
interface Pair {
  readonly stac: Readonly<Record<string, unknown>>;
  readonly search: readonly (readonly [string, string])[];
}

const VALUES = {
  variable: ["tas", "pr", "tasmax", "ua", "tos"],
  model: ["MPI-ESM1-2-LR", "CanESM5", "MPI-ESM-LR", "ICON"],
  experiment: ["historical", "ssp585", "rcp85"],
  project: ["CMIP6", "CMIP5", "CORDEX"],
} as const;

/** Searches by chance for facets, times and boxes. */
function pairs(count: number): Pair[] {
  const random = chance(SEED);
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
  return Array.from({ length: count }, () => {
    const stac: Record<string, unknown> = { limit: 100 };
    const search: [string, string][] = [];
    const facets = (Object.keys(VALUES) as (keyof typeof VALUES)[]).filter(() => random() < 0.4);
    const conditions = facets.map((facet) => {
      const values = [...new Set([pick(VALUES[facet]), pick(VALUES[facet])])];
      for (const value of values) search.push([facet, value]);
      return `${facet} in (${values.map((value) => `'${value}'`).join(", ")})`;
    });
    if (conditions.length > 0) {
      stac.filter = conditions.join(" and ");
      stac.filter_lang = "cql2-text";
    }
    if (random() < 0.5) {
      const year = 1850 + Math.floor(random() * 220);
      stac.datetime = `${year}-01-01T00:00:00Z/${year + 4}-12-31T23:59:59Z`;
      search.push(["time", `${year} to ${year + 4}`]);
    }
    if (random() < 0.4) {
      const [west, south] = [Math.floor(random() * 300) - 180, Math.floor(random() * 150) - 90];
      const [east, north] = [Math.min(west + 40, 180), Math.min(south + 30, 90)];
      stac.bbox = [west, south, east, north];
      search.push(["bbox", `${west},${east},${south},${north}`]);
    }
    return { stac, search };
  });
}

/** The names of the datasets that data-search finds, by their files. */
async function names(search: Pair["search"]): Promise<Set<string>> {
  const query = new URLSearchParams(search.map(([name, value]) => [name, value]));
  query.set("fields", "dataset_id");
  query.set("format", "csv");
  const response = await service.get(`/databrowser/extended-search/native/file?${query}`);
  const lines = (await response.text()).split("\r\n").slice(1);
  return new Set(lines.filter((line) => line !== ""));
}

describe("pystac-client", () => {
  it("finds by 50 searches the datasets whose files data-search finds", async () => {
    const all = pairs(50);
    const input = JSON.stringify(all.map(({ stac }) => stac));
    const lines = (await run("stac_clients.py", ["search", address], input)).trim().split("\n");
    expect(lines).toHaveLength(all.length);
    let fruitful = 0;
    for (const [index, line] of lines.entries()) {
      const { names: found, matched } = JSON.parse(line) as { names: string[]; matched: number };
      const { search = [], stac } = all[index] ?? {};
      const expected = await names(search);
      expect(matched, JSON.stringify(stac)).toBe(found.length);
      expect(new Set(found).size).toBe(found.length);
      expect(new Set(found), JSON.stringify(stac)).toEqual(expected);
      if (expected.size > 0) fruitful += 1;
    }
    expect(fruitful).toBeGreaterThan(10);
  }, 300_000);
});

describe("pystac", () => {
  it("validates every item and collection", async () => {
    const counts = JSON.parse(await run("stac_clients.py", ["items", address])) as {
      items: number;
      collections: number;
    };
    expect(counts.items).toBeGreaterThan(200);
    expect(counts.collections).toBeGreaterThan(4);
  }, 300_000);
});

/** Warnings that ESGF's dialect cannot avoid, and one for which the validator contradicts itself. */
const KNOWN_WARNINGS: readonly RegExp[] = [
  /Item name '.*' should only contain Searchable identifiers/,
  /^Item file names should match their ids/,
  /^Please avoid setting the datetime field to null/,
  /^You have \d+ properties\. Please consider using links/,
  /response contained extra fields \['properties'\]$/,
];

describe("stac-api-validator", () => {
  it("reports no error but one of its own, and no other warning than those of the dialect", async () => {
    const text = await run("stac_validate.py", [address]);
    const { errors, warnings } = JSON.parse(text.trim().split("\n").at(-1) ?? "") as {
      errors: string[];
      warnings: string[];
    };
    // It demands of one answer that it has `properties` alone, and that it has five members.
    const ownFault = /'exclude': \['properties'\].* response contained fewer than 5 fields/;
    expect(errors.filter((error) => !ownFault.test(error))).toEqual([]);
    const parts = warnings.flatMap((one) => one.split(",,")).filter((one) => one !== "");
    const others = parts.filter((one) => !KNOWN_WARNINGS.some((known) => known.test(one)));
    expect(others).toEqual([]);
  }, 600_000);
});

describe("10,000 random filters", () => {
  it("mean the same as text and as JSON", () => {
    const filters = new RandomFilters(chance(SEED + 1));
    for (let index = 0; index < 10_000; index += 1) {
      const { text, json } = filters.next(5);
      expect(readTextFilter(text), text).toEqual(readJsonFilter(json));
    }
  });
});
