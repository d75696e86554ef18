/** Replies that are kept are those of the index as it is, at every moment and for everybody. */
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { removeDocuments } from "../../../src/index/loading/remove-files.js";
import { attempts, chance, SEED } from "../../support/run/trials.js";
import { emptyIndex, load, postToSolr } from "../../support/service/service.js";
import { bearer } from "../../support/service/sign-in.js";
import { useService } from "../../support/service/use-service.js";
import { person } from "../../support/service/user-data.js";

const service = useService();
beforeAll(() => emptyIndex(service.solr));

/** Milliseconds after a change for which a version may be one from before it. */
const UNTIL_NEW = 100;
const PATH = "/databrowser/metadata-search/native/file";
const QUERIES = ["?model=a", "?model=b", "?variable=tas", "?model=a&choices=true"];

const documentOf = (n: number) => ({
  file: `/data/kept/tas_${n}.nc`,
  project: ["kept"],
  model: [n % 2 === 0 ? "a" : "b"],
  variable: ["tas"],
});
type TestedDocument = ReturnType<typeof documentOf>;

const matching = (query: string, { model }: TestedDocument): boolean =>
  !query.includes("model=") || query.includes(`model=${model[0]}`);

async function totalOf(query: string, init?: RequestInit): Promise<number> {
  const answer = await service.get(`${PATH}${query}`, init);
  return ((await answer.json()) as { total_count: number }).total_count;
}

const hits = (): number => service.solr.usage.facetCounts.hits;

describe("a kept reply", () => {
  it("is sent again until the index changes, and never after that", async () => {
    const documents = new Map([0, 1, 2, 3].map((n) => [n, documentOf(n)]));
    await load(service.solr, [...documents.values()]);
    const expectAll = async (): Promise<void> => {
      const asked = QUERIES.flatMap((query) => [query, query, query]);
      const expected = asked.map(
        (query) => [...documents.values()].filter((one) => matching(query, one)).length,
      );
      expect(await Promise.all(asked.map((query) => totalOf(query)))).toEqual(expected);
    };
    for (const step of [4, 5, 6]) {
      await expectAll();
      await sleep(UNTIL_NEW);
      await expectAll();
      const before = hits();
      await expectAll();
      expect(hits() - before).toBe(3 * QUERIES.length);
      if (step % 2 === 0) {
        documents.set(step, documentOf(step));
        await load(service.solr, [documentOf(step)]);
      } else {
        documents.delete(1);
        await removeDocuments(service.solr.http, [documentOf(1).file]);
      }
      // The version of these may be the former one.
      await expectAll();
    }
  });

  it("is the same for HEAD, for If-None-Match and for people with a token", async () => {
    await load(service.solr, [documentOf(0)]);
    await sleep(UNTIL_NEW);
    const query = `${PATH}?model=a`;
    await service.get(query);
    const kept = await service.get(query);
    const etag = kept.headers.get("ETag") ?? "";
    const body = await kept.text();
    const { token: access_token } = await person(service);
    const mine = await service.get(query, bearer(access_token));
    expect([await mine.text(), mine.headers.get("ETag")]).toEqual([body, etag]);
    const named = (answer: Response) =>
      Object.fromEntries([...answer.headers].filter(([key]) => !/^(x-request-id|date)$/.test(key)));
    expect(named(kept)).toEqual(named(mine));
    const head = await service.get(query, { method: "HEAD" });
    expect([head.status, await head.text(), head.headers.get("ETag")]).toEqual([200, "", etag]);
    const known = await service.get(query, { headers: { "If-None-Match": etag } });
    expect(known.status).toBe(304);
  });

  it("goes out again 100 ms after a change", async () => {
    for (let n = 10; n < 20; n += 1) {
      await load(service.solr, [documentOf(n)]);
      await sleep(UNTIL_NEW);
      const before = hits();
      const first = await totalOf("?model=a");
      expect(hits()).toBe(before);
      expect(await totalOf("?model=a")).toBe(first);
      expect(hits()).toBe(before + 1);
    }
  });

  it("is not made for answers with hints, which change without the index", async () => {
    const ask = async (query: string) => {
      const answer = await service.get(`${PATH}${query}`);
      const { why } = (await answer.json()) as { why?: string };
      return { unknown: answer.headers.get("Unknown-Values"), why };
    };
    const first = await ask("?model=aa");
    expect(first.unknown).toContain("aa");
    const before = hits();
    await ask("?model=aa");
    // The counts may be kept, but not the reply: that would be a second hit.
    expect(hits() - before).toBeLessThanOrEqual(1);
  });
});

describe("random commits and searches", () => {
  const random = chance(SEED);
  const pick = (n: number): number => Math.floor(random() * n);
  /** The committed state, and the state after a commit in progress. */
  let committed: ReadonlySet<number> = new Set();
  let next: ReadonlySet<number> | undefined;

  const totalIn = (files: ReadonlySet<number>, query: string): number =>
    [...files].filter((n) => matching(query, documentOf(n))).length;

  async function commit(): Promise<void> {
    const files = new Set(committed);
    const n = pick(12);
    const command = files.delete(n)
      ? { delete: [documentOf(n).file] }
      : [{ ...documentOf(n), latest: true }];
    if (Array.isArray(command)) files.add(n);
    next = files;
    await postToSolr(service.solr, command, pick(4) === 0 ? true : "soft");
    committed = files;
    next = undefined;
  }

  /** Searches, and holds the answer against all states between the request and the answer. */
  async function ask(step: number): Promise<void> {
    const query = QUERIES[pick(QUERIES.length)] ?? "";
    const states = [committed, ...(next === undefined ? [] : [next])];
    const total = await totalOf(query);
    if (next !== undefined) states.push(next);
    const possible = [...states, committed].map((files) => totalIn(files, query));
    expect(possible, `step ${step}, ${query}, SEED=${SEED}`).toContain(total);
  }

  it("never give an answer from before a commit", async () => {
    await emptyIndex(service.solr);
    const steps = attempts(600, 10_000);
    const before = hits();
    for (let step = 0; step < steps; ) {
      const asks = Array.from({ length: 1 + pick(6) }, () => ask(step));
      step += asks.length;
      if (pick(3) === 0) {
        asks.push(commit());
        step += 1;
      }
      await Promise.all(asks);
    }
    // Otherwise nothing of this would concern kept answers.
    expect(hits() - before).toBeGreaterThan(steps / 20);
  }, 600_000);
});
