/** The files of complete groups are those that intake-esm finds. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PREFIX } from "../../../generated/prefix.js";
import { python } from "../../support/programs/python.js";
import { freshFolder } from "../../support/run/folders.js";
import { attempts, chance, patience, SEED } from "../../support/run/trials.js";
import type { TestDocument } from "../../support/service/service.js";
import { useService } from "../../support/service/use-service.js";

/** Values that files have, by the names of CMIP6. Some mean something in the language of needs, or of Solr. */
const FACETS = {
  source_id: ["MPI;ESM", "CESM\\2", "UK:ESM1 *", 'IPSL"$}{!x}'],
  member_id: ["r1i1p1f1", "r2i1p1f1", "r3,\u0001i1"],
  experiment_id: ["historical", "ssp585", "hist-nat"],
  variable_id: ["tas", "pr", "areacella", "${solr.home}"],
  table_id: ["Amon", "fx", "Omon"],
} as const;

/** Some files have several values of a facet, or none. */
function groupDocuments(random: () => number, count: number): TestDocument[] {
  const one = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
  const few = (all: readonly string[]): string[] => {
    if (random() < 0.04) return [];
    return [...new Set([one(all), ...(random() < 0.1 ? [one(all), one(all)] : [])])];
  };
  return Array.from({ length: count }, (_, index) => ({
    file: `/files/${String(index).padStart(4, "0")}`,
    project: ["CMIP6"],
    dataset: "plain",
    model: few(FACETS.source_id),
    ensemble: few(FACETS.member_id),
    experiment: few(FACETS.experiment_id),
    variable: few(FACETS.variable_id),
    cmor_table: few(FACETS.table_id),
  }));
}

const service = useService({ documents: groupDocuments(chance(SEED), 220) });

async function lines(pairs: readonly (readonly [string, string])[]): Promise<string[]> {
  const query = new URLSearchParams(pairs as [string, string][]);
  const response = await service.get(`/databrowser/data-search/cmip6/file?${query}`);
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return text.split("\n").slice(0, -1);
}

const some = <T>(random: () => number, all: readonly T[], most: number): T[] => {
  const count = 1 + Math.floor(random() * most);
  return [...all].sort(() => random() - 0.5).slice(0, count);
};

describe("require_all_on", () => {
  it(
    "finds the files that intake-esm finds",
    async () => {
      const random = chance(SEED + 2);
      const columns = [
        "source_id",
        "member_id",
        "experiment_id",
        "variable_id",
        "table_id",
      ] as const;
      const queries = Array.from({ length: attempts(50, 1000) }, () => {
        const on = some(random, columns, 3);
        const keys = some(random, columns, 4);
        const query = Object.fromEntries(keys.map((key) => [key, some(random, FACETS[key], 3)]));
        // intake-esm finds nothing if all columns of a query are grouped by.
        return { on, query: { ...query, dataset: ["plain"] } };
      });
      const folder = freshFolder();
      const path = join(folder, "queries.json");
      await writeFile(path, JSON.stringify(queries));
      const api = service.address + PREFIX;
      const expected = JSON.parse(await python("intake_complete.py", api, path)) as string[][];
      let found = 0;
      for (const [index, { on, query }] of queries.entries()) {
        const pairs = Object.entries(query).flatMap(([key, values]) =>
          // There they are no wildcards.
          values.map((value) => [key, value.replace(/[*?]/g, "\\$&")] as const),
        );
        const files = await lines([...pairs, ["require_all_on", on.join(",")]]);
        expect(files.sort(), JSON.stringify(queries[index])).toEqual(expected[index]);
        found += files.length > 0 ? 1 : 0;
      }
      // Else nothing would be compared but nothing.
      expect(found).toBeGreaterThan(queries.length / 10);
    },
    patience(120_000, 1_200_000),
  );
});
