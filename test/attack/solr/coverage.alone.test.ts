/** What matrices cost that are very large: Solr lives, and other searches do not wait for them. */
import { beforeAll, describe, expect, it } from "vitest";
import { USUAL_LOAD } from "../../../src/index/solr.js";
import { allowed, attempts, chance, patience, SEED } from "../../support/run/trials.js";
import { fillIndex, type TestDocument } from "../../support/service/service.js";
import { useService } from "../../support/service/use-service.js";

const random = chance(SEED);
const some = (count: number, of: string, size: number): string[] => [
  ...new Set(Array.from({ length: count }, () => `${of}-${Math.floor(random() * size)}`)),
];

/** Up to so many cells; a million at full length. */
const SIDE = attempts(300, 990);
const DOCUMENTS: TestDocument[] = Array.from({ length: attempts(400, 2400) }, (_, index) => ({
  file: `/many/${index}.nc`,
  variable: some(32, "variable", SIDE),
  realm: some(32, "realm", SIDE),
  institute: some(32, "institute", 1500),
  model: some(32, "model", 1500),
  size: index,
  project: ["cmip6"],
  time: `${1000 + index}`,
}));
const CROWD = attempts(12, 100);

const service = useService({
  trustProxy: 1,
  load: { ...USUAL_LOAD, maxWaitMs: attempts(3000, 20_000) },
});
beforeAll(() => fillIndex(service.solr, DOCUMENTS), patience(60_000));

const from = (caller: number): RequestInit => ({
  headers: { "X-Forwarded-For": `192.0.2.${caller}` },
});
const coverage = (query: string, caller = 1) =>
  service.get(`/databrowser/coverage/native?format=csv&${query}`, from(caller));

const valuesOf = (name: "institute" | "model"): number =>
  new Set(DOCUMENTS.flatMap((document) => document[name])).size;

describe("a matrix", () => {
  it("is refused with the number of its cells above a million, and Solr never makes it", async () => {
    const { solr } = service;
    const cells = valuesOf("institute") * valuesOf("model");
    expect(cells).toBeGreaterThan(1_000_000);
    const before = solr.usage.admission.heavy;
    const response = await coverage("rows=institute&columns=model");
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({
      type: "urn:climate-nextgen:problem:too-many-results",
      detail: expect.stringContaining(`The search yields ${cells} cells`),
    });
    expect(solr.usage.admission.heavy).toEqual(before);
    // The same facets in a search that finds less.
    const file = DOCUMENTS[0]?.file;
    expect((await coverage(`rows=institute&columns=model&file=${file}`)).status).toBe(200);
  });

  it("is limited to a few at a time, and others' searches go on", {
    timeout: patience(120_000, 900_000),
  }, async () => {
    for (const cells of ["files", "years"]) {
      let isOver = false;
      const waits: number[] = [];
      const others = (async () => {
        while (!isOver) {
          const began = performance.now();
          const path = `/databrowser/metadata-search/native/file?file=!/none/${waits.length}`;
          const response = await service.get(path, from(200));
          expect(response.status).toBe(200);
          await response.text();
          waits.push(performance.now() - began);
        }
      })();
      const statuses = await Promise.all(
        Array.from({ length: CROWD }, async (_, index) => {
          const query = `rows=realm&columns=variable&cells=${cells}&file=!/many/${index}.nc`;
          const response = await coverage(query, index);
          await response.text();
          expect(service.solr.usage.admission.heavy.taken).toBeLessThanOrEqual(2);
          return response.status;
        }),
      );
      isOver = true;
      await others;
      // Whoever waits too long is told to come again; periods of cells may be too many.
      expect([...new Set(statuses)].filter((one) => ![200, 413, 503].includes(one))).toEqual([]);
      expect(statuses.some((one) => one !== 503)).toBe(true);
      const worst = Math.max(...waits);
      expect(worst, `${cells}: of ${waits.length} searches`).toBeLessThan(allowed(5000));
    }
    await expect(service.solr.check()).resolves.toBe(DOCUMENTS.length);
  });
});
