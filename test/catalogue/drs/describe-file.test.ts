/** What becomes of a file whose path and header disagree, that may not be opened, that is a store, or damaged. */
import { createHash } from "node:crypto";
import { copyFile, mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type DescribeContext,
  describeFile,
  type FileDescription,
} from "../../../src/catalogue/crawl/describe/describe-file.js";
import { fileFacts } from "../../../src/catalogue/crawl/describe/file-facts.js";
import { FileSystem } from "../../../src/catalogue/crawl/tree/file-system.js";
import type { FoundFile } from "../../../src/catalogue/crawl/tree/found-file.js";
import { loadStandard, type Standard } from "../../../src/catalogue/drs/index.js";
import { Datasets } from "../../../src/files/zarr/dataset/datasets.js";
import { packagePath } from "../../../src/platform/package-root.js";
import { netcdfFilesBelow } from "../../files/zarr/files.js";
import { freshFolder } from "../../support/run/folders.js";

const SAMPLE = netcdfFilesBelow(packagePath("data", "files"));
const TAS = "tas_Amon_MPI-ESM1-2-LR_historical_r1i1p1f1_gn_199001-199412.nc";
const source = SAMPLE.find((path) => path.endsWith(TAS)) ?? "";

const folder = freshFolder();
let cmip6: Standard;
const datasets = new Datasets();
const fs = new FileSystem();
beforeAll(async () => {
  cmip6 = await loadStandard("cmip6");
});
afterAll(() => Promise.all([datasets.close(), fs.close()]));

async function found(path: string, kind: FoundFile["kind"] = "file"): Promise<FoundFile> {
  const { size, mtimeMs, ino } = await stat(path);
  return { path, kind, size, modified: mtimeMs, inode: `${ino}` };
}

const described = async (file: FoundFile, context: Partial<DescribeContext> = {}) =>
  describeFile(file, { standard: cmip6, datasets, facets: {}, checksum: false, ...context });

/** The file of the sample in other folders or under another name. */
async function filed(path: string): Promise<string> {
  const place = join(folder, path);
  await mkdir(dirname(place), { recursive: true });
  await copyFile(source, place);
  return place;
}

const notesOf = (description: FileDescription): readonly string[] =>
  "notes" in description ? description.notes : [];

const RIGHT = "CMIP6/CMIP/MPI-M/MPI-ESM1-2-LR/historical/r1i1p1f1/Amon/tas/gn/v20190710";

describe("a file in another file's path", () => {
  it("has the facets of its header and the version of its path, and each contradiction is reported", async () => {
    const path = await filed(
      "CMIP/DKRZ/MPI-ESM1.2-LR/ssp126/r1i1p1f1/day/pr/gn/v20200101/" +
        "pr_day_MPI-ESM1.2-LR_ssp126_r1i1p1f1_gn_20150101-20191231.nc",
    );
    const description = await described(await found(path));
    expect(description).toMatchObject({
      document: {
        institute: "MPI-M",
        // Spelled as the path has it: both mean the same.
        model: "MPI-ESM1.2-LR",
        experiment: "historical",
        cmor_table: "Amon",
        variable: "tas",
        version: "v20200101",
        time: "[1990-01-01T00:00:00Z TO 1994-12-31T23:59:59Z]",
      },
    });
    expect([...notesOf(description)].sort()).toEqual([
      "cmor_table: the path says day, the header Amon; stored is Amon",
      "experiment: the path says ssp126, the header historical; stored is historical",
      "institute: the path says DKRZ, the header MPI-M; stored is MPI-M",
      expect.stringMatching(/^time: the file name says 2015-01-01T.* its times 1990-01-01T/),
      "variable: the path says pr, the header tas; stored is tas",
    ]);
  });

  it("has the facets that are given by hand instead, which is reported", async () => {
    const path = await filed(`${RIGHT}/${TAS}`);
    const facets = { model: "other", product: "CMIP", realm: "atmos" };
    const description = await described(await found(path), { facets, collection: "mine" });
    expect(description).toMatchObject({
      document: { model: "other", dataset: "mine", project: "CMIP6" },
      notes: ["model: --facet says other, the file MPI-ESM1-2-LR; stored is other"],
    });
  });

  it("is refused with the reason if the path is not one of the standard, and is not opened", async () => {
    const path = await filed(`a/b/${TAS}`);
    const closed = new Datasets();
    await closed.close();
    expect(await described(await found(path), { datasets: closed })).toEqual({
      reason: expect.any(String),
    });
  });
});

