/** Random sets of own names: what is found through them is what a filter in memory finds. */
import { describe, expect, it } from "vitest";
import type { IntakeCatalogue, MetadataSearchResult } from "../../../generated/schemas.js";
import { FACET_NAMES, FACETS } from "../../../src/domain/vocabulary/facets.js";
import { FLAVOURS, type Flavour, listedFacets } from "../../../src/domain/vocabulary/flavours.js";
import { definitionIssues } from "../../../src/server/flavours/definition.js";
import type { Known } from "../../support/data/known-documents.js";
import { VALUES } from "../../support/data/random-documents.js";
import { OWN_FLAVOUR, type Written } from "../../support/data/random-searches.js";
import { attempts, SEED } from "../../support/run/trials.js";
import { counts } from "../answers/expected/expected.js";
import { inOrder, PATIENCE, useRandomScene } from "../answers/expected/random-scene.js";

/** Names of other flavours, of every object, and words of nobody. */
const NAMES: readonly string[] = [
  ...Object.values(FLAVOURS).flatMap(({ renamed }) => Object.values(renamed)),
  ...["constructor", "toString", "hasOwnProperty", "valueOf", "then", "length", "toJSON", "Gcm"],
  ...["run-1", "x", "not", "all", "Scenario_x", "name", "total_count", "or", "AND"],
];
/** Searches through the same names. */
const SEARCHES_OF_NAMES = 5;

const scene = useRandomScene();

function randomMapping(): Record<string, string> {
  const { random, pick } = scene.by;
  const mapping: Record<string, string> = {};
  for (const facet of FACET_NAMES.filter(() => random() < 0.6)) {
    const wanted = { ...mapping, [facet]: pick(NAMES) };
    const issues = definitionIssues({ name: OWN_FLAVOUR.name, mapping: wanted });
    if (issues.length === 0) Object.assign(mapping, wanted);
  }
  return mapping;
}

/** Facets that answers show without being requested. */
const shownIn = (flavour: Flavour) =>
  listedFacets(flavour).filter((facet) => facet in VALUES && !FACETS[facet].onRequest);

/** The rows of a catalogue have the values of the files that the search finds, under its names. */
async function checkCatalogue(search: Written, of: readonly Known[]): Promise<void> {
  const text = await scene.ask("intake-catalogue", search, search.path);
  const rows = (JSON.parse(text) as IntakeCatalogue).catalog_dict as Record<string, unknown>[];
  const natives = shownIn(search.flavour);
  const folded = (values: unknown): string[] =>
    inOrder([...new Set([values].flat().map((one) => String(one).toLowerCase()))]);
  const told = rows.map((row) => natives.map((native) => folded(row[search.nameOf(native)])));
  const expected = of.flatMap(({ values }) =>
    (values.get(search.key) ?? []).map(() =>
      natives.map((native) => folded(values.get(native) ?? [])),
    ),
  );
  expect(inOrder(told)).toEqual(inOrder(expected));
}

describe("a search through random names", () => {
  it("finds, counts and lists what a filter in memory finds", { timeout: PATIENCE }, async () => {
    let flavour = OWN_FLAVOUR;
    const check = async (search: Written, of: Known[]): Promise<void> => {
      const lines = (await scene.ask("data-search", search, search.path)).split("\n").slice(0, -1);
      const files = of.flatMap(({ values }) => values.get(search.key) ?? []);
      expect(lines.sort(), `SEED=${SEED}`).toEqual(files.sort());
      const answer = await scene.askJson<MetadataSearchResult>(
        "metadata-search",
        search,
        search.path,
      );
      expect(answer.total_count).toBe(of.length);
      for (const native of shownIn(flavour)) {
        expect(answer.facets[search.nameOf(native)], native).toEqual(counts(of, native));
      }
      const own: Readonly<Record<string, string>> = flavour.renamed;
      for (const [facet, name] of Object.entries(answer.facet_mapping)) {
        expect(name).toBe(Object.hasOwn(own, facet) ? own[facet] : facet);
      }
      if (of.length > 0) await checkCatalogue(search, of);
    };
    await scene.each(4, check, SEARCHES_OF_NAMES * attempts(6, 200), async (n) => {
      if (n % SEARCHES_OF_NAMES === 0) flavour = await scene.rename(randomMapping());
      return flavour;
    });
  });
});
