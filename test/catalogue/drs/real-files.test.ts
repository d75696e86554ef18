/** Files and paths of real archives; skipped where they are missing (see test/support/data/real-data.ts). */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { describeFile } from "../../../src/catalogue/crawl/describe/describe-file.js";
import { loadStandard } from "../../../src/catalogue/drs/index.js";
import { Datasets } from "../../../src/files/zarr/dataset/datasets.js";
import { netcdfFilesBelow } from "../../files/zarr/files.js";
import { REAL_DATA } from "../../support/data/real-data.js";

const datasets = new Datasets();
afterAll(() => datasets.close());

const standardOf = (path: string) =>
  path.includes("/CMIP6/") ? "cmip6" : path.includes("/cordex/") ? "cordex" : "freva";

describe.skipIf(REAL_DATA === undefined)("real data", () => {
  const root = join(REAL_DATA ?? "", "netcdf");
  const files = REAL_DATA === undefined ? [] : netcdfFilesBelow(root);
  const describeOne = async (path: string, standard: string | undefined) => {
    const { size, mtimeMs, ino } = statSync(path);
    const description = await describeFile(
      { path, kind: "file", size, modified: mtimeMs, inode: `${ino}` },
      {
        standard: standard === undefined ? undefined : await loadStandard(standard),
        datasets,
        facets: {},
        checksum: false,
      },
    );
    if ("reason" in description) throw new Error(`${path}: ${description.reason}`);
    return description;
  };

  it("is described by path and header together", async () => {
    expect(files.length).toBeGreaterThanOrEqual(8);
    for (const path of files) {
      const { document } = await describeOne(path, standardOf(path));
      for (const facet of ["project", "product", "institute", "model", "experiment", "ensemble"]) {
        expect(document[facet], `${facet} of ${path}`).toBeTruthy();
      }
      expect(document).toMatchObject({
        time: expect.stringMatching(/^\[\d{4}-.* TO \d{4}-.*\]$/),
        version: expect.stringMatching(/^v\d{8}$/),
        units: expect.any(String),
        long_name: expect.any(String),
      });
    }
  });

  it("gives by its headers alone the facets of its paths, if it names its standard", async () => {
    const own = files.filter((path) => standardOf(path) !== "freva");
    expect(own.length).toBeGreaterThanOrEqual(4);
    for (const path of own) {
      expect(await describeOne(path, undefined)).toEqual(await describeOne(path, standardOf(path)));
    }
  });

  it("is reported where path and header contradict each other", async () => {
    const notes = async (part: string) => {
      const path = files.find((one) => one.includes(part)) ?? "";
      return (await describeOne(path, standardOf(path))).notes;
    };
    expect(await notes("GERICS-REMO2015_v2")).toEqual([
      "rcm_version: the folder says v1, the file name v2; the folder counts",
    ]);
    expect(await notes("_daypt_")).toEqual([
      "time_frequency: the path says daypt, the header day; stored is day",
    ]);
    expect(await notes("ACCESS-CM2_amip")).toEqual([
      expect.stringMatching(/^time: the file name says 1970-.* its times 1979-/),
    ]);
    expect(await notes("hc700_mon")).toEqual([
      "cmor_table: the folder says Omon, the file name mon; the folder counts",
      expect.stringMatching(/^time_frequency: it is said to be mon, its times are sem apart$/),
      expect.stringMatching(
        /^time: the file has times in "months since.*; the path gives the period/,
      ),
    ]);
  });

  it("has documents whose facets are those of their paths", async () => {
    let read = 0;
    const OTHERS = ["time_frequency", "project", "product", "model"];
    for (const line of readFileSync(join(REAL_DATA ?? "", "files.jsonl"), "utf8")
      .trim()
      .split("\n")) {
      const document = JSON.parse(line) as Readonly<Record<string, unknown>>;
      const path = String(document.file);
      const of = (await loadStandard(standardOf(path))).read(path);
      if ("reason" in of) {
        // Names that follow no standard, and one without its grid.
        expect(path).toMatch(
          /^\$CWD\/data\/(?:random|model\/[a-z]+_)|^\/foo\/|r2i1p1f1_197901-199812\.nc$/,
        );
        continue;
      }
      read += 1;
      for (const [facet, value] of Object.entries(of.facets)) {
        // That catalogue has its own words for these here and there.
        if (OTHERS.includes(facet)) continue;
        expect([document[facet]].flat(), `${facet} of ${path}`).toContain(value);
      }
      // Some are listed under the version of the regional run.
      const version = String([document.version].flat()[0]);
      if (/^v\d{8}$/.test(version)) expect(version).toBe(of.version);
    }
    expect(read).toBeGreaterThan(50);
  });
});