describe("a file", () => {
  it("is described completely, with path, size, time and inode", async () => {
    const path = await filed(`${RIGHT}/${TAS}`);
    const file = await found(path);
    const description = await described(file);
    expect(description).toMatchObject({
      document: {
        file: path,
        uri: `file://${path}`,
        file_name: TAS,
        size: file.size,
        modified: new Date(file.modified).toISOString(),
        inode: file.inode,
        fs_type: "posix",
        format: "nc",
        bbox: "ENVELOPE(-180,180,90,-90)",
        version: "v20190710",
        project: "CMIP6",
      },
      notes: [],
    });
    expect(description).not.toHaveProperty("document.checksum");
  });

  it("has the checksum of all its bytes on request", async () => {
    const path = await filed(`${RIGHT}/${TAS}`);
    const hash = createHash("sha256").update(await readFile(path));
    const file = await found(path);
    expect(await described(file, { checksum: fs })).toMatchObject({
      document: { checksum: `sha256:${hash.digest("hex")}` },
    });
    // It was longer when it was found.
    const description = await described({ ...file, size: file.size + 1 }, { checksum: fs });
    expect(description).toMatchObject({ notes: [expect.stringMatching(/become shorter/)] });
  });

  it("is described by its path alone in an archive", async () => {
    const path = join(folder, "arch", RIGHT, TAS);
    const file = { path, kind: "file" as const, size: 5, modified: 0, inode: "7", fs_type: "hsm" };
    // Nothing is there that could be opened.
    for (const context of [{}, { datasets: undefined, checksum: fs }]) {
      const description = await described(file, context);
      expect(description).toMatchObject({
        document: {
          fs_type: "hsm",
          project: "CMIP6",
          model: "MPI-ESM1-2-LR",
          time_frequency: "mon",
          time: "[1990-01-01T00:00:00Z TO 1994-12-31T23:59:59Z]",
          size: 5,
        },
        notes: [],
      });
      expect(description).not.toHaveProperty("document.checksum");
    }
    const fixed = path
      .replace("Amon/tas", "fx/orog")
      .replace(TAS, TAS.replace(/^tas_Amon(.*)_1990.*/, "orog_fx$1.nc"));
    expect(await described({ ...file, path: fixed })).toMatchObject({
      document: { time: "fx", time_frequency: "fx", variable: "orog" },
    });
    const ofTable = (table: string) => described({ ...file, path: path.replaceAll("Amon", table) });
    for (const [table, frequency] of [
      ["6hrLev", "6hrPt"],
      ["6hrPlev", "6hr"],
      ["SImon", "mon"],
    ] as const) {
      expect(await ofTable(table)).toMatchObject({ document: { time_frequency: frequency } });
    }
    // Their variables are of two frequencies.
    for (const table of ["3hr", "E1hr", "E6hrZ", "Eyr"]) {
      const description = await ofTable(table);
      expect(description).toMatchObject({ document: { cmor_table: table } });
      expect(description).not.toHaveProperty("document.time_frequency");
    }
  });

  it("may have a time of change that is not a date, and thousands of variables", async () => {
    const path = await filed(`${RIGHT}/${TAS}`);
    const description = await described({ ...(await found(path)), modified: 1e17 });
    expect(description).toMatchObject({ document: { file: path }, notes: [] });
    expect(description).not.toHaveProperty("document.modified");
    const names = Array.from({ length: 5000 }, (_, i) => (i === 7 ? "x".repeat(9999) : `v${i}`));
    const told = {
      variable: { value: names },
      time: { value: "fx" },
      time_frequency: { value: "fx" },
      bbox: undefined,
    };
    const header = { attributes: new Map(), variables: [] };
    const { fields, notes } = fileFacts("/x.nc", undefined, {
      header,
      description: told,
      format: "x",
      broken: [],
    });
    expect(fields.variable).toHaveLength(1000);
    expect(fields.variable).not.toContain(names[7]);
    expect(notes).toEqual(["variable: of 5000 names 1000 are kept"]);
  });

  it("costs one line if it cannot be read", async () => {
    const path = await filed(`${RIGHT.replace("v20190710", "v3")}/${TAS}`);
    await writeFile(path, "GRIB and more");
    expect(await described(await found(path))).toEqual({ reason: expect.stringMatching(/GRIB/) });
    const gone = { ...(await found(path)), path: path.replace("/v3/", "/v4/") };
    expect(await described(gone)).toEqual({ reason: expect.stringMatching(/not there/) });
  });
});

describe("a zarr store", () => {
  /** The smallest store of zarr v2 with a time. */
  async function store(path: string): Promise<string> {
    const place = join(folder, path);
    const array = (shape: number[], dtype: string) =>
      JSON.stringify({
        zarr_format: 2,
        shape,
        chunks: shape,
        dtype,
        order: "C",
        compressor: null,
        filters: null,
        fill_value: 0,
      });
    const put = async (name: string, content: string | Uint8Array) => {
      await mkdir(dirname(join(place, name)), { recursive: true });
      await writeFile(join(place, name), content);
    };
    await put(".zgroup", '{"zarr_format":2}');
    await put(".zattrs", JSON.stringify({ source_id: "MPI-ESM1-2-LR", frequency: "day" }));
    await put("time/.zarray", array([2], "<f8"));
    const time = {
      _ARRAY_DIMENSIONS: ["time"],
      units: "days since 2000-01-01",
      calendar: "standard",
    };
    await put("time/.zattrs", JSON.stringify(time));
    await put("time/0", new Uint8Array(new Float64Array([1, 2]).buffer));
    await put("tas/.zarray", array([2], "<f4"));
    const tas = { _ARRAY_DIMENSIONS: ["time"], units: "K", cell_methods: "time: maximum" };
    await put("tas/.zattrs", JSON.stringify(tas));
    return place;
  }

  it("may have the path of a file, and of the last folder", async () => {
    const inPlaceOf = [`${RIGHT.replace("v20190710", "v5")}/${TAS.replace(/\.nc$/, ".zarr")}`];
    for (const path of [...inPlaceOf, RIGHT.replace("v20190710", "v6")]) {
      const place = await store(path);
      const file = { ...(await found(place, "zarr")), size: 12_345 };
      const description = await described(file, { checksum: fs });
      expect(description).toMatchObject({
        document: {
          file: place,
          file_name: basename(place),
          format: "zarr",
          size: 12_345,
          variable: "tas",
          units: "K",
          ensemble: "r1i1p1f1",
          version: expect.stringMatching(/^v[56]$/),
          time_aggregation: "max",
          time_frequency: "day",
          time: "[2000-01-02T00:00:00Z TO 2000-01-03T00:00:00Z]",
        },
      });
      expect(notesOf(description)).toContain("checksum: a store of many files has none");
    }
  });
});
