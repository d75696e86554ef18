/** Paths of real archives, and what the standards of the package read in them. */
import { describe, expect, it } from "vitest";
import { loadStandard } from "../../../src/catalogue/drs/index.js";

const read = async (standard: string, path: string) => (await loadStandard(standard)).read(path);

const AMON = "r1i1p1f1/Amon/tas/gn";
const DRS = `CMIP/MPI-M/MPI-ESM1-2-LR/historical/${AMON}`;
const CMIP6 = `/pool/data/CMIP6/data/${DRS}`;
const TAS = "tas_Amon_MPI-ESM1-2-LR_historical_r1i1p1f1_gn";
const OF_CMIP6 = {
  product: "CMIP",
  institute: "MPI-M",
  model: "MPI-ESM1-2-LR",
  experiment: "historical",
  ensemble: "r1i1p1f1",
  cmor_table: "Amon",
  variable: "tas",
  grid_label: "gn",
};

describe("a path of CMIP6", () => {
  it.each([
    [`${CMIP6}/v20190710/${TAS}_185001-186912.nc`, "1850-01-01T00:00:00Z TO 1869-12-31T23:59:59Z"],
    [
      `/x/CMIP6/${DRS}/v20190710/${TAS}_18500101-18500131.nc`,
      "1850-01-01T00:00:00Z TO 1850-01-31T23:59:59Z",
    ],
    [
      `${DRS}/v20190710/${TAS}_185001010130-185001010430.nc`,
      "1850-01-01T01:30:00Z TO 1850-01-01T04:30:59Z",
    ],
    [`${CMIP6}/v20190710/${TAS}_0001-0100.nc`, "0001-01-01T00:00:00Z TO 0100-12-31T23:59:59Z"],
    [`${CMIP6}/v20190710/${TAS}.nc`, undefined],
    [
      `${CMIP6}/v20190710/${TAS}_198001-200912-clim.nc`,
      "1980-01-01T00:00:00Z TO 2009-12-31T23:59:59Z",
    ],
    [
      `${CMIP6}/v20190710/${TAS}_185001-186912.zarr`,
      "1850-01-01T00:00:00Z TO 1869-12-31T23:59:59Z",
    ],
    [`${CMIP6}/v20190710/${TAS}.zarr`, undefined],
    // A store may be the folder itself.
    [`${CMIP6}/v20190710`, undefined],
    [`${CMIP6}/v20190710/`, undefined],
  ])("gives all facets: %s", async (path, time) => {
    expect(await read("cmip6", path)).toEqual({
      facets: OF_CMIP6,
      version: "v20190710",
      time: time && `[${time}]`,
      isClimatology: path.includes("-clim"),
      notes: [],
    });
  });

  it("may have a member of a sub-experiment, and names with dots and signs", async () => {
    const path =
      "/d/DCPP/MPI-M/MPI-ESM1.2-HR/dcppA-hindcast/s1960-r1i1p1f1/Amon/tas/gn/v20190821/" +
      "tas_Amon_MPI-ESM1.2-HR_dcppA-hindcast_s1960-r1i1p1f1_gn_196011-197012.nc";
    expect(await read("cmip6", path)).toMatchObject({
      facets: { ensemble: "s1960-r1i1p1f1", model: "MPI-ESM1.2-HR" },
    });
  });

  it("has no version below latest", async () => {
    const path = `${CMIP6}/latest/${TAS}_185001-186912.nc`;
    expect(await read("cmip6", path)).toMatchObject({ facets: OF_CMIP6, version: undefined });
  });

  it("has the facets of the folders if the file name differs, and reports it", async () => {
    const path = `${CMIP6}/v20190710/tas_mon_MPI-ESM1-2-LR_historical_r2i1p1f1_gn_1850-1860.nc`;
    expect(await read("cmip6", path)).toMatchObject({
      facets: OF_CMIP6,
      notes: [
        "cmor_table: the folder says Amon, the file name mon; the folder counts",
        "ensemble: the folder says r1i1p1f1, the file name r2i1p1f1; the folder counts",
      ],
    });
  });

  it.each([
    [
      "too few folders",
      `historical/${AMON}/v20190710/${TAS}.nc`,
      /^is not deep enough: \{model\} is missing in \{product\}\/\{institute\}/,
    ],
    [
      "a folder too few",
      `${CMIP6.replace("/gn", "")}/v20190710/${TAS}.nc`,
      /^has the folder "historical" where \{ensemble\} as r#i#p#f#\|s#-r#i#p#f# is expected in/,
    ],
    [
      "a folder below the version",
      `${CMIP6}/v20190710/old/${TAS}.nc`,
      /^has the folder "old" where \{version\} as v#\|latest is expected/,
    ],
    [
      "a time range that is none",
      `${CMIP6}/v20190710/${TAS}_185013-185014.nc`,
      /^has a file name with .*185013-185014" where .* is expected in \{variable\}_\{cmor_table\}/,
    ],
    [
      "a name without its grid",
      `${CMIP6}/v20190710/${TAS.replace("_gn", "")}_185001-186912.nc`,
      /^has a file name with "185001-186912" where \{grid_label\} is expected in/,
    ],
    [
      "a name of another standard",
      `${CMIP6}/v20190710/tas_MPI.nc`,
      /^has a file name with .* where /,
    ],
    [
      "something else where the activity should be",
      `/pool/data/${DRS.slice("CMIP/".length)}/v20190710/${TAS}.nc`,
      /^has the folder "data" where \{product\} as /,
    ],
    ["no folder at all", `${TAS}.nc`, /^is not deep enough/],
    ["nothing", "", /^is not deep enough/],
    ["ten thousand characters", `/${"x".repeat(10_000)}`, /^is too long a path/],
  ])("is refused with the reason if it has %s", async (_, path, reason) => {
    expect(await read("cmip6", path)).toEqual({ reason: expect.stringMatching(reason) });
  });
});

