/** Replies that are kept are those of the index as it is, at every moment and for everybody. */
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { removeDocuments } from "../../../src/index/loading/remove-files.js";
import { emptyIndex, load } from "../../support/service/service.js";
import { bearer } from "../../support/service/sign-in.js";
import { useService } from "../../support/service/use-service.js";
import { person } from "../../support/service/user-data.js";

const service = useService();
beforeAll(() => emptyIndex(service.solr));

/** For so long after a change, the version of an index proves nothing. */
const UNTIL_PROVED = 2100;
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
      await sleep(UNTIL_PROVED);
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
      // The change is visible; the version may be the former one.
      await expectAll();
    }
  });

  it("is the same for HEAD, for If-None-Match and for people with a token", async () => {
    await load(service.solr, [documentOf(0)]);
    await sleep(UNTIL_PROVED);
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
