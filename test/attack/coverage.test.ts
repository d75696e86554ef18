/** What matrices cost that are as large as they may be: Solr lives, and other searches do not wait for them. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chance, SEED } from "../support/chance.js";
import { emptyIndex, load, startService, type TestDocument, type TestService } from "../support/service.js";

const random = chance(SEED);
const some = (count: number, of: string, size: number): string[] => [
  ...new Set(Array.from({ length: count }, () => `${of}-${Math.floor(random() * size)}`)),
];
const DOCUMENTS: TestDocument[] = Array.from({ length: 2400 }, (_, index) => ({
  file: `/many/${index}.nc`,
  variable: some(32, "variable", 1000),
  realm: some(32, "realm", 980),
  institute: some(32, "institute", 1500),
  ensemble: some(2, "r", 400),
  size: index,
  project: ["cmip6"],
  time: `${1000 + index}`,
}));

let service: TestService;
beforeAll(async () => {
  service = await startService({ trustProxy: 1 });
  await emptyIndex(service.solr);
  await load(service.solr, DOCUMENTS);
}, 120_000);
afterAll(async () => {
  await emptyIndex(service.solr);
  await service.close();
});

const coverage = (query: string, caller = 1) =>
  service.get(`/databrowser/coverage/native?${query}`, {
    headers: { "X-Forwarded-For": `192.0.2.${caller}` },
  });

describe("try", () => {
  it("x", async () => {
    for (const cells of ["files", "bytes", "members", "datasets", "years"]) {
      const t = performance.now();
      const r = await coverage(`rows=realm&columns=variable&cells=${cells}`);
      const text = await r.text();
      console.log(cells, r.status, text.length, text.slice(0, 200), performance.now() - t, process.memoryUsage().rss / 1e6);
    }
    let t = performance.now();
    const r = await coverage(`rows=institute&columns=variable`);
    console.log(r.status, await r.text(), performance.now() - t);
    t = performance.now();
    for (const cells of ["files", "members", "years"]) {
      t = performance.now();
      let worst = 0;
      let done = false;
      const light = (async () => {
        while (!done) {
          const t1 = performance.now();
          const one = await service.get(`/databrowser/metadata-search/native/file?project=cmip6&file=!${Math.random()}`, { headers: { "X-Forwarded-For": "192.0.2.200" } });
          await one.text();
          if (one.status !== 200) console.log("light", one.status);
          worst = Math.max(worst, performance.now() - t1);
        }
      })();
      const all = await Promise.all(Array.from({ length: 100 }, async (_, i) => {
        const one = await coverage(`rows=realm&columns=variable&cells=${cells}&file=!/many/${i}.nc`, i);
        const text = await one.text();
        return `${one.status} ${text.length > 1000 ? text.length > 1e6 : text}`;
      }));
      done = true;
      await light;
      const counts = new Map<string, number>();
      for (const one of all) counts.set(one, (counts.get(one) ?? 0) + 1);
      console.log(cells, counts, performance.now() - t, "worst light", worst, "rss", process.memoryUsage().rss / 1e6);
    }
  }, 600_000);
});