describe("a path of CMIP7", () => {
  const path =
    "/data/MIP-DRS7/CMIP7/CMIP/CCCma/CanESM6-MR/historical/r2i1p1f1/glb/mon/tas/tavg-h2m-hxy-u/g13s/" +
    "v20250622/tas_tavg-h2m-hxy-u_mon_glb_g13s_CanESM6-MR_historical_r2i1p1f1_190001-190912.nc";

  it("gives region and branding suffix, and no table", async () => {
    expect(await read("cmip7", path)).toMatchObject({
      facets: {
        project: "CMIP7",
        product: "CMIP",
        institute: "CCCma",
        model: "CanESM6-MR",
        experiment: "historical",
        ensemble: "r2i1p1f1",
        region: "glb",
        time_frequency: "mon",
        variable: "tas",
        branding_suffix: "tavg-h2m-hxy-u",
        grid_label: "g13s",
      },
      version: "v20250622",
      time: "[1900-01-01T00:00:00Z TO 1909-12-31T23:59:59Z]",
      notes: [],
    });
  });

  it("may have a member that is initialised in a month", async () => {
    const predicted = path.replaceAll("r2i1p1f1", "r1i196011ap1f1");
    expect(await read("cmip7", predicted)).toMatchObject({
      facets: { ensemble: "r1i196011ap1f1" },
      notes: [],
    });
  });
});

describe("a path of obs4MIPs", () => {
  it("gives the variant and the grid", async () => {
    const folder = "/p/obs4MIPs/NASA-LaRC/CERES-EBAF-4-2/mon/rsdt/gn/v20240513";
    const path = `${folder}/rsdt_mon_CERES-EBAF-4-2_RSS_gn_200003-202310.nc`;
    expect(await read("obs4mips", path)).toMatchObject({
      facets: {
        project: "obs4MIPs",
        institute: "NASA-LaRC",
        model: "CERES-EBAF-4-2",
        ensemble: "RSS",
        time_frequency: "mon",
        variable: "rsdt",
        grid_label: "gn",
      },
      version: "v20240513",
      time: "[2000-03-01T00:00:00Z TO 2023-10-31T23:59:59Z]",
      notes: [],
    });
  });
});

