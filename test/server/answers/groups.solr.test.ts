/** Complete groups of what a search finds are those that a filter in memory makes of the same documents. */
import { describe, expect, it } from "vitest";
import type { components } from "../../../generated/openapi.js";
import { found } from "../../support/data/known-documents.js";
import { type Chance, VALUES, type Valued } from "../../support/data/random-documents.js";
import type { Pair, Written } from "../../support/data/random-searches.js";
import { SEED } from "../../support/run/trials.js";
import {
  everyCombination,
  type Group,
  groups,
  type Needed,
  ofComplete,
  readNeedText,
} from "./expected/expected-groups.js";
import { inOrder, PATIENCE, SEARCHES, useRandomScene } from "./expected/random-scene.js";

const GROUPED = ["model", "ensemble", "experiment", "grid_label"];
const NEEDED = ["variable", "experiment", "time_frequency", "realm", "format", "units"] as const;

const scene = useRandomScene();

/** So many of a list, each once. */
function some<T>({ below, pick }: Chance, from: readonly T[], most: number): T[] {
  const chosen = new Set<T>();
  for (let left = 1 + below(most); left > 0; left--) chosen.add(pick(from));
  return [...chosen];
}

describe("random searches, compared with a filter in memory,", () => {
  it("give the same complete groups, and the same gaps in the others, by needs", {
    timeout: PATIENCE,
  }, async () => {
    const seen = { complete: 0, gaps: 0 };
    await scene.each(2, async (search) => {
      const facets = some(scene.by, GROUPED, 2);
      const many = Array.from({ length: 1 + scene.by.below(3) }, () =>
        randomNeed(scene.by, facets),
      );
      const needs = [
        ...new Map(many.map((need) => [needText(need, search, facets), need])).values(),
      ];
      const asked: Pair[] = [
        ...groupPairs(scene.by, "group_by", search, facets),
        ...needs.map((need) => ["need", needText(need, search, facets)] as const),
      ];
      const isOfAll = !needs.some(({ on }) => on.length === facets.length);
      const wanted = await check(search, asked, { facets, needs, isOfAll });
      seen.complete += wanted.filter(({ missing }) => missing.length === 0).length;
      seen.gaps += wanted.flatMap(({ missing }) => missing.flatMap(({ gaps = [] }) => gaps)).length;
    });
    expect(seen.complete).toBeGreaterThan(SEARCHES / 2);
    expect(seen.gaps).toBeGreaterThan(SEARCHES / 2);
  });

  it("give the same complete groups, by every combination of the values", {
    timeout: PATIENCE,
  }, async () => {
    let complete = 0;
    await scene.each(4, async (search) => {
      const facets = some(scene.by, GROUPED, 3);
      const name = scene.by.pick(["group_by", "require_all_on"] as const);
      const needs = everyCombination(search, facets);
      const asked = groupPairs(scene.by, name, search, facets);
      const wanted = await check(search, asked, { facets, needs, isOfAll: true });
      complete += wanted.filter(({ missing }) => missing.length === 0).length;
    });
    expect(complete).toBeGreaterThan(SEARCHES / 2);
  });
});

/** How a need is written: marks of the language with a backslash before them. */
function needText(
  { values, on, period }: Needed,
  { nameOf }: Written,
  facets: readonly string[],
): string {
  const parts = [...values].flatMap(([native, all]) =>
    all.map((value) => `${nameOf(native)}:${value.replace(/[\\;:*?]/g, "\\$&")}`),
  );
  if (on.length < facets.length) parts.push(`on=${on.map((place) => nameOf(facets[place] ?? ""))}`);
  for (const [end, date] of Object.entries(period ?? {})) parts.push(`${end}=${date}`);
  return parts.join(";");
}

function randomNeed(chance: Chance, facets: readonly string[]): Needed {
  const { random, below, pick } = chance;
  const keys = some(chance, NEEDED, 2);
  const year = 1978 + below(12);
  const every = facets.map((_, place) => place);
  return {
    values: new Map(
      keys.map((key: Valued) => [key, some(chance, VALUES[key] as readonly string[], 2)]),
    ),
    on: facets.length > 1 && random() < 0.3 ? some(chance, every, every.length).sort() : every,
    ...(random() < 0.5 && {
      period: {
        ...(random() < 0.8 && { from: pick([`${year}`, `${year}-0${1 + below(9)}`]) }),
        to: pick([`${year + below(12)}`, `${year + 4}-06`]),
      },
    }),
  };
}

