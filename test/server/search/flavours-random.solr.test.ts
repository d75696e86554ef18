/** Random sets of own names: what is found through them is what is found in the native names. */
import { beforeAll, describe, expect, it } from "vitest";
import { FACET_NAMES, FACETS, type Facet } from "../../../src/domain/vocabulary/facets.js";
import { FLAVOURS, listedFacets } from "../../../src/domain/vocabulary/flavours.js";
import { definitionIssues } from "../../../src/server/flavours/definition.js";
import { attempts, chance, SEED } from "../../support/run/trials.js";
import { flavours, makeFlavour } from "../../support/service/flavours.js";
import { emptyIndex, load } from "../../support/service/service.js";
import { bearer } from "../../support/service/sign-in.js";
import { usePerson, useService } from "../../support/service/use-service.js";

const random = chance(SEED);
const below = (count: number): number => Math.floor(random() * count);
const pick = <T>(from: readonly T[]): T => from[below(from.length)] as T;

/** Facets that documents have here, with their values. */
const VALUES = {
  project: ["CMIP6", "cordex", "nextGEMS"],
  model: ["M1", "M2", "M 3", "m:4", "!5"],
  experiment: ["historical", "ssp585"],
  variable: ["tas", "pr", "ta"],
  ensemble: ["r1i1p1f1", "r2"],
  grid_label: ["gn", "gr"],
  level_type: ["2d", "3d"],
  dataset: ["one", "two"],
} satisfies Partial<Record<Facet, string[]>>;
const SEARCHED = Object.keys(VALUES) as (keyof typeof VALUES)[];

const service = useService();
const ada = usePerson(service);
beforeAll(async () => {
  await emptyIndex(service.solr);
  await makeFlavour(service, ada, "random", {});
  const documents = Array.from({ length: 150 }, (_, index) => {
    const facets = SEARCHED.filter(() => random() < 0.8).map((facet) => {
      const { single } = FACETS[facet];
      const value = pick(VALUES[facet]);
      return [facet, single || random() < 0.7 ? value : [value, pick(VALUES[facet])]] as const;
    });
    const year = 1980 + below(30);
    return {
      file: `/data/${index}.nc`,
      ...(random() < 0.6 && { uri: `https://data.example.org/${index}.nc` }),
      ...(random() < 0.8 && { time: `[${year} TO ${year + below(10)}]` }),
      ...(random() < 0.8 && { bbox: `ENVELOPE(${below(90)},${90 + below(90)},${below(80)},-10)` }),
      ...(random() < 0.5 && { units: pick(["K", "kg m-2 s-1"]) }),
      ...Object.fromEntries(facets),
    };
  });
  await load(service.solr, documents);
});

/** Names of other flavours, of every object, and words of nobody. */
const NAMES: readonly string[] = [
  ...Object.values(FLAVOURS).flatMap(({ renamed }) => Object.values(renamed)),
  "constructor",
  "toString",
  "hasOwnProperty",
  "valueOf",
  "then",
  "length",
  "toJSON",
  "Gcm",
  "run-1",
  "x",
  "not",
  "all",
  "Scenario_x",
  "name",
  "total_count",
  "or",
  "AND",
];

function randomMapping(): Record<string, string> {
  const mapping: Record<string, string> = {};
  for (const facet of FACET_NAMES.filter(() => random() < 0.6)) {
    const own = pick(NAMES);
    const wanted = { name: "random", mapping: { ...mapping, [facet]: own } };
    if (definitionIssues(wanted).length === 0) mapping[facet] = own;
  }
  return mapping;
}

type Pair = readonly [native: string, value: string];

/** Filters by native names, and what is no facet. */
function randomSearch(): { filters: Pair[]; others: Pair[] } {
  const filters = Array.from({ length: below(4) }, (): Pair => {
    const facet = pick(SEARCHED);
    const value = pick([...VALUES[facet], `${pick(VALUES[facet]).slice(0, 1)}*`, "nothing"]);
    return [facet, random() < 0.2 ? `!${value}` : value];
  });
  const others: Pair[] = [];
  if (random() < 0.3) others.push(["time", `${1980 + below(30)} to ${2010 + below(5)}`]);
  if (random() < 0.2) others.push(["time_select", pick(["strict", "file"])]);
  if (random() < 0.3) others.push(["bbox", `${below(90)},${90 + below(90)},-20,${below(60)}`]);
  if (random() < 0.2) others.push(["units", pick(["K", "!K"])]);
  if (random() < 0.2) others.push(["multi-version", "true"]);
  return { filters, others };
}

