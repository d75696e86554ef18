/** What becomes of the versions of one file, on the test run's Solr; each load is a run of its own. */
import { beforeEach, describe, expect, it } from "vitest";
import type { Refusal } from "../../src/ingest/load.js";
import { Solr } from "../../src/solr/solr.js";
import { emptyIndex, load, type TestDocument, testEndpoint } from "../support/service.js";

const solr = new Solr(testEndpoint(), 20_000, { cloud: false, shards: {} });
beforeEach(() => emptyIndex(solr));

async function filesIn(collection: string): Promise<string[]> {
  const path = `${collection}/select?q=*:*&rows=1000000&sort=file%20asc&fl=file`;
  const { text } = await solr.http.send({ path });
  const { response } = JSON.parse(text) as { response: { docs: { file: string }[] } };
  return response.docs.map(({ file }) => file);
}

describe("versions", () => {
  const path = (version: string, name = "tas.nc"): string =>
    `/CMIP6/MPI-M/historical/tas/gn/${version}/${name}`;
  const [OLD, NEW, NEWEST] = ["v20190710", "v20200101", "v20210303"];
  const of = (version: string, more: object = {}): TestDocument => ({
    file: path(version),
    ...more,
  });

  /** Both collections after loads, each a run of its own. */
  async function stored(...loads: (readonly TestDocument[])[]) {
    await emptyIndex(solr);
    for (const documents of loads) {
      const refused: Refusal[] = [];
      await load(solr, documents, refused);
      expect(refused).toEqual([]);
    }
    return { files: await filesIn("files"), latest: await filesIn("latest") };
  }

  it("of one file: the newest alone is in latest, all are in files, in any order and batch", async () => {
    const all = [OLD, NEW, NEWEST].map((version) => path(version));
    const wanted = { files: all, latest: [path(NEWEST)] };
    const orders = [
      [OLD, NEW, NEWEST],
      [NEWEST, NEW, OLD],
      [NEW, NEWEST, OLD],
    ];
    for (const order of orders) {
      const documents = order.map((version) => of(version));
      expect(await stored(documents), `one run: ${order}`).toEqual(wanted);
      expect(await stored(...documents.map((one) => [one])), `runs: ${order}`).toEqual(wanted);
    }
  });

  it("are told apart by the version field before the folder", async () => {
    const first = of(OLD, { version: "v20220101" });
    const second = of(NEW, { version: "v20210101" });
    for (const loads of [[[first, second]], [[first], [second]], [[second], [first]]]) {
      expect((await stored(...loads)).latest).toEqual([path(OLD)]);
    }
    const short = of(OLD, { version: "v10" });
    const shorter = of(NEW, { version: ["v9"] });
    for (const loads of [[[short, shorter]], [[short], [shorter]], [[shorter], [short]]]) {
      expect((await stored(...loads)).latest).toEqual([path(OLD)]);
    }
  });

  it("of different files or datasets leave each other alone", async () => {
    const others = [
      { file: path(OLD, "tas.nc") },
      { file: path(NEW, "pr.nc") },
      { file: `/other${path(NEW)}` },
      { file: "/no/version.nc" },
      { file: "/no/version2.nc", version: "v20300101" },
    ];
    const wanted = others.map(({ file }) => file).sort();
    expect(await stored(others)).toEqual({ files: wanted, latest: wanted });
  });

  it("are sorted out across requests of one run, too", { timeout: 60_000 }, async () => {
    const many = Array.from({ length: 21_000 }, (_, i) => ({ file: `/filler/${i}` }));
    const { files, latest } = await stored([
      of(OLD),
      { file: path(NEW, "pr.nc") },
      ...many,
      of(NEW),
      { file: path(OLD, "pr.nc") },
    ]);
    expect(files).toHaveLength(21_004);
    expect(latest.filter((file) => String(file).startsWith("/CMIP6"))).toEqual([
      path(NEW, "pr.nc"),
      path(NEW),
    ]);
  });
});

describe("one document given twice", () => {
  const twice = (first: string, second: string): TestDocument[] => [
    { file: "/twice", dataset: first },
    { file: "/twice", dataset: second },
  ];

  it("counts once, and the last one stands", async () => {
    for (const documents of [twice("a", "b"), twice("b", "a")]) {
      await load(solr, documents);
      for (const collection of ["files", "latest"]) {
        const { text } = await solr.http.send({ path: `${collection}/select?q=*:*&fl=dataset` });
        expect(JSON.parse(text).response.docs).toEqual([{ dataset: documents[1]?.dataset }]);
      }
    }
  });

  it("of which one is refused is stored in both collections as the other", async () => {
    const good = { file: "/twice", dataset: "good" };
    const bad = { file: "/twice", time: "never" };
    for (const [documents, line] of [
      [[good, bad], 2],
      [[bad, good], 1],
    ] as const) {
      await emptyIndex(solr);
      const refused: Refusal[] = [];
      await load(solr, documents, refused);
      expect(refused.map((one) => one.line)).toEqual([line]);
      expect(await filesIn("files")).toEqual(["/twice"]);
      expect(await filesIn("latest")).toEqual(["/twice"]);
    }
  });
});

describe("a document that carries what Solr gave to it in another index", () => {
  it("is loaded all the same", async () => {
    const refused: Refusal[] = [];
    const documents = [{ file: "/exported", _version_: 1800000000000000000, drs_key: "/exported" }];
    await load(solr, documents, refused);
    expect(refused).toEqual([]);
    await load(solr, documents, refused);
    expect(refused).toEqual([]);
    expect(await filesIn("latest")).toEqual(["/exported"]);
  });
});
