/** The dataset and the version of a document, and which of two versions is newer. */
import { describe, expect, it } from "vitest";
import { datasetOf, datasetVersion, withoutVersion } from "../../../src/index/loading/version.js";

const versionOf = (file: string, more: object = {}): string =>
  datasetVersion({ file, ...more })?.version ?? "";
const datasetIn = (file: string, more: object = {}): string =>
  datasetVersion({ file, ...more })?.dataset ?? "";

const cmip5 = {
  project: ["CMIP5"],
  product: ["output1"],
  institute: ["INST"],
  model: ["EC-EARTH"],
  experiment: ["rcp85"],
  time_frequency: ["mon"],
  realm: ["atmos"],
  cmor_table: ["Amon"],
  ensemble: ["r1i1p1"],
  variable: ["tas"],
};

describe("the version of a document", () => {
  it("is dated, numbered or another text, and dated ones are the newest", () => {
    const texts = ["beta-2", "beta-10", "v1", "2", "v10", "20110101", "v20120101", "v20190710"];
    const ranks = texts.map((version) => versionOf("/a/tas.nc", { version }));
    expect([...ranks].sort()).toEqual(ranks);
    expect(new Set(ranks).size).toBe(texts.length);
    for (const [one, other] of [
      ["v20110101", "20110101"],
      ["v1", "1"],
      ["V1", "v01"],
    ]) {
      expect(versionOf("/a/tas.nc", { version: one })).toBe(
        versionOf("/a/tas.nc", { version: other }),
      );
    }
  });

  it("is the field before the folder, or one of four forms of folder", () => {
    for (const folder of ["v20190710", "20190710", "v2", "2"]) {
      const file = `/d/Amon/${folder}/tas/tas.nc`;
      expect(versionOf(file, cmip5), folder).toBe(versionOf(file, { ...cmip5, version: folder }));
      expect(datasetIn(file, { version: folder }), folder).toBe("/d/Amon/tas");
    }
    for (const folder of ["v20190710", "v2"]) {
      const file = `/d/Amon/${folder}/tas/tas.nc`;
      expect(versionOf(file), folder).toBe(versionOf(file, { version: folder }));
      expect(datasetIn(file), folder).toBe("/d/Amon/tas");
      expect(versionOf(file, { version: "v20200101" })).toBe(
        versionOf("/d/Amon/tas/tas.nc", { version: ["v20200101"] }),
      );
    }
  });

  it("is none in the folder of a regional run's version, which all versions of its datasets have", () => {
    const run = { project: "CORDEX", product: "EUR-11", rcm_version: ["v1"] };
    const cordex = { ...run, time_frequency: "3hr" };
    for (const folder of ["/d", "/backup/20240101/d", "/mnt/3/v2", "/v1/d"]) {
      const file = `${folder}/v1/3hr/pr/x.nc`;
      expect(datasetVersion({ ...cordex, file }), file).toBeUndefined();
      expect(datasetVersion({ ...cordex, rcm_version: "v1a", file }), file).toBeUndefined();
    }
    for (const version of ["v20181212", "v1", "v2"]) {
      const file = `/d/v1/3hr/pr/${version}/x.nc`;
      expect(versionOf(file, cordex)).toBe(versionOf(file, { ...cordex, version }));
    }
    expect(versionOf("/d/v1/3hr/pr/x.nc", { ...cordex, version: "v1" })).not.toBe("");
    expect(versionOf("/d/v2/x.nc", cordex)).not.toBe("");
  });

  it("is none without either: a year, a day, a member or a number of a file is no version", () => {
    for (const file of [
      "/d/20190710/tas.nc",
      "/d/3/tas.nc",
      "/d/1990/tas.nc",
      "/d/r1i1p1f1/tas.nc",
      "/d/v20190710.nc",
      "/d/20191310/a.nc",
    ])
      expect(datasetVersion({ file }), file).toBeUndefined();
    expect(datasetVersion({ file: "/d/tas.nc", version: [] })).toBeUndefined();
  });
});

describe("the dataset of a document", () => {
  it("has its identifier as its name wherever a copy is, or else the folder", () => {
    const disk = datasetIn("/disk/a/v1/tas.nc", cmip5);
    expect(datasetIn("/tape/b/v2/pr.nc", { ...cmip5, fs_type: "hsm", dataset: "x" })).toBe(disk);
    expect(disk).toBe("cmip5.output1.inst.ec-earth.rcp85.mon.atmos.amon.r1i1p1");
    expect(datasetIn("/disk/a/v1/tas/b.nc")).toBe("/disk/a/tas");
    expect(datasetIn("/disk/a/v2/tas/c.nc")).toBe("/disk/a/tas");
    expect(datasetIn("/disk/b/v2/tas/c.nc")).not.toBe("/disk/a/tas");
  });

  it("is read from its version whatever its name contains, and a long name is shortened", () => {
    for (const folder of ["/a@b/c d", `/${"x".repeat(30_000)}`, "/ü\u0001\n"]) {
      const found = datasetVersion({ file: `${folder}/v1/tas.nc`, version: "a@1" });
      expect(datasetOf(found?.version ?? "")).toBe(found?.dataset);
      expect(found?.version.length).toBeLessThan(9000);
      expect(found?.version).not.toMatch(/\p{Cc}/u);
    }
  });
});

it("the path without its version folder is the same for all versions of a file", () => {
  expect(withoutVersion("/d/v20190710/tas.nc")).toBe("/d/tas.nc");
  expect(withoutVersion("/d/v2/tas/tas.nc")).toBe("/d/tas/tas.nc");
  expect(withoutVersion("/d/tas.nc")).toBe("/d/tas.nc");
});
