/** What must hold of user data whatever happens: many at once, failures at any point, odd values. */
import { beforeEach, describe, expect, it } from "vitest";
import { selectionClauses } from "../../../src/domain/search/user-data-clause.js";
import type { SolrEndpoint } from "../../../src/index/transport/endpoint.js";
import { CONTROLS, ODD_TEXTS } from "../../support/data/odd-texts.js";
import { attempts, chance, tried } from "../../support/run/trials.js";
import {
  emptyIndex,
  load,
  postToSolr,
  startService,
  testEndpoint,
} from "../../support/service/service.js";
import { usePerson, useService } from "../../support/service/use-service.js";
import {
  add,
  added,
  deleted,
  type Entry,
  entry,
  message,
  type Person,
  person,
  remove,
  stored,
} from "../../support/service/user-data.js";
import { severed } from "../../support/solr/severed.js";

const CUTS = attempts(20, 50);
const DELETIONS = attempts(1000, 10_000);

const service = useService();
const ada = usePerson(service);
const bob = usePerson(service);

beforeEach(() => emptyIndex(service.solr));

const many = (count: number, folder = "/many"): Entry[] =>
  Array.from({ length: count }, (_, i) =>
    entry(`${folder}/${String(i).padStart(5, "0")}.nc`, { model: `m${i % 7}`, note: `note ${i}` }),
  );

describe("fifty identical requests at once", () => {
  it("give one document a file, and one of them reports that it added it", async () => {
    const entries = many(3);
    const answers = await Promise.all(
      Array.from({ length: 50 }, async () => message(await add(service, ada, entries))),
    );
    // Requests may overtake each other between two files: one adds the first file, another the next.
    const counts = answers.map((text) => Number(/^\d+/.exec(text)?.[0] ?? 0));
    expect(counts.reduce((sum, count) => sum + count)).toBe(3);
    expect(answers).toEqual(counts.map((count) => added(count, 3 - count)));
    expect((await stored(service)).map(({ file }) => file)).toEqual(
      entries.map(({ file }) => file),
    );
  });

  it("do so through several instances of the service as well", async () => {
    const more = { dataDir: service.dataDir, baseUrl: service.address };
    const instances = [service, await startService(more), await startService(more)];
    const entries = many(20);
    await Promise.all(
      Array.from({ length: 50 }, async (_, i) =>
        message(await add(instances[i % 3] ?? service, ada, entries)),
      ),
    );
    expect((await stored(service)).map(({ file }) => file)).toEqual(
      entries.map(({ file }) => file),
    );
    for (const instance of instances.slice(1)) await instance.close();
  });

  it("write each file once with different metadata, and exactly one reports it as added", async () => {
    const more = { dataDir: service.dataDir, baseUrl: service.address };
    const instances = [service, await startService(more), await startService(more)];
    for (let round = 0; round < attempts(3, 20); round += 1) {
      await emptyIndex(service.solr);
      const entries = many(20, `/other/${round}`);
      const answers = await Promise.all(
        instances.map(async (instance, i) => {
          const told = entries.map((one) => ({ ...one, model: `i${i}` }));
          return message(await add(instance, ada, told));
        }),
      );
      const count = answers.map((text) => Number(/^\d+/.exec(text)?.[0] ?? 0));
      const documents = await stored(service);
      expect(documents.map(({ file }) => file)).toEqual(entries.map(({ file }) => file));
      // Whose metadata a file has, has said that it added it.
      for (const i of instances.keys()) {
        const its = documents.filter(({ model }) => (model as string[])[0] === `i${i}`);
        expect(its).toHaveLength(count[i] ?? -1);
      }
    }
    for (const instance of instances.slice(1)) await instance.close();
  });

  it("give each file to one of several users", async () => {
    const people = [ada, bob, await person(service), await person(service)];
    const entries = many(20);
    await Promise.all(
      Array.from({ length: 48 }, async (_, i) =>
        message(await add(service, people[i % 4] ?? ada, entries)),
      ),
    );
    const documents = await stored(service);
    expect(documents).toHaveLength(20);
    const names = new Map(people.map(({ sub, name }) => [sub, name]));
    for (const { owner, user } of documents) expect(names.get(String(owner))).toBe(user);
  });
});

