/** What becomes of the versions of datasets, on the test run's Solr; each load is a run of its own. */
import { beforeEach, describe, expect, it } from "vitest";
import { SolrUnavailable } from "../../../src/index/errors.js";
import type { Refusal } from "../../../src/index/loading/add-documents.js";
import { LoadCounter } from "../../../src/index/loading/load.js";
import { makeVisible } from "../../../src/index/loading/lookups.js";
import { datasetVersion } from "../../../src/index/loading/version.js";
import { SolrCollection } from "../../../src/index/transport/client.js";
import { SolrHttp, type SolrReply, type SolrRequest } from "../../../src/index/transport/http.js";
import { chance, SEED } from "../../support/run/trials.js";
import {
  DyingHttp,
  emptyIndex,
  filesIn,
  fillIndex,
  load,
  postToSolr,
  selectPath,
  type TestDocument,
  testClient,
  testEndpoint,
} from "../../support/service/service.js";

const solr = testClient();
beforeEach(() => emptyIndex(solr));

describe("versions", () => {
  const path = (version: string, name = "tas.nc"): string =>
    `/CMIP6/MPI-M/historical/tas/gn/${version}/${name}`;
  const [OLD, NEW, NEWEST] = ["v20190710", "v20200101", "v20210303"];
  const of = (version: string, more: object = {}): TestDocument => ({
    file: path(version),
    ...more,
  });

  /** All versions, and the newest, after loads, each a run of its own. */
  async function stored(...loads: (readonly TestDocument[])[]) {
    await emptyIndex(solr);
    for (const documents of loads) {
      const refused: Refusal[] = [];
      await load(solr, documents, refused);
      expect(refused).toEqual([]);
    }
    return { files: await filesIn(solr, "files"), latest: await filesIn(solr, "latest") };
  }

  it("are all stored, and the newest alone is marked, in any order and batch", async () => {
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

  it("are sorted by the version field before the folder", async () => {
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

  it("do not affect those of different datasets", async () => {
    const others = [
      { file: path(OLD, "tas.nc") },
      { file: path(OLD, "pr.nc") },
      { file: `/other${path(NEW)}` },
      { file: "/no/version.nc" },
      { file: "/no/version2.nc", version: "v20300101" },
    ];
    const wanted = others.map(({ file }) => file).sort();
    expect(await stored(others)).toEqual({ files: wanted, latest: wanted });
  });

  it("keep their order if a correction that would make the newest an older one is refused, killed before or not", async () => {
    const correction = [of(NEW, { version: "v5", time: "never" })];
    for (let requests = 0; requests < 12; requests += 1) {
      await stored([of(OLD), of(NEW)]);
      const dying = { http: new DyingHttp(requests) };
      await load(dying, correction, []).catch((error: unknown) => {
        expect(error).toBeInstanceOf(SolrUnavailable);
      });
      const refused: Refusal[] = [];
      await load(solr, correction, refused);
      expect(refused).toHaveLength(1);
      expect(await filesIn(solr, "files"), `killed at ${requests}`).toEqual([path(OLD), path(NEW)]);
      expect(await filesIn(solr, "latest"), `killed at ${requests}`).toEqual([path(NEW)]);
    }
  });

  it("are sorted out across requests of one run, too", async () => {
    const many = Array.from({ length: 21_000 }, (_, i) => ({ file: `/filler/${i}` }));
    const other = (version: string): TestDocument => ({ file: `/other${path(version)}` });
    const { files, latest } = await stored([of(OLD), other(NEW), ...many, of(NEW), other(OLD)]);
    expect(files).toHaveLength(21_004);
    expect(latest.filter((file) => !String(file).startsWith("/filler"))).toEqual([
      path(NEW),
      `/other${path(NEW)}`,
    ]);
  });
});

/** The documents, whole, without what changes with each writing. */
async function whole(collection: string): Promise<Record<string, unknown>[]> {
  const { text } = await solr.http.send({
    path: `${selectPath(collection)}q=*:*&rows=1000&sort=file%20asc`,
  });
  const { response } = JSON.parse(text) as { response: { docs: Record<string, unknown>[] } };
  return response.docs.map(({ _version_, ...document }) => document);
}

const PATHS = ["v20190101", "v20200101", "v20210101"].map((folder) => `/CMIP6/x/${folder}/tas.nc`);
const [FIRST = "", SECOND = "", THIRD = ""] = PATHS;

describe("data of users", () => {
  it("removes no public version from latest, nor the other way round, in one run or several", async () => {
    const mine = { file: THIRD, user: "jane" };
    const others = { file: FIRST, user: ["joe"] };
    const version = { file: SECOND };
    const wanted = { files: PATHS, latest: PATHS };
    for (const loads of [
      [[mine, version, others]],
      [[version, mine, others]],
      [[mine], [version], [others]],
      [[version], [others], [mine]],
    ]) {
      await emptyIndex(solr);
      for (const documents of loads)
        expect(await load(solr, documents)).toMatchObject({ older: 0 });
      expect({
        files: await filesIn(solr, "files"),
        latest: await filesIn(solr, "latest"),
      }).toEqual(wanted);
    }
  });

  it("is complete in every version, like registered data", async () => {
    const versions = PATHS.map((file) => ({ file, user: "jane" }));
    for (const documents of [versions, [...versions].reverse()]) {
      expect(await fillIndex(solr, documents)).toMatchObject({ stored: 3, older: 0 });
      expect(await filesIn(solr, "latest")).toEqual(PATHS);
    }
  });

  it("leaves the newest public version in latest when it becomes public, or public data a user's", async () => {
    for (const user of [undefined, "", [], null]) {
      await fillIndex(solr, [{ file: FIRST, user: "jane" }, { file: SECOND }]);
      await load(solr, [{ file: FIRST, user }]);
      expect(await filesIn(solr, "latest"), JSON.stringify(user)).toEqual([SECOND]);
    }
    await fillIndex(solr, [{ file: FIRST, dataset: "a", time: "fx" }, { file: SECOND }]);
    await load(solr, [{ file: SECOND, user: "jane" }]);
    expect(await filesIn(solr, "latest")).toEqual([FIRST, SECOND]);
    expect(await whole("latest")).toEqual(await whole("files"));
  });
});

describe("the only file of a version that becomes a user's", () => {
  /** Loads documents again, killed after each number of requests: public ones are found all the while. */
  async function staysFound(
    first: readonly TestDocument[],
    second: readonly TestDocument[],
  ): Promise<void> {
    let isKilled = true;
    for (let requests = 1; isKilled; requests += 1) {
      await fillIndex(solr, first);
      isKilled = await load({ http: new DyingHttp(requests) }, second, []).then(
        () => false,
        () => true,
      );
      await new SolrCollection(solr.http, "files").commit(true);
      expect(await filesIn(solr, "latest", "*:*%20-user:*"), `${requests}`).not.toEqual([]);
    }
  }
  const theirs = { file: SECOND, dataset_id: "x", user: "ada" };

  it("leaves the version found while a copy of it comes, refused or not, wherever the load is killed", async () => {
    const copy = { file: `/tape${SECOND}`, dataset_id: "x" };
    for (const user of [theirs, { ...theirs, time: "never" }]) {
      const first = [{ file: SECOND, dataset_id: "x" }];
      await staysFound(first, [copy, user]);
      expect(await filesIn(solr, "latest")).toEqual([SECOND, copy.file]);
    }
  });

  it("leaves the version before it found while that cannot be corrected, wherever the load is killed", async () => {
    const older = { file: FIRST, dataset_id: "x" };
    const corrected = { ...older, version: "v20300101", time: "never" };
    await staysFound([older, { file: SECOND, dataset_id: "x" }], [theirs, corrected]);
    expect(await filesIn(solr, "latest")).toEqual([FIRST, SECOND]);
  });
});

/** Sends the marks of a request one by one, and looks at what is found behind each. */
class EachVisible extends SolrHttp {
  readonly #look: () => Promise<void>;

  constructor(look: () => Promise<void>) {
    super(testEndpoint(), 20_000);
    this.topology = solr.http.topology;
    this.#look = look;
  }

  override async send(request: SolrRequest): Promise<SolrReply> {
    const marks = String(request.body)
      .slice(1, -1)
      .split(/,(?=\{"_version_":)/);
    if (!marks[0]?.startsWith('{"_version_":')) return super.send(request);
    let reply: SolrReply | undefined;
    for (const mark of marks) {
      reply = await super.send({ ...request, body: `[${mark}]` });
      await this.#look();
    }
    return reply as SolrReply;
  }
}

describe("a dataset whose newest version comes again after a load was killed", () => {
  it("is found in one version at any moment, wherever the load was killed", async () => {
    const of = (version: string, name: string): TestDocument => ({
      file: `/x/${version}/${name}.nc`,
    });
    const before = ["a", "b", "c"].map((name) => of("v20190101", name));
    const looks: string[] = [];
    const look = async (): Promise<void> => {
      await makeVisible(solr.http);
      const versions = new Set((await filesIn(solr, "latest")).map((file) => file.split("/")[2]));
      looks.push([...versions].join(" and "));
    };
    for (let requests = 0; requests < 16; requests += 1) {
      await emptyIndex(solr);
      await load(solr, [of("v1", "a"), ...before]);
      const newer = [of("v20200101", "a"), of("v20200101", "b")];
      await load({ http: new DyingHttp(requests) }, newer).catch((error: unknown) => {
        expect(error).toBeInstanceOf(SolrUnavailable);
      });
      await load({ http: new EachVisible(look) }, newer);
      await look();
    }
    // More than those at the end.
    expect(looks.length).toBeGreaterThan(16);
    expect(looks.filter((found) => !/^v20(?:19|20)0101$/.test(found))).toEqual([]);
  });
});

describe("a version that is corrected to an older one", () => {
  it("is found alone at any moment, before and after the correction is refused", async () => {
    const of = (version: string): TestDocument => {
      return { file: `/x/${version}/a.nc`, dataset_id: "x", version };
    };
    const [first, second, third] = [of("v1"), of("v20180101"), of("v20210101")];
    const correction = { ...third, version: "v10", time: "never" };
    const found = new Set<string>();
    // A load decides by what is visible. So each round has one commit among the writes, always after another write.
    let writes = 1;
    for (let shown = 0; shown < writes; shown += 1) {
      await fillIndex(solr, [third]);
      writes = 0;
      const look = async (): Promise<void> => {
        if (writes === shown) await makeVisible(solr.http);
        found.add((await filesIn(solr, "latest")).join(" and "));
        writes += 1;
      };
      const refused: Refusal[] = [];
      await load({ http: new EachVisible(look) }, [first, second, correction], refused);
      await look();
      expect(refused).toHaveLength(1);
    }
    expect(writes).toBeGreaterThan(5);
    expect([...found].sort()).toEqual([second.file, third.file]);
  });

  const details = {
    variable: ["pr", "tas"],
    time: "[1985-01 TO 1985-12]",
    bbox: "ENVELOPE(-10,30,70,35)",
    extra: '{"note":"kept"}',
    dataset: "Mixed Case",
    uri: "file:///x",
  };

  it("restores the other one completely, in one run or several", async () => {
    const old = { file: FIRST, version: "v1", ...details };
    const wrong = { file: SECOND, version: "v3" };
    const corrected = { file: SECOND, version: "v0" };
    for (const loads of [
      [[old, wrong], [corrected]],
      [[old], [wrong], [corrected]],
      [[wrong, old, corrected]],
      [
        [old, wrong],
        [corrected, { file: "/other" }],
      ],
    ]) {
      await emptyIndex(solr);
      for (const documents of loads) await load(solr, documents);
      expect((await filesIn(solr, "latest")).filter((file) => file !== "/other")).toEqual([FIRST]);
      const [back] = await whole("latest");
      expect(back).toEqual((await whole("files")).find(({ file }) => file === FIRST));
      expect(back).toMatchObject(details);
    }
  });

  it("restores the newest of the others, given again or not", async () => {
    const all = PATHS.map((file, i) => ({ file, version: `v${i + 1}` }));
    await load(solr, all);
    await load(solr, [{ file: THIRD, version: "v0" }]);
    expect(await filesIn(solr, "latest")).toEqual([SECOND]);
    await load(solr, [
      { file: SECOND, version: "v0" },
      { file: FIRST, version: "v4" },
    ]);
    expect(await filesIn(solr, "latest")).toEqual([FIRST]);
    await load(solr, [{ file: FIRST, version: "v0" }]);
    // All of them are of the newest version now.
    expect(await filesIn(solr, "latest")).toEqual(PATHS);
    expect(await filesIn(solr, "files")).toEqual(PATHS);
  });

  it("is put right by the next load if a load was killed in between", async () => {
    await load(solr, [{ file: FIRST }, { file: SECOND }]);
    // Killed when the correction was stored and the other version was not marked.
    await postToSolr(solr, [{ file: SECOND, version: "v0", latest: true }]);
    await load(solr, [{ file: SECOND, version: "v0" }]);
    expect(await filesIn(solr, "latest")).toEqual([FIRST]);
  });
});

describe("the count of older versions", () => {
  it("is the number of documents that are not in latest at the end, in any order", async () => {
    const random = chance(SEED);
    const filler = Array.from({ length: 4 }, (_, i) => ({ file: `/filler/${i}` }));
    const documents = [
      ...Array.from({ length: 30 }, (_, i) => ({
        file: `/CMIP6/${i % 4}/v2020010${1 + Math.floor(random() * 6)}/tas.nc`,
        ...(random() < 0.3 && { version: `v2020010${Math.floor(random() * 9)}` }),
        ...(random() < 0.1 && { user: "jane" }),
      })),
      ...filler,
    ];
    for (let round = 0; round < 4; round += 1) {
      const order = documents
        .map((document) => ({ document, at: random() }))
        .sort((a, b) => a.at - b.at)
        .map(({ document }) => document);
      await emptyIndex(solr);
      const cut = Math.floor(random() * order.length);
      const counter = new LoadCounter();
      for (const part of [order.slice(0, cut), order.slice(cut)]) {
        await load(solr, part, [], counter);
      }
      const [files, latest] = [await filesIn(solr, "files"), await filesIn(solr, "latest")];
      expect([counter.stored, counter.older], `SEED=${SEED}, round ${round}`).toEqual([
        files.length,
        files.length - latest.length,
      ]);
      // And what is marked is what it should be: of each dataset the newest version.
      const all = await whole("files");
      const versionOf = (one: Record<string, unknown>): string | undefined =>
        one.user === undefined ? datasetVersion(one)?.version : undefined;
      const best = new Map<string, string>();
      for (const one of all) {
        const version = versionOf(one);
        if (version === undefined) continue;
        const dataset = datasetVersion(one)?.dataset ?? "";
        if (version > (best.get(dataset) ?? "")) best.set(dataset, version);
      }
      const newest = new Set(best.values());
      const wanted = all.filter((one) => newest.has(versionOf(one) ?? [...newest][0] ?? ""));
      expect(latest, `SEED=${SEED}, round ${round}`).toEqual(wanted.map(({ file }) => file));
    }
  });

  it("counts millions of files, each once", () => {
    const counter = new LoadCounter();
    const count = 300_000;
    for (let i = 0; i < count; i += 1) counter.store(`/pool/${i}`, i % 3 === 0);
    for (let i = 0; i < count; i += 2) counter.store(`/pool/${i}`, i % 3 === 0);
    expect([counter.stored, counter.older]).toEqual([count, count / 3]);
    for (let i = 0; i < count; i += 1) counter.mark(`/pool/${i}`, i % 2 === 0);
    counter.mark("/never", true);
    expect([counter.stored, counter.older]).toEqual([count, count / 2]);
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
        const { text } = await solr.http.send({
          path: `${selectPath(collection)}q=*:*&fl=dataset`,
        });
        expect(JSON.parse(text).response.docs).toEqual([{ dataset: documents[1]?.dataset }]);
      }
    }
  });

  it("is stored as the second if the first is refused", async () => {
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
      expect(await filesIn(solr, "files")).toEqual(["/twice"]);
      expect(await filesIn(solr, "latest")).toEqual(["/twice"]);
    }
  });
});

describe("a document with the internal fields of another Solr", () => {
  it("is loaded without them", async () => {
    const refused: Refusal[] = [];
    const documents = [{ file: "/exported", _version_: 1800000000000000000, drs_key: "/exported" }];
    await load(solr, documents, refused);
    expect(refused).toEqual([]);
    await load(solr, documents, refused);
    expect(refused).toEqual([]);
    expect(await filesIn(solr, "latest")).toEqual(["/exported"]);
  });
});
