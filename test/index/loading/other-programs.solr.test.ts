/** Documents that other programs write straight to Solr, without `index`, and the marks that they get. */
import { beforeEach, describe, expect, it } from "vitest";
import { runHere, testSolrSettings } from "../../cli/command.js";
import { emptyIndex, load, postToSolr, type TestDocument } from "../../support/service/service.js";
import { useService } from "../../support/service/use-service.js";

const VERSIONS = ["v20190101", "v20200101", "v20210101"];
const path = (version = "", name = "a"): string => `/crawled/${name}/${version}/tas.nc`;

const service = useService();

beforeEach(() => emptyIndex(service.solr));

const post = (documents: readonly object[]) => postToSolr(service.solr, documents);

/** Posts documents one by one; gives the files of those that were refused. */
async function refusedOf(documents: readonly TestDocument[]): Promise<string[]> {
  const refused: string[] = [];
  for (const document of documents) {
    await post([{ ...document, latest: true }]).catch(() => refused.push(document.file));
  }
  return refused;
}

async function listed(query = ""): Promise<string[]> {
  const response = await service.get(`/databrowser/data-search/native/file?${query}`);
  return (await response.text()).split("\n").slice(0, -1).sort();
}

describe("a document that a crawler posts straight to Solr", () => {
  it("is refused if its box is impossible, and stored if it is unusual", async () => {
    const impossible = [
      "ENVELOPE(0,1,NaN,0)",
      "ENVELOPE(NaN,1,5,0)",
      "ENVELOPE(0,1e400,5,0)",
      "ENVELOPE(0,1,1e400,0)",
      "ENVELOPE(0,1,-Infinity,0)",
      "ENVELOPE(0,1,0,5)",
      "ENVELOPE(0,1,95,5)",
      "ENVELOPE(0,1,5,-95)",
      "ENVELOPE(0,1e30,5,0)",
    ];
    const unusual = [
      "ENVELOPE(170,-170,90,-90)",
      "ENVELOPE(-180,360,90,-90)",
      " envelope( 0 , 1e1 , +1. , -.5 )",
      "ENVELOPE(1.0E-5,1,1e-05,-1E-05)",
      "ENVELOPE(0,0,0,0)",
      "",
    ];
    const documents = [...impossible, ...unusual].map((bbox, i) => ({
      file: `/${bbox}${i}`,
      bbox,
    }));
    const bad = documents.slice(0, impossible.length).map(({ file }) => file);
    expect(await refusedOf(documents)).toEqual(bad);
    const { text } = await service.solr.http.send({ path: "files/select?q=*:*&rows=0" });
    expect(JSON.parse(text).response.numFound).toBe(unusual.length);
  });

  it("is found at any time if its period is fx, in any case", async () => {
    const times = ["fx", "FX", " Fx ", "[* TO *]"];
    const constant = times.map((time, i) => ({ file: `/${i}`, time }));
    expect(await refusedOf([...constant, { file: "/none" }, { file: "/y", time: "2000" }])).toEqual(
      [],
    );
    const all = constant.map(({ file }) => file);
    expect(await listed("time=1234")).toEqual(all);
    expect(await listed("time=1234&time_select=file")).toEqual(all);
    expect(await listed("time=to%203000&time_select=strict")).toEqual(["/y"]);
    expect(await listed("time=1900%20to%202100&time_select=strict")).toEqual(["/y"]);
    expect(await listed("time=fx")).toEqual(all);
  });
});

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
