/** Groups that are complete: as intake-esm tells them, as an oracle does, and as lists of their files have them. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as breath } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { PREFIX } from "../../../generated/prefix.js";
import { Complete } from "../../../generated/schemas.js";
import { builtIn } from "../../../src/domain/vocabulary/flavours.js";
import { type Condition, found, known } from "../../support/data/known-documents.js";
import { python } from "../../support/programs/python.js";
import { freshFolder } from "../../support/run/folders.js";
import { attempts, chance, patience, SEED } from "../../support/run/trials.js";
import { emptyIndex, load } from "../../support/service/service.js";
import { useService } from "../../support/service/use-service.js";
import { groups, type Needed, ofComplete } from "./expected/expected-groups.js";
import { FACETS, type GroupDocument, NATIVE, randomDocuments } from "./expected/group-documents.js";

const documents: readonly GroupDocument[] = [
  ...randomDocuments(chance(SEED), 220, "plain"),
  ...randomDocuments(chance(SEED + 1), 220, "odd"),
];

const KNOWN = documents.map((document) => known(document, true));

const service = useService();
beforeAll(async () => {
  await emptyIndex(service.solr);
  const refused: unknown[] = [];
  await load(service.solr, documents, refused as never);
  expect(refused).toEqual([]);
});

type Pairs = readonly (readonly [string, string])[];

async function get(operation: string, pairs: Pairs): Promise<Response> {
  return service.get(
    `/databrowser/${operation}?${new URLSearchParams(pairs as [string, string][])}`,
  );
}

async function complete(pairs: Pairs): Promise<Complete> {
  const response = await get("complete/cmip6", pairs);
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return Complete.parse(JSON.parse(text));
}

async function lines(pairs: Pairs, operation = "data-search/cmip6/file"): Promise<string[]> {
  const response = await get(operation, pairs);
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

describe("random needs over random files", () => {
  const random = chance(SEED + 3);
  const pairsOf = ({ groupBy, needs, filters }: Asked): Pairs => [
    ["group_by", groupBy.join(",")],
    ...needs.map((need) => ["need", textOf(need, groupBy)] as const),
    ...filters.map(
      ({ name, isExcluded, value }) => [`${name}${isExcluded ? "_not_" : ""}`, value] as const,
    ),
  ];

  function textOf({ values, on, period }: AskedNeed, groupBy: readonly Name[]): string {
    const pairs = values.flatMap(([name, all]) => all.map((value) => `${name}:${escaped(value)}`));
    return [
      ...pairs,
      ...(on.length < groupBy.length ? [`on=${on.map((place) => groupBy[place]).join(",")}`] : []),
      ...Object.entries(period ?? {}).map(([end, date]) => `${end}=${date}`),
    ].join(";");
  }

  it(
    "are found as an oracle finds them, with all gaps, and their files are listed",
    async () => {
      const seen = { complete: 0, gaps: 0, listed: 0 };
      for (let attempt = 0; attempt < attempts(50, 2000); attempt++) {
        const asked = randomQuestion(random);
        const expected = expectedOf(asked);
        const pairs = pairsOf(asked);
        const told = JSON.stringify(pairs);
        const answer = await complete([...pairs, ["near", "1000"]]);
        expect(shapeOf(answer), told).toEqual(expected.answer);
        seen.complete += answer.complete_count;
        seen.gaps += JSON.stringify(answer).includes('"gaps":[{') ? 1 : 0;
        const start = Math.floor(random() * 3);
        const listed = await lines([...pairs, ["start", String(start)]]);
        expect(listed, told).toEqual(expected.files.slice(start));
        seen.listed += listed.length;
      }
      for (const count of Object.values(seen)) expect(count).toBeGreaterThan(10);
    },
    patience(120_000, 1_200_000),
  );

  it(
    "make catalogues of the same files, refused beyond max-results and if there are none",
    async () => {
      const seen = { made: 0, refused: 0, empty: 0 };
      for (let attempt = 0; attempt < attempts(12, 200); attempt++) {
        let asked = randomQuestion(random);
        let { files } = expectedOf(asked);
        while ((attempt > 0 && files.length < 2) || (attempt === 0 && files.length > 0)) {
          // Connections that end meanwhile are to be seen to.
          await breath();
          asked = randomQuestion(random);
          files = expectedOf(asked).files;
        }
        const most = [-1, files.length - 1, files.length, 1000][attempt % 4] ?? -1;
        const pairs = [...pairsOf(asked), ["max-results", String(most)]] as const;
        const response = await get("intake-catalogue/cmip6/file", pairs);
        const body = (await response.json()) as {
          catalog_dict: { file: string }[];
          detail: string;
        };
        const told = `${files.length} ${JSON.stringify(pairs)} ${body.detail}`;
        if (files.length === 0) {
          expect(response.status, told).toBe(400);
          seen.empty += 1;
        } else if (most >= 0 && files.length > most) {
          expect(response.status, told).toBe(413);
          expect(body.detail).toContain(`${files.length} entries`);
          seen.refused += 1;
        } else {
          expect(response.status, told).toBe(200);
          expect(body.catalog_dict.map(({ file }) => file)).toEqual(files);
          seen.made += 1;
        }
      }
      for (const count of Object.values(seen)) expect(count).toBeGreaterThan(0);
    },
    patience(120_000, 1_200_000),
  );
});

type Name = keyof typeof FACETS;

interface AskedNeed {
  readonly values: readonly (readonly [Name, readonly string[]])[];
  /** Places of facets of the groups. */
  readonly on: readonly number[];
  readonly period?: NonNullable<Needed["period"]>;
}

