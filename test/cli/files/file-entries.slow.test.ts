/** What the headers of data say, on real files of many kinds. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FileSystem } from "../../../src/catalogue/crawl/tree/file-system.js";
import { readFileEntries, readFileEntry } from "../../../src/cli/user-data/file-entries.js";
import { Datasets } from "../../../src/files/zarr/dataset/datasets.js";
import { packagePath } from "../../../src/platform/package-root.js";
import { netcdfFilesBelow } from "../../files/zarr/files.js";
import { pythonOf, runPython } from "../../support/programs/python.js";
import { freshFolder } from "../../support/run/folders.js";

const folder = freshFolder();
const datasets = new Datasets();
beforeAll(async () => {
  pythonOf();
  await runPython([packagePath("test", "cli", "files", "make_data.py"), folder]);
}, 600_000);
afterAll(() => datasets.close());

async function read(name: string, facets: Readonly<Record<string, string>> = {}) {
  const found = await readFileEntry(datasets, join(folder, name), facets);
  if ("reason" in found) throw new Error(found.reason);
  return found.entry;
}

const reason = async (name: string, facets: Readonly<Record<string, string>> = {}) => {
  const found = await readFileEntry(datasets, join(folder, name), facets);
  return "reason" in found ? found.reason : JSON.stringify(found.entry);
};

const MONTHS_OF_2000 = "2000-01-01T00:00:00Z TO 2000-12-31T23:59:59Z";

describe("the time of a file", () => {
  it.each([
    ["bounds.nc", MONTHS_OF_2000, "mon"],
    ["no_bounds.nc", "2000-01-01T00:00:00Z TO 2000-01-02T18:00:00Z", "6hr"],
    ["bounds_of_moments.nc", "2000-01-02T00:00:00Z TO 2000-01-04T00:00:00Z", "day"],
    ["bounds_at_the_end.nc", "2000-01-01T00:00:00Z TO 2000-01-03T23:59:59Z", "day"],
    ["bounds_that_are_empty.nc", "2000-01-02T00:00:00Z TO 2000-01-04T00:00:00Z", "day"],
    ["bounds_with_units.nc", "2000-01-01T00:00:00Z TO 2000-01-02T23:59:59Z", "day"],
    ["360_day.nc", "2000-01-01T00:00:00Z TO 2000-12-30T23:59:59Z", "mon"],
    ["february_30.nc", "2000-02-29T06:00:00Z TO 2000-02-29T18:00:00Z", "12hr"],
    ["paleo.nc", "-20000-01-16T00:00:00Z TO -19999-12-16T00:00:00Z", "mon"],
    ["far_future.nc", "+12345-01-01T00:00:00Z TO +12347-01-01T00:00:00Z", "yr"],
    ["year_0.nc", "0000-01-01T00:00:00Z TO 0000-12-31T00:00:00Z", "day"],
    ["reform.nc", "1582-10-01T00:00:00Z TO 1582-10-20T00:00:00Z", "day"],
    ["julian_leap_day.nc", "1500-02-28T12:00:00Z TO 1500-02-28T12:00:00Z", "day"],
    ["descending.nc", "2000-01-01T00:00:00Z TO 2000-01-10T00:00:00Z", "day"],
    ["months_of_30_days.nc", "2000-01-01T00:00:00Z TO 2001-02-01T00:00:00Z", "mon"],
    ["noleap.nc", "2000-02-28T00:00:00Z TO 2000-03-02T00:00:00Z", "day"],
    ["scalar_time.nc", "2000-01-17T00:00:00Z TO 2000-02-16T23:59:59Z", "mon"],
    ["unordered.nc", "2000-01-02T00:00:00Z TO 2000-01-04T00:00:00Z", "day"],
    ["missing_times.nc", "2000-01-01T00:00:00Z TO 2000-01-03T00:00:00Z", "2day"],
    ["packed_time.nc", "2000-01-01T12:00:00Z TO 2000-01-02T00:00:00Z", "6hr"],
    ["integer_time.nc", "1970-01-01T00:00:00Z TO 1970-01-01T02:00:00Z", "1hr"],
    ["climatology.nc", "1960-01-01T00:00:00Z TO 1990-12-31T23:59:59Z", "monC"],
    ["absolute.nc", "2020-01-15T00:00:00Z TO 2020-01-16T00:00:00Z", "day"],
    ["valid_time.nc", "2000-01-01T00:00:00Z TO 2000-01-02T18:00:00Z", "6hr"],
    ["resolution.nc", "2000-01-01T00:00:00Z TO 2000-01-01T00:00:00Z", "day"],
    ["frequency.nc", "2000-01-01T00:00:00Z TO 2000-01-02T00:00:00Z", "6hrPt"],
    ["frequency_in_words.nc", "2000-01-01T00:00:00Z TO 2000-01-02T00:00:00Z", "day"],
    ["many_chunks.zarr", "2000-01-01T00:00:00Z TO 2001-02-03T00:00:00Z", "day"],
    ["million.nc", "1900-01-01T00:00:00Z TO 1934-03-23T23:59:59Z", "1hr"],
  ])("%s is [%s], %s", async (name, time, frequency) => {
    const entry = await read(name);
    expect(entry.time).toBe(`[${time}]`);
    expect(entry.time_frequency).toBe(frequency);
  });

  it("is fx for a file without a time", async () => {
    expect(await read("fixed.nc")).toMatchObject({ time: "fx", time_frequency: "fx" });
  });

  it("covers all values if nothing says that they are in order", async () => {
    const entry = await read("many_chunks_unordered.zarr", { time_frequency: "day" });
    expect(entry.time).toBe("[2000-01-01T00:00:00Z TO 2001-02-03T00:00:00Z]");
    expect(await reason("many_chunks_unordered.zarr")).toMatch(/may be in any order; say --facet/);
  });

  it("has its usual step also in single precision", async () => {
    expect((await read("single_precision.nc")).time_frequency).toBe("1hr");
  });

  it.each([
    [
      "scalar_without_bounds.nc",
      /^has no known frequency: time .*; say --facet time_frequency=\.\.\.$/,
    ],
    ["odd_steps.nc", /its times are 40 days apart; say --facet time_frequency=\.\.\.$/],
    [
      "months.nc",
      /no fixed length in its calendar; say --facet time=\.\.\. --facet time_frequency=/,
    ],
    ["no_units.nc", /has a time with no units/],
    ["no_values.nc", /has a dimension time without times/],
    ["empty_time.nc", /has no times: time is empty/],
    ["all_missing.nc", /has no times: all values of time are missing/],
    ["beyond_history.nc", /has times that are not dates/],
    ["years_before_present.nc", /its times are 365000 days apart; say --facet time_frequency/],
    ["tai.nc", /unknown calendar "tai"/],
    [
      "monthly_without_time.nc",
      /no time coordinate, though its frequency is mon; say --facet time=\.\.\.$/,
    ],
  ])("must be given by hand for %s, with the reason", async (name, expected) => {
    expect(await reason(name)).toMatch(expected);
  });

  it("is taken from a facet only if the header has none", async () => {
    const facets = { time: "1999", time_frequency: "day", variable: "other" };
    expect(await read("months.nc", facets)).toMatchObject({
      variable: ["tas"],
      time: "1999",
      time_frequency: "day",
    });
    expect(await read("bounds.nc", facets)).toMatchObject({
      time: `[${MONTHS_OF_2000}]`,
      time_frequency: "mon",
    });
    expect(await reason("months.nc", { time: "1999" })).toMatch(
      /say --facet time_frequency=\.\.\.$/,
    );
  });
});

describe("the box of a file", () => {
  it.each([
    ["globe_360.nc", "-180,180,-90,90"],
    ["globe_180.nc", "-180,180,-90,90"],
    ["globe_closed.nc", "-180,180,-90,90"],
    ["tropics.nc", "-180,180,-30,30"],
    ["zonal.nc", "-180,180,-90,90"],
    ["across_greenwich.nc", "-10,17.5,-10,10"],
    ["across_the_antimeridian.nc", "170,-162.5,-10,10"],
    ["south_america.nc", "-80,-37.5,-10,10"],
    ["from_north.nc", "1,3,50,70"],
    ["cell_bounds.nc", "8.5,10.5,44.5,46.5"],
    ["station.nc", "14.1,14.1,52.2,52.2"],
    // The extremes of numpy's own arithmetic on the coordinates.
    ["rotated.nc", "-5.0219,40.1232,39.5012,60.25"],
    ["icon_region.nc", "-17.0933,16.9062,34.5612,56.9749"],
    ["icon.nc", "-180,180,-90,90"],
    ["ocean.nc", "-180,180,-78,90"],
    ["arctic.nc", "-180,180,59.2795,90"],
    ["moving.nc", "175,179,10,14"],
    ["groups.nc", "10,30,10,30"],
    ["no_angle_units.nc", "3,4,1,2"],
    ["rotated_alone.nc", undefined],
    ["projected.nc", undefined],
    ["bounds.nc", undefined],
  ])("%s is %s", async (name, box) => {
    expect((await read(name)).bbox).toBe(box);
  });
});

describe("the variables of a file", () => {
  it("are all that describe no other variable", async () => {
    expect((await read("several.nc")).variable).toEqual(["tas", "ta"]);
  });

  it("are variable_id alone in a CMIP file", async () => {
    expect((await read("cmip.nc")).variable).toEqual(["ta"]);
  });

  it("are cell measures if there is nothing else", async () => {
    expect((await read("area.nc")).variable).toEqual(["area"]);
  });

  it("are found in groups", async () => {
    expect((await read("groups.nc")).variable).toEqual(["ozone"]);
  });

  it("must be given by hand if the file has none", async () => {
    expect(await reason("no_data.nc")).toBe("has no data variable; say --facet variable=...");
  });
});

describe("the attributes of a file", () => {
  const [historical = ""] = netcdfFilesBelow(packagePath("data", "files")).filter((path) =>
    path.endsWith("/pr_Amon_MPI-ESM1-2-LR_historical_r1i1p1f1_gn_198501-198912.nc"),
  );
  const entryOf = async (facets: Readonly<Record<string, string>>, checksum = false) => {
    const found = await readFileEntry(datasets, historical, facets, {
      checksum: checksum && new FileSystem(),
    });
    if ("reason" in found) throw new Error(found.reason);
    return found;
  };

  it("name the facets and details of a CMIP6 file, so that nothing has to be given by hand", async () => {
    const { entry, notes } = await entryOf({});
    expect(entry).toMatchObject({
      project: "CMIP6",
      product: "CMIP",
      institute: "MPI-M",
      model: "MPI-ESM1-2-LR",
      experiment: "historical",
      ensemble: "r1i1p1f1",
      cmor_table: "Amon",
      grid_label: "gn",
      realm: "atmos",
      time_aggregation: "mean",
      level_type: "2d",
      version: "v20190710",
      standard_name: "precipitation_flux",
      long_name: "Precipitation",
      units: "kg m-2 s-1",
      nominal_resolution: "1000 km",
      license: "Apache-2.0 (synthetic sample)",
      tracking_id: expect.stringMatching(/^hdl:21\.14100\//),
      further_info_url: expect.stringMatching(/^https:/),
      size: statSync(historical).size,
    });
    expect(notes).toEqual([]);
    expect(entry).not.toHaveProperty("checksum");
  });

  it("are overridden by hand, and contradictions are reported", async () => {
    const { entry, notes } = await entryOf({ project: "mine", institute: "MPI-M" });
    // What holds for all entries is sent beside them, once.
    expect(entry).not.toHaveProperty("project");
    expect(entry.model).toBe("MPI-ESM1-2-LR");
    expect(notes).toEqual(["project: --facet says mine, the file CMIP6; stored is mine"]);
  });

  it("come with the checksum of the whole file on request", async () => {
    const { entry } = await entryOf({}, true);
    const expected = createHash("sha256").update(readFileSync(historical)).digest("hex");
    expect(entry.checksum).toBe(`sha256:${expected}`);
  });
});

describe("a file", () => {
  it.each([
    "netcdf3_classic.nc",
    "netcdf3_64bit_offset.nc",
    "netcdf3_64bit_data.nc",
    "netcdf4_classic.nc",
  ])("may be %s", async (name) => {
    const path = join(folder, name);
    const { size, mtimeMs } = statSync(path);
    expect(await read(name)).toEqual({
      file: path,
      level_type: "2d",
      units: "K",
      size,
      modified: new Date(Math.floor(mtimeMs)).toISOString(),
      variable: ["tas"],
      time: `[${MONTHS_OF_2000}]`,
      time_frequency: "mon",
      bbox: "9,10,45,46",
    });
  });

  it.each(["v2.zarr", "v3.zarr", "v3_small_chunks.zarr"])("may be a store, %s", async (name) => {
    expect(await read(name)).toMatchObject({
      file: join(folder, name),
      variable: ["pr"],
      time: "[2001-01-01T00:00:00Z TO 2002-12-01T00:00:00Z]",
      time_frequency: "mon",
      bbox: "-1,2,47,49",
      format: "zarr",
    });
  });

  it("has the size of all its files if it is a store", async () => {
    const fileSystem = new FileSystem();
    try {
      const path = join(folder, "v2.zarr");
      const found = await readFileEntry(datasets, path, {}, { fileSystem });
      const parts = readdirSync(path, { recursive: true, encoding: "utf8" }).map((name) =>
        statSync(join(path, name)),
      );
      const size = parts.reduce((sum, part) => sum + (part.isFile() ? part.size : 0), 0);
      expect(found).toMatchObject({ entry: { size, modified: expect.any(String) } });
    } finally {
      await fileSystem.close();
    }
  });

  it.each(["codecs.zarr", "shards.zarr"])("may be a store with odd chunks, %s", async (name) => {
    expect(await read(name)).toMatchObject({
      file: join(folder, name),
      variable: ["pr"],
      time: "[2000-01-02T00:00:00Z TO 2000-01-11T00:00:00Z]",
      time_frequency: "day",
      bbox: "1,10,1,10",
      format: "zarr",
    });
  });

  it.each([
    ["h5netcdf.nc", "2001-01-01T00:00:00Z TO 2002-12-01T00:00:00Z", "mon"],
    ["filters.nc", "2000-01-01T00:00:00Z TO 2000-01-21T19:00:00Z", "1hr"],
    ["big_endian.h5", "2000-01-01T00:00:00Z TO 2000-01-01T23:00:00Z", "1hr"],
  ])(
    "may be written by other programs, with filters of all kinds: %s",
    async (name, time, frequency) => {
      expect(await read(name)).toMatchObject({
        variable: ["pr"],
        time: `[${time}]`,
        time_frequency: frequency,
      });
    },
  );

  it.each([
    ["empty.nc", /empty/],
    ["grib.nc", /GRIB/],
    ["cut_off.nc", /3000 bytes/],
    ["text.nc", /text/],
    ["nothing.nc", /not there/],
    ["unknown_codec.zarr", /values of time are stored in a way that is not read: .*bz2/],
    ["damaged.zarr", /values of lon cannot be read/],
  ])("is refused if it is %s, whatever facets are given", async (name, expected) => {
    const facets = { variable: "tas", time: "2000", time_frequency: "mon" };
    expect(await reason(name, facets)).toMatch(expected);
  });

  it("keeps its position among others, however long each of them takes", async () => {
    const names = [
      "million.nc",
      "empty.nc",
      "bounds.nc",
      "v3.zarr",
      "text.nc",
      "icon.nc",
      "fixed.nc",
    ];
    const seen: string[] = [];
    const paths = names.map((name) => join(folder, name));
    for await (const { path } of readFileEntries(datasets, paths, {})) seen.push(path);
    expect(seen).toEqual(paths);
  });
});