/** Facets of groups, in one list or several. */
function groupPairs(
  { random }: Chance,
  name: string,
  search: Written,
  facets: readonly string[],
): Pair[] {
  const names = facets.map(search.nameOf);
  return random() < 0.5 ? [[name, names.join()]] : names.map((one) => [name, one]);
}

interface Asked {
  readonly facets: readonly string[];
  readonly needs: readonly Needed[];
  readonly isOfAll: boolean;
}

/** Asks for complete groups, and for the files of these. @returns all groups, as they must be */
async function check(
  search: Written,
  pairs: readonly Pair[],
  { facets, needs, isOfAll }: Asked,
): Promise<Group[]> {
  const of = found(scene.documents, { ...search, key: "file" });
  const wanted = groups(of, facets, needs, isOfAll);
  const near: Pair = ["near", "1000"];
  const { name } = search.flavour;
  const answer = await scene.askJson<components["schemas"]["Complete"]>("complete", search, name, [
    ...pairs,
    near,
  ]);
  const context = `SEED=${SEED} ${JSON.stringify(pairs)}`;
  const names = facets.map(search.nameOf);
  const valuesOf = (group: Readonly<Record<string, string>>): string[] =>
    names.map((one) => group[one] ?? "");
  expect(answer.group_count, context).toBe(wanted.length);
  const complete = wanted.filter(({ missing }) => missing.length === 0);
  expect(answer.complete_count, context).toBe(complete.length);
  expect(answer.complete.map(valuesOf), context).toEqual(
    inOrder(complete.map(({ values }) => values)),
  );
  // Combinations have an order of the service's own.
  const keyOf = (text: string): string => readNeedText(text).toLowerCase();
  const keys = needs.map((need) => keyOf(needText(need, search, facets)));
  // Needs that ask for the same are told apart by nothing: they go by the place of the last one.
  const places = new Map(keys.map((key, place) => [key, place] as const));
  const placeOf = (key: string): number => places.get(key) ?? -1;
  const told = answer.near_misses.map(({ group, missing }) => ({
    values: valuesOf(group),
    missing: missing.map(({ need, ...more }) => ({
      need: placeOf(keyOf(answer.needs[need]?.need ?? "")),
      ...more,
    })),
  }));
  const lacking = wanted
    .filter(({ missing }) => missing.length > 0)
    .map(({ values, missing }) => ({
      values,
      missing: missing.map(({ need, ...more }) => ({ need: placeOf(keys[need] ?? ""), ...more })),
    }));
  const orderly = (list: readonly { values: readonly string[]; missing: readonly object[] }[]) =>
    inOrder(list.map(({ values, missing }) => ({ values, missing: inOrder(missing) })));
  expect(orderly(told), context).toEqual(orderly(lacking));
  const least = told.map(({ missing }) => missing.length);
  expect(least, context).toEqual([...least].sort((a, b) => a - b));

  const listed = ofComplete(of, facets, needs, wanted).map(({ file }) => file);
  const files = inPathOrder(listed);
  expect(await scene.lines(answer.links.path_list), context).toEqual(files);
  const start = scene.by.below(4);
  const behind = await scene.lines(`${answer.links.path_list}&start=${start}`);
  expect(behind, context).toEqual(files.slice(start));
  await checkCatalogue(answer.links.intake_catalogue, files);
  return wanted;
}

/** A catalogue of complete groups has their files; it is refused if they are too many, and if there are none. */
async function checkCatalogue(address: string, files: readonly string[]): Promise<void> {
  const max = scene.by.pick([-1, Math.max(1, files.length - 1), Math.max(1, files.length)]);
  const response = await scene.fetch(`${address}&max-results=${max}`);
  const body = (await response.json()) as { catalog_dict: { file: string }[]; detail: string };
  const isRefused = max >= 0 && files.length > max;
  const context = `${address} ${max} ${body.detail}`;
  expect(response.status, context).toBe(files.length === 0 ? 400 : isRefused ? 413 : 200);
  if (response.ok) expect(body.catalog_dict.map(({ file }) => file)).toEqual(files);
  else if (isRefused) expect(body.detail).toContain(`${files.length} entries`);
}

/** The order of results. */
const inPathOrder = (files: readonly string[]): string[] => [...files].sort().reverse();
