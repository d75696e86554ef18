/** What the doctor reads of an index: all of it, data set by data set, on one Solr and on a SolrCloud, however slowly. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readIndex } from "../../../src/catalogue/doctor/read-index.js";
import { exactly } from "../../../src/domain/search/lucene.js";
import { SolrHttp } from "../../../src/index/transport/http.js";
import { testEndpoint } from "../../support/service/service.js";
import { type SolrCloud, startSolrCloud } from "../../support/solr/solr-cloud.js";
import { clear, type Document, post } from "./trees.js";

const NAMES = [
  "a.b",
  "a'b",
  'a"b',
  "a\\",
  "a\\u0041",
  "$" + "{x}",
  "{!x}",
  "ä",
  "\u{1f30d}",
  "\uff41",
  "a\nb",
  "A.B",
];
const FILES = 60;

const documents: Document[] = NAMES.flatMap((dataset_id, n) =>
  Array.from({ length: FILES }, (_, i) => ({
    file: `/${"x".repeat(500)}/${n}/${dataset_id}/${i}`,
    ...(n > 0 && { dataset_id }),
    tracking_id: [`${n}`, `${i}`],
    size: 2 ** 40 + i,
  })),
);

const EVERYTHING = { filters: [] } as const;

async function readAll(http: SolrHttp, bounds: { maxGroup: number; pause: number }, wait: number) {
  const seen = new Map<string, string | undefined>();
  const closed = new Set<string>();
  let parts = 0;
  for await (const groups of readIndex(http, EVERYTHING, { portion: 50, ...bounds })) {
    for (const { dataset_id, entries, isPart } of groups) {
      if (isPart) parts += 1;
      else if (dataset_id !== undefined) {
        expect(closed).not.toContain(dataset_id);
        closed.add(dataset_id);
      }
      for (const entry of entries) {
        expect(entry.dataset_id).toBe(dataset_id);
        expect(seen.has(entry.file)).toBe(false);
        seen.set(entry.file, dataset_id);
      }
    }
    await sleep(wait);
  }
  return { seen: new Map([...seen].sort()), parts };
}

const expected = new Map(
  documents.map(({ file, dataset_id }) => [file, dataset_id as string | undefined] as const).sort(),
);

describe.each(["one Solr", "a SolrCloud of two shards"])("reading the index of %s", (kind) => {
  let http: SolrHttp;
  let cloud: SolrCloud | undefined;
  beforeAll(async () => {
    if (kind === "one Solr") {
      http = new SolrHttp(testEndpoint(), 20_000);
      await clear(http);
    } else {
      cloud = await startSolrCloud();
      await cloud.create("files", 2);
      http = new SolrHttp(cloud.endpoint, 20_000);
      http.topology = { cloud: true, shards: { files: ["shard1", "shard2"] } };
    }
    await post(http, documents);
  });
  afterAll(() => cloud?.stop());

  it("gives every document once, with those of its data set", async () => {
    const { seen } = await readAll(http, { maxGroup: 1000, pause: 10_000 }, 0);
    expect(seen).toEqual(expected);
  });

  it("gives the same if the reader is so slow that the request to Solr is ended", async () => {
    const { seen } = await readAll(http, { maxGroup: 1000, pause: 1 }, 30);
    expect(seen).toEqual(expected);
  });

  it("gives a data set that is too large in parts", async () => {
    const { seen, parts } = await readAll(http, { maxGroup: 25, pause: 1 }, 10);
    expect(seen).toEqual(expected);
    expect(parts).toBeGreaterThanOrEqual((NAMES.length - 1) * 2);
  });

  it("gives only documents that the search finds", async () => {
    const search = { ...EVERYTHING, filters: [exactly("file", String(documents[99]?.file))] };
    const files: string[] = [];
    for await (const groups of readIndex(http, search)) {
      for (const { entries } of groups) files.push(...entries.map(({ file }) => file));
    }
    expect(files).toEqual([documents[99]?.file]);
  });
});
