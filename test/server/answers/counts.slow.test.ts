/** Every number that is told of a search is what a filter in memory finds among the same documents. */
import { describe, expect, it } from "vitest";
import type { components } from "../../../generated/openapi.js";
import { searchableFacets } from "../../../src/domain/vocabulary/flavours.js";
import { type Condition, found, type Known } from "../../support/data/known-documents.js";
import { VALUED } from "../../support/data/random-documents.js";
import type { Pair, Written } from "../../support/data/random-searches.js";
import {
  byValue,
  counts,
  boxes as expectedBoxes,
  named,
  summary,
  unmatched,
  without,
  years,
} from "./expected/expected.js";
import { PATIENCE, SEARCHES, useRandomScene } from "./expected/random-scene.js";

type Schemas = components["schemas"];

const scene = useRandomScene();

/** Where the other constraints find nothing, near values are counted without those that match nothing by themselves. */
function letThrough(search: Written, one: Condition, rest: Known[]): Known[] {
  if (rest.length > 0) return rest;
  const isAlive = (other: Condition): boolean => found(scene.documents, search, [other]).length > 0;
  return found(
    scene.documents,
    search,
    search.conditions.filter((other) => other !== one && isAlive(other)),
  );
}

describe("random searches, compared with a filter in memory,", () => {
  it("give the same lists and counts", { timeout: PATIENCE }, async () => {
    await scene.each(5, async (search, of) => {
      const listed = (await scene.ask("data-search", search, search.path)).split("\n").slice(0, -1);
      const places = of.flatMap(({ values }) => values.get(search.key) ?? []);
      expect(listed.sort()).toEqual(places.sort());
      const answer = await scene.askJson<Schemas["MetadataSearchResult"]>(
        "metadata-search",
        search,
        search.path,
      );
      expect(answer.total_count).toBe(of.length);
      for (const native of ["model", "variable", "grid_label", "format"]) {
        expect(answer.facets[search.nameOf(native)], native).toEqual(counts(of, native));
      }
    });
  });

  it("give the same counts of choices: for each facet those of the search without its restriction", {
    timeout: PATIENCE,
  }, async () => {
    let restricted = 0;
    await scene.each(
      4,
      async (search, of) => {
        const searchable = new Set<string>(searchableFacets(search.flavour));
        const natives = [
          ...VALUED.filter((one) => searchable.has(one) && one !== "user"),
          "units",
          "license",
          "retracted",
          ...(search.isMultiVersion ? ["version"] : []),
        ];
        const facets = natives.map(search.nameOf).join(",");
        const more: Pair[] = [
          ["facets", facets],
          ["choices", "true"],
        ];
        const answer = await scene.askJson<Schemas["MetadataSearchResult"]>(
          ...(["metadata-search", search, search.path, more] as const),
        );
        expect(answer.total_count).toBe(of.length);
        for (const native of natives) {
          const rest = search.conditions.filter((one) => one.native !== native);
          const chosen = found(scene.documents, search, rest);
          expect(answer.facets[search.nameOf(native)], native).toEqual(counts(chosen, native));
          if (chosen.length > of.length) restricted += 1;
          const known = answer.known_files?.[native];
          if (known === undefined) continue;
          expect(known, native).toBe(
            chosen.filter(({ values }) => (values.get(native) ?? []).length > 0).length,
          );
        }
      },
      SEARCHES / 2,
    );
    expect(restricted).toBeGreaterThan(SEARCHES / 10);
  });

  it("give the same summary", { timeout: PATIENCE }, async () => {
    await scene.each(4, async (search, of) => {
      const { estimated_bytes, ...rest } = await scene.askJson<Schemas["Summary"]>(
        "summary",
        search,
        search.path,
      );
      expect(rest).toEqual(summary(of));
      expect(Object.values(estimated_bytes).every((bytes) => bytes > 0)).toBe(of.length > 0);
    });
  });

  it("give the same files in each year", { timeout: PATIENCE }, async () => {
    await scene.each(
      4,
      async (search, found) => {
        if (search.key === "uri") return;
        const { by } = scene;
        const most = 1 + Math.floor(by.random() * 60);
        const since = by.random() < 0.3 ? 1900 + Math.floor(by.random() * 200) : undefined;
        const more: [string, string][] = [
          ["bars", String(most)],
          ...(since === undefined ? [] : [["since", String(since)] as [string, string]]),
        ];
        const path = search.flavour.name;
        const told = await scene.askJson<Schemas["Years"]>("years", search, path, more);
        const { bars, years_per_bar, total_count, ...ends } = told;
        const { files, ...expected } = years(found, bars);
        expect({ total_count, ...ends }).toEqual({ total_count: found.length, ...expected });
        expect(bars.map((bar) => bar.files)).toEqual(files);
        expect(bars.length).toBeLessThanOrEqual(most);
        // They stand side by side, from the first year that counts to the last.
        const from = Math.max(ends.first ?? 0, since ?? ends.first ?? 0);
        if (ends.last === null || from > ends.last) expect(bars).toEqual([]);
        else {
          expect(bars[0]?.first).toBeLessThanOrEqual(from);
          expect(bars[0]?.last).toBeGreaterThanOrEqual(from);
          expect(bars.at(-1)?.last).toBeGreaterThanOrEqual(ends.last);
          for (const [place, bar] of bars.entries()) {
            expect(bar.first).toBe((bars[0]?.first ?? 0) + place * years_per_bar);
            expect(bar.last).toBe(bar.first + years_per_bar - 1);
          }
        }
      },
      SEARCHES / 2,
    );
  });

  it("give the same boxes, each once", { timeout: PATIENCE }, async () => {
    await scene.each(
      4,
      async (search, found) => {
        const path = search.flavour.name;
        const of = search.key === "uri" ? undefined : found;
        if (of === undefined) return;
        const { boxes, ...numbers } = await scene.askJson<Schemas["Boxes"]>("boxes", search, path);
        const expected = expectedBoxes(of);
        expect(boxes).toEqual(expected);
        const known_files = of.filter(({ box }) => box !== undefined).length;
        expect(numbers).toEqual({
          total_count: of.length,
          known_files,
          box_count: expected.length,
        });
      },
      SEARCHES / 2,
    );
  });

  it("give the same explanation of each constraint, and of the smallest set that excludes everything", {
    timeout: PATIENCE,
  }, async () => {
    let excluded = 0;
    await scene.each(7, async (search, of) => {
      const { conditions, nameOf } = search;
      const answer = await scene.askJson<Schemas["Why"]>("why", search, search.path);
      expect(answer.total_count).toBe(of.length);
      const key = (one: Condition): string => named(one, nameOf);
      const told = new Map(answer.constraints.map((one) => [one.name, one]));
      expect([...told.keys()].sort()).toEqual(conditions.map(key).sort());
      for (const one of conditions) {
        const { values, count_without, unmatched: missed = [] } = told.get(key(one)) ?? {};
        expect(values, key(one)).toEqual(one.values);
        const rest = without(scene.documents, search, one);
        expect(count_without, `without ${key(one)}`).toBe(rest.length);
        expect(
          missed.map(({ value }) => value),
          key(one),
        ).toEqual(unmatched(scene.documents, search, one));
        const known = new Map(
          byValue(letThrough(search, one, rest), one.native).map(([value, { length }]) => [
            value,
            length,
          ]),
        );
        for (const { value, near } of missed) {
          for (const { value: other, count } of near) {
            expect(count, `${other} instead of ${value}`).toBe(known.get(other));
          }
        }
      }
      if (of.length > 0) {
        expect(answer.excluding).toBeNull();
        return;
      }
      const members = conditions.filter((one) => answer.excluding?.includes(key(one)));
      expect(members.map(key).sort()).toEqual([...(answer.excluding ?? ["none is told"])].sort());
      expect(found(scene.documents, search, members)).toEqual([]);
      for (const one of members) {
        const others = members.filter((other) => other !== one);
        expect(
          found(scene.documents, search, others).length,
          `but for ${key(one)}`,
        ).toBeGreaterThan(0);
      }
      expect(members.length, "a smaller one is there").toBe(smallest(search));
      if (members.length > 1) excluded += 1;
    });
    expect(excluded).toBeGreaterThan(SEARCHES / 50);
  });
});

/** How many constraints it takes to exclude everything. */
function smallest(search: Written): number {
  const { conditions } = search;
  const sizes = Array.from({ length: 2 ** conditions.length }, (_, bits) =>
    conditions.filter((_, place) => bits & (1 << place)),
  );
  const excluding = sizes.filter((members) => found(scene.documents, search, members).length === 0);
  return Math.min(...excluding.map(({ length }) => length));
}
