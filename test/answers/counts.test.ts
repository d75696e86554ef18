/** Every number that is told of a search is what a filter in memory finds among the same documents. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { components } from "../../generated/openapi.js";
import { attempts, patience } from "../support/attempts.js";
import { chance, SEED } from "../support/chance.js";
import { makeFlavour } from "../support/flavours.js";
import { type Condition, found, type Known } from "../support/known-documents.js";
import { chances, randomDocuments } from "../support/random-documents.js";
import {
  OWN_FLAVOUR,
  OWN_MAPPING,
  type Pair,
  randomSearch,
  type Written,
} from "../support/random-searches.js";
import { emptyIndex, load, startService, type TestService } from "../support/service.js";
import { bearer } from "../support/sign-in.js";
import { tried } from "../support/tried.js";
import { type Person, person } from "../support/user-data.js";
import { byValue, counts, named, summary, unmatched, without } from "./expected.js";

type Schemas = components["schemas"];

const SEARCHES = attempts(150, 5000);
const PATIENCE = patience(60_000, 3_600_000);

let service: TestService;
let ada: Person;
let documents: Known[];
const random = chance(SEED);
const by = chances(random);

beforeAll(async () => {
  service = await startService();
  await emptyIndex(service.solr);
  ada = await person(service);
  await makeFlavour(service, ada, OWN_FLAVOUR.name, OWN_MAPPING);
  const made = randomDocuments(random);
  const refused: unknown[] = [];
  await load(service.solr, made.posted, refused as []);
  expect(refused).toEqual([]);
  documents = made.known;
}, 60_000);
afterAll(() => service.close());

/** Random searches one after the other, each with what it finds, by what the test does. */
async function each(
  most: number,
  check: (search: Written, of: Known[]) => Promise<void>,
): Promise<void> {
  let something = 0;
  for (let n = 0; n < SEARCHES; n++) {
    const search = randomSearch(by, most);
    const of = found(documents, search);
    if (of.length > 0) something += 1;
    try {
      await check(search, of);
    } catch (error) {
      const { path, pairs } = search;
      throw new Error(`search ${n}: ${path}?${new URLSearchParams(pairs.map((one) => [...one]))}`, {
        cause: error,
      });
    }
  }
  // Else nothing would have been compared, or nothing without an answer.
  expect(something).toBeGreaterThan(SEARCHES / 5);
  expect(something).toBeLessThan(SEARCHES);
  tried(SEARCHES);
}

async function ask(
  operation: string,
  { path, pairs }: Pick<Written, "path" | "pairs">,
  more: readonly Pair[] = [],
): Promise<string> {
  const query = new URLSearchParams([...pairs, ...more].map(([name, value]) => [name, value]));
  const response = await service.get(
    `/databrowser/${operation}/${path}?${query}`,
    bearer(ada.token),
  );
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return text;
}

const asJson = async <T>(...asked: Parameters<typeof ask>): Promise<T> =>
  JSON.parse(await ask(...asked));

describe("over random searches, what a filter in memory finds is", () => {
  it("what is listed, and what a metadata search counts", { timeout: PATIENCE }, async () => {
    await each(5, async (search, of) => {
      const listed = (await ask("data-search", search)).split("\n").slice(0, -1);
      const places = of.flatMap(({ values }) => values.get(search.key) ?? []);
      expect(listed.sort()).toEqual(places.sort());
      const answer = await asJson<Schemas["MetadataSearchResult"]>("metadata-search", search);
      expect(answer.total_count).toBe(of.length);
      for (const native of ["model", "variable", "grid_label", "format"]) {
        expect(answer.facets[search.nameOf(native)], native).toEqual(counts(of, native));
      }
    });
  });

  it("what a summary says", { timeout: PATIENCE }, async () => {
    await each(4, async (search, of) => {
      const { estimated_bytes, ...rest } = await asJson<Schemas["Summary"]>("summary", search);
      expect(rest).toEqual(summary(of));
      expect(Object.values(estimated_bytes).every((bytes) => bytes > 0)).toBe(of.length > 0);
    });
  });

  it("what is told of each constraint, and of the smallest set that excludes everything", {
    timeout: PATIENCE,
  }, async () => {
    let excluded = 0;
    await each(7, async (search, of) => {
      const { conditions, nameOf } = search;
      const answer = await asJson<Schemas["Why"]>("why", search);
      expect(answer.total_count).toBe(of.length);
      const key = (one: Condition): string => named(one, nameOf);
      const told = new Map(answer.constraints.map((one) => [one.name, one]));
      expect([...told.keys()].sort()).toEqual(conditions.map(key).sort());
      for (const one of conditions) {
        const { values, count_without, unmatched: missed = [] } = told.get(key(one)) ?? {};
        expect(values, key(one)).toEqual(one.values);
        const rest = without(documents, search, one);
        expect(count_without, `without ${key(one)}`).toBe(rest.length);
        expect(
          missed.map(({ value }) => value),
          key(one),
        ).toEqual(unmatched(documents, search, one));
        const known = new Map(
          byValue(rest, one.native).map(([value, { length }]) => [value, length]),
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
      expect(found(documents, search, members)).toEqual([]);
      for (const one of members) {
        const others = members.filter((other) => other !== one);
        expect(found(documents, search, others).length, `but for ${key(one)}`).toBeGreaterThan(0);
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
  const excluding = sizes.filter((members) => found(documents, search, members).length === 0);
  return Math.min(...excluding.map(({ length }) => length));
}