describe("a path of CMIP5", () => {
  const above = "/x/cmip5/output1/MPI-M/MPI-ESM-LR/rcp45/mon/atmos";
  const name = "tas_Amon_MPI-ESM-LR_rcp45_r1i1p1_200601-210012.nc";
  const facets = {
    product: "output1",
    institute: "MPI-M",
    model: "MPI-ESM-LR",
    experiment: "rcp45",
    time_frequency: "mon",
    realm: "atmos",
    cmor_table: "Amon",
    ensemble: "r1i1p1",
    variable: "tas",
  };

  it.each([
    ["as published", `${above}/Amon/r1i1p1/v20120625/tas/${name}`, "v20120625"],
    [
      "with the version below the variable",
      `${above}/Amon/r1i1p1/tas/v20120625/${name}`,
      "v20120625",
    ],
    ["below latest", `${above}/Amon/r1i1p1/latest/tas/${name}`, undefined],
    ["of an archive's own files", `${above}/Amon/r1i1p1/files/tas_20120625/${name}`, "v20120625"],
    ["without a version", `${above}/Amon/r1i1p1/tas/${name}`, undefined],
    ["as first decided", `${above}/tas/r1i1p1/${name}`, undefined],
  ])("gives all facets: %s", async (_, path, version) => {
    expect(await read("cmip5", path)).toMatchObject({ facets, version, notes: [] });
  });
});

describe("a path of CORDEX", () => {
  const above =
    "/x/cordex/output/EUR-11/GERICS/NCC-NorESM1-M/rcp85/r1i1p1/GERICS-REMO2015/v1/3hr/pr";
  const name =
    "pr_EUR-11_NCC-NorESM1-M_rcp85_r1i1p1_GERICS-REMO2015_v1_3hr_200701020130-200701020430.nc";

  it.each([
    [`${above}/v20181212/${name}`, "v20181212"],
    [`${above}/${name}`, undefined],
  ])("gives all facets: %s", async (path, version) => {
    expect(await read("cordex", path)).toMatchObject({
      facets: {
        product: "EUR-11",
        institute: "GERICS",
        driving_model: "NCC-NorESM1-M",
        experiment: "rcp85",
        ensemble: "r1i1p1",
        rcm_name: "GERICS-REMO2015",
        rcm_version: "v1",
        time_frequency: "3hr",
        variable: "pr",
      },
      version,
    });
  });

  it("may be one of CORDEX-CMIP6", async () => {
    const path =
      "/x/CORDEX-CMIP6/DD/EUR-12/CLMcom-BTU/EC-Earth3-Veg/historical/r1i1p1f1/ICON-CLM-202407-1-1/v1-r1/mon/" +
      "tas/v20240920/tas_EUR-12_EC-Earth3-Veg_historical_r1i1p1f1_CLMcom-BTU_ICON-CLM-202407-1-1_v1-r1_mon_200101-201012.nc";
    expect(await read("cordex-cmip6", path)).toMatchObject({
      facets: {
        project: "CORDEX-CMIP6",
        product: "EUR-12",
        institute: "CLMcom-BTU",
        driving_model: "EC-Earth3-Veg",
        experiment: "historical",
        ensemble: "r1i1p1f1",
        model: "ICON-CLM-202407-1-1",
        rcm_version: "v1-r1",
        time_frequency: "mon",
        variable: "tas",
      },
      version: "v20240920",
      notes: [],
    });
  });
});

describe("a path of nextGEMS", () => {
  it("gives realm, levels, aggregation and grid, of files and of stores", async () => {
    const above = "/x/nextGEMS/nextgems_cycle3/MPI-M/ICON/ngc3028/atm/v20230405";
    for (const extension of ["nc", "zarr"]) {
      const path = `${above}/ngc3028_atm_2d_day_mean_hpz3_20200101-20200115.${extension}`;
      expect(await read("nextgems", path)).toMatchObject({
        facets: {
          product: "nextgems_cycle3",
          experiment: "ngc3028",
          realm: "atm",
          level_type: "2d",
          time_frequency: "day",
          time_aggregation: "mean",
          grid_id: "hpz3",
        },
        time: "[2020-01-01T00:00:00Z TO 2020-01-15T23:59:59Z]",
        version: "v20230405",
      });
    }
  });
});

describe("a path of Freva", () => {
  const of = (root: string) =>
    `${root}/NOAA/NODC/OC5/mon/ocean/Omon/r1i1p1/v20200101/hc700/hc700_Omon_NODC_OC5_r1i1p1_201201-201212.nc`;

  it("may be of observations and of reanalyses, with or without the project", async () => {
    expect(await read("freva", of("/x/observations/grid"))).toMatchObject({
      facets: { project: "observations", product: "grid", model: "NODC", experiment: "OC5" },
    });
    for (const root of ["/x/reanalysis/reanalysis", "/x/REANALYSIS/reanalysis"]) {
      expect(await read("freva", of(root))).toMatchObject({
        facets: { project: "reanalysis", product: "reanalysis", variable: "hc700" },
        version: "v20200101",
      });
    }
  });
});