async function ask(path: string, pairs: readonly Pair[]): Promise<string> {
  const query = new URLSearchParams(pairs.map(([name, value]) => [name, value]));
  const response = await service.get(`/databrowser/${path}?${query}`, bearer(ada.token));
  const text = await response.text();
  // Nothing found is 400 for catalogues, and says by which names.
  return response.status === 200 ? text : `${response.status}`;
}

const renamed = (object: object, nameOf: (name: string) => string): object =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [nameOf(name), value]));

describe("a search through random names", () => {
  it(
    "finds, counts and lists the results of a search in the native names",
    async () => {
      let something = 0;
      for (let round = 0; round < attempts(6, 200); round++) {
        const mapping = randomMapping();
        const put = await flavours(service, ada, "PUT", { mapping }, "/random");
        expect(put.status, await put.text()).toBe(200);
        const own = (facet: string): string => mapping[facet] ?? facet;
        const natives = new Map(FACET_NAMES.map((facet) => [own(facet), facet as string]));
        const native = (name: string): string => natives.get(name) ?? name;
        const counted = listedFacets({
          name: "random",
          renamed: mapping,
          userData: "excluded",
          knowsUser: true,
        }).filter((facet) => !FACETS[facet].onRequest);
        for (let search = 0; search < 5; search++) {
          const { filters, others } = randomSearch();
          const key = pick(["file", "uri"]);
          const excluding = random() < 0.3 ? "_not_" : "";
          const inNative = [...filters.map(([f, v]): Pair => [f + excluding, v]), ...others];
          const inOwn = [...filters.map(([f, v]): Pair => [own(f) + excluding, v]), ...others];
          const asItems = filters.map(([f, v]): Pair => ["filter", `${own(f)}${excluding}=${v}`]);
          const context = JSON.stringify({ mapping, inNative, key });

          const list = await ask(`data-search/native/${key}`, inNative);
          if (list.includes("\n") && filters.length > 0) something += 1;
          expect(await ask(`data-search/random/${key}`, inOwn), context).toBe(list);
          expect(await ask(`data-search/random/${key}`, [...asItems, ...others]), context).toBe(
            list,
          );
          const untranslated: Pair[] = [...inNative, ["translate", "false"]];
          expect(await ask(`data-search/random/${key}`, untranslated), context).toBe(list);

          const all: Pair = ["facets", counted.join(",")];
          const versioned: Pair[] = inNative.some(([name]) => name === "multi-version")
            ? [["facets", "version"]]
            : [];
          const counts = JSON.parse(
            await ask(`metadata-search/native/${key}`, [...inNative, all, ...versioned]),
          );
          const ownCounts = JSON.parse(await ask(`metadata-search/random/${key}`, inOwn));
          expect(ownCounts.total_count, context).toBe(counts.total_count);
          expect(renamed(ownCounts.facets, native), context).toEqual(counts.facets);
          for (const [facet, name] of Object.entries(ownCounts.facet_mapping)) {
            expect(name, context).toBe(own(facet));
          }

          const intake = await ask(`intake-catalogue/native/${key}`, inNative);
          const ownIntake = await ask(`intake-catalogue/random/${key}`, inOwn);
          if (intake === "400") expect(ownIntake, context).toBe("400");
          else {
            const rows = (text: string) => JSON.parse(text).catalog_dict as object[];
            const expected = rows(intake);
            const found = rows(ownIntake).map((row) => {
              // Facets of few standards are columns where they are named.
              const { region, branding_suffix, ...rest } = renamed(row, native) as Record<
                string,
                []
              >;
              return rest;
            });
            expect(found, context).toEqual(expected);
          }
        }
      }
      // Else nothing would have been compared.
      expect(something).toBeGreaterThan(attempts(2, 100));
    },
    attempts(60_000, 900_000),
  );
});