interface Asked {
  readonly groupBy: readonly Name[];
  readonly needs: readonly AskedNeed[];
  readonly filters: readonly {
    readonly name: Name | "dataset";
    readonly value: string;
    readonly isExcluded?: boolean;
  }[];
}

/** What the oracle tells, too. */
const shapeOf = ({ group_count, complete, near_misses }: Complete) => {
  return { group_count, complete, near_misses };
};

/** What must be told of the documents, and the files of complete groups in the order of results. */
function expectedOf({ groupBy, needs, filters }: Asked) {
  const conditions = filters.map(
    ({ name, value, isExcluded = false }): Condition => ({
      native: name === "dataset" ? name : NATIVE[name],
      values: [value],
      isExcluded,
    }),
  );
  const flavour = builtIn("cmip6");
  if (flavour === undefined) throw new Error("there is no flavour cmip6");
  const of = found(KNOWN, {
    flavour,
    conditions,
    key: "file",
    isMultiVersion: false,
    timeSelect: "flexible",
    bboxSelect: "flexible",
  });
  const facets = groupBy.map((name) => NATIVE[name]);
  const needed = needs.map(({ values, ...rest }) => ({
    ...rest,
    values: new Map(values.map(([name, all]) => [NATIVE[name], all])),
  }));
  const isOfAll = needs.every(({ on }) => on.length < groupBy.length);
  const all = groups(of, facets, needed, isOfAll);
  const named = ({ values }: (typeof all)[number]) =>
    Object.fromEntries(groupBy.map((name, place) => [name, values[place] ?? ""]));
  const sorted = [...all].sort(
    (a, b) => a.missing.length - b.missing.length || compared(a.values, b.values),
  );
  const lacking = sorted.filter(({ missing }) => missing.length > 0);
  return {
    answer: {
      group_count: all.length,
      complete: sorted.filter(({ missing }) => missing.length === 0).map(named),
      near_misses: lacking.map((group) => ({ group: named(group), missing: group.missing })),
    },
    files: ofComplete(of, facets, needed, all)
      .map(({ file }) => file)
      .sort()
      .reverse(),
  };
}

function compared(a: readonly string[], b: readonly string[]): number {
  const index = a.findIndex((value, place) => value !== b[place]);
  if (index < 0) return 0;
  return (a[index] ?? "") < (b[index] ?? "") ? -1 : 1;
}

const escaped = (value: string): string => value.replace(/[\\;:*?]/g, "\\$&");

function randomQuestion(random: () => number): Asked {
  const names = Object.keys(FACETS) as Name[];
  const groupBy = some(random, names.slice(0, 4), random() < 0.2 ? 4 : 2);
  const every = groupBy.map((_, place) => place);
  const spelled = (text: string): string =>
    random() < 0.1 ? text.toUpperCase() : random() < 0.1 ? text.toLowerCase() : text;
  const needs = Array.from({ length: 1 + Math.floor(random() * 3) }, (): AskedNeed => {
    const values = some(random, names, 2).map(
      (name) => [name, some(random, FACETS[name], 2).map(spelled)] as const,
    );
    const year = 1849 + Math.floor(random() * 5);
    const from = random() < 0.5 ? dateOf(random, year) : undefined;
    const to = random() < 0.5 ? dateOf(random, year + 1 + Math.floor(random() * 3)) : undefined;
    const on = random() < 0.3 ? some(random, every, every.length).sort() : every;
    const period = { ...(from && { from }), ...(to && { to }) };
    return { values, on, ...((from || to) && { period }) };
  });
  const filters: Asked["filters"][number][] = [];
  if (random() < 0.3) filters.push({ name: "experiment_id", value: "hist*" });
  if (random() < 0.2) filters.push({ name: "source_id", value: "mpi;esm", isExcluded: true });
  if (random() < 0.2) filters.push({ name: "dataset", value: random() < 0.5 ? "plain" : "odd" });
  return { groupBy, needs, filters };
}

const dateOf = (random: () => number, year: number): string =>
  random() < 0.5
    ? String(year)
    : `${year}-${String(1 + Math.floor(random() * 12)).padStart(2, "0")}`;
