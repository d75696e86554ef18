/** Documents that other programs wrote to Solr, and the marks that they get. */
import { beforeEach, expect, it } from "vitest";
import { SolrCollection } from "../../../src/index/transport/client.js";
import { runHere, testSolrSettings } from "../../cli/command.js";
import { emptyIndex, load } from "../../support/service/service.js";
import { useService } from "../../support/service/use-service.js";

const VERSIONS = ["v20190101", "v20200101", "v20210101"];
const path = (version = "", name = "a"): string => `/crawled/${name}/${version}/tas.nc`;

const service = useService();

beforeEach(() => emptyIndex(service.solr));

async function post(documents: readonly object[]): Promise<void> {
  const files = new SolrCollection(service.solr.http, "files");
  await files.update(JSON.stringify(documents));
  await files.commit(true);
}

async function listed(query = ""): Promise<string[]> {
  const response = await service.get(`/databrowser/data-search/native/file?${query}`);
  return (await response.text()).split("\n").slice(0, -1).sort();
}

it("marks of the newest versions come from `solr mark-latest`, and nothing else of the documents changes", async () => {
  const details = { time: "fx", bbox: "ENVELOPE(-10,10,5,-5)", variable: ["b", "a"], extra: "x" };
  await post(VERSIONS.map((version) => ({ file: path(version), ...details })));
  await post([{ file: path(VERSIONS[1], "b") }, { file: path(VERSIONS[0], "b"), latest: true }]);
  const all = await listed("multi-version=true");
  expect(all).toHaveLength(5);
  expect(await listed()).toEqual([path(VERSIONS[0], "b")]);
  for (const line of ["5 documents marked", "0 documents marked"]) {
    const { status, stderr } = await runHere(["solr", "mark-latest"], {
      settings: testSolrSettings(),
    });
    expect(status, stderr).toBe(0);
    expect(stderr).toContain(line);
    expect(await listed()).toEqual([path(VERSIONS[1], "b"), path(VERSIONS[2])].sort());
  }
  expect(await listed("multi-version=true")).toEqual(all);
  expect(await listed("variable=b&bbox=-1,1,-1,1&time=2000")).toEqual([path(VERSIONS[2])]);
});

it("marks of the newest versions come from the next load", async () => {
  await post(VERSIONS.map((version) => ({ file: path(version) })));
  await load(service.solr, [{ file: "/other.nc" }]);
  expect(await listed()).toEqual([path(VERSIONS[2]), "/other.nc"].sort());
});

it("marks are corrected by the next load for datasets with several, none, or a part of the newest", async () => {
  const marks = { both: [true, true], none: [false, false], newest: [false, true] };
  const names = Object.keys(marks);
  await post(
    Object.entries(marks).flatMap(([name, all]) =>
      all.map((latest, at) => ({ file: path(VERSIONS[at], name), latest })),
    ),
  );
  // User data is no version of anything.
  await post([
    ...names.map((name) => ({ file: path(VERSIONS[2], name), latest: true, user: "ada" })),
    { file: "/alone.nc", latest: false },
  ]);
  await post([
    ...[1, 2].map((part) => ({ file: `/part/${VERSIONS[1]}/${part}.nc`, latest: part === 1 })),
    ...["v1", "v2"].map((version) => ({ file: `/numbered/${version}/tas.nc`, latest: true })),
  ]);
  await load(service.solr, [{ file: "/other.nc" }]);
  const part = [1, 2].map((one) => `/part/${VERSIONS[1]}/${one}.nc`);
  const newest = names.map((name) => path(VERSIONS[1], name));
  expect(await listed()).toEqual(
    [...newest, ...part, "/numbered/v2/tas.nc", "/alone.nc", "/other.nc"].sort(),
  );
});