describe("a connection to Solr that is cut at any point of a request", () => {
  it("gives an error many times, and the same request completes it", async () => {
    const wire = await severed();
    const endpoint: SolrEndpoint = { ...testEndpoint(), urls: [wire.url] };
    const through = await startService({
      endpoint,
      dataDir: service.dataDir,
      baseUrl: service.address,
    });
    const next = chance(20260101);
    const points = { failed: 0, partial: 0 };
    for (let round = 0; round < CUTS; round += 1) {
      // Some need several batches.
      const entries = many(round % 10 === 0 ? 4500 : 200, `/cut/${round}`);
      const query = `file:\\/cut\\/${round}\\/*`;
      const size = JSON.stringify(entries).length * 2.6;
      wire.cutAfter(Math.floor(next() * size));
      const first = await add(through, ada, entries);
      expect([202, 503]).toContain(first.status);
      if (first.status === 503) points.failed += 1;
      wire.mend();
      const count = (await stored(service, query)).length;
      if (count > 0 && count < entries.length) points.partial += 1;
      const again = await message(await add(through, ada, entries));
      expect(again).toMatch(/^(\d+ have been|No data was)/);
      const documents = await stored(service, query);
      expect(documents.map(({ file }) => file)).toEqual(entries.map(({ file }) => file));
      expect(documents.every(({ owner }) => owner === ada.sub)).toBe(true);
      expect(await message(await add(through, ada, entries))).toBe(added(0, entries.length));
    }
    expect(points.failed).toBeGreaterThan(CUTS / 2);
    await through.close();
    wire.close();
  });

  it("gives an error during a deletion, and the same deletion completes it", async () => {
    const wire = await severed();
    const through = await startService({
      endpoint: { ...testEndpoint(), urls: [wire.url] },
      dataDir: service.dataDir,
      baseUrl: service.address,
    });
    const next = chance(7);
    for (let round = 0; round < attempts(8, 20); round += 1) {
      await message(await add(through, ada, many(50)));
      wire.cutAfter(Math.floor(next() * 6000));
      const first = await remove(through, ada, { file: "/many/*" });
      expect([202, 503]).toContain(first.status);
      wire.mend();
      await message(await remove(through, ada, { file: "/many/*" }));
      expect(await stored(service)).toEqual([]);
    }
    await through.close();
    wire.close();
  });
});

describe("generated deletions with odd characters", () => {
  const PIECES = [...ODD_TEXTS, ...CONTROLS, "a", "m1", "nc", "/u/"];
  const KEYS = [
    "project",
    "model",
    "variable",
    "time_frequency",
    "ensemble",
    "fs_type",
    "dataset",
    "user",
    "file",
    "uri",
    "version",
    "format",
    "level_type",
    "realm",
  ];

  it("never remove a document of another user, nor of the public catalogue", async () => {
    const people = [ada, await person(service), await person(service), await person(service)];
    await load(service.solr, [{ file: "/pool/a.nc", model: "m1" }, { file: '/pool/" OR *.nc' }]);
    const odd = PIECES.map((piece, i) =>
      entry(`/u/${i}${piece}.nc`, { model: piece, project: "a" }),
    );
    await message(await add(service, bob, odd));
    const others = await stored(service);
    expect(others).toHaveLength(odd.length + 2);
    const next = chance(42);
    const pick = <T>(from: readonly T[]): T => from[Math.floor(next() * from.length)] as T;
    const text = (): string =>
      Array.from({ length: 1 + Math.floor(next() * 5) }, () =>
        next() < 0.05 ? pick([bob.name, bob.sub]) : pick(PIECES),
      ).join("");
    const body = () =>
      Object.fromEntries(
        Array.from({ length: 1 + Math.floor(next() * 3) }, () => [pick(KEYS), text()]),
      );
    const bodies = Array.from({ length: DELETIONS }, body);
    const all = [...bodies];
    const statuses = new Map<string, number>();
    let taken = 0;
    const work = async (who: Person): Promise<void> => {
      for (let one = bodies.pop(); one !== undefined; one = bodies.pop()) {
        let selection: Record<string, string> = one;
        if (next() < 0.05) {
          // One that finds exactly what it is meant to find.
          const model = text();
          await message(await add(service, who, [entry(`/own/${who.name}`, { model })]));
          selection = { model: model.replaceAll(/[*?]/g, "\\$&") };
        }
        const response = await remove(service, who, selection);
        const key = String(response.status);
        statuses.set(key, (statuses.get(key) ?? 0) + 1);
        if (response.status === 202 && (await message(response)) !== deleted(0)) taken += 1;
      }
    };
    await Promise.all(people.map(work));
    tried(DELETIONS);
    expect(statuses.get("202")).toBeGreaterThan(0.98 * DELETIONS);
    expect([...statuses.keys()].filter((key) => key !== "202" && key !== "422")).toEqual([]);
    expect(taken).toBeGreaterThan(0.03 * DELETIONS);
    expect(await stored(service, "-file:\\/own\\/*")).toEqual(others);
    // Where there is nothing to delete, Solr was not asked to: here it is, with each of the queries.
    for (const who of people) await message(await remove(service, who, {}));
    for (let at = 0; at < all.length; at += 500) {
      const commands = all.slice(at, at + 500).map((one) => {
        const clauses = selectionClauses(ada.sub, one);
        const query = clauses.map((clause) => `+${clause}`).join(" ");
        return `"delete":${JSON.stringify({ query })}`;
      });
      await postToSolr(service.solr, `{${commands.join(",")}}`);
    }
    expect(await stored(service)).toEqual(others);
  }, 600_000);
});
