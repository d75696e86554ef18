/** Names of datasets, from a path alone and from the path with the header. */
import { describe, expect, it } from "vitest";
import { fileFacts } from "../../../src/catalogue/crawl/describe/file-facts.js";
import { loadStandard } from "../../../src/catalogue/drs/index.js";
import { datasetVersion } from "../../../src/index/loading/version.js";

/** The facts of a file: of the path alone without attributes. */
async function factsOf(name: string, file: string, attributes?: Record<string, string>) {
  const standard = await loadStandard(name);
  const read = standard.read(file);
  if ("reason" in read) throw new Error(`${file} ${read.reason}`);
  const opened = attributes && {
    header: { attributes: new Map(Object.entries(attributes)), variables: [] },
    description: {
      variable: { reason: "has none" },
      time: { value: read.time ?? "" },
      time_frequency: { reason: "has none" },
      bbox: undefined,
    },
    format: "nc",
    broken: [],
  };
  const { fields, notes } = fileFacts(file, standard, opened);
  return { fields, notes, ...datasetVersion({ ...fields, file }) };
}

describe("two bias adjustments of one regional run", () => {
  const METHODS = ["SMHI-DBS45-MESAN-1989-2010", "METNO-QMAP-MESAN-1989-2010"];
  const pathOf = (method: string) =>
    `/x/bias-adjusted-output/EUR-11/SMHI/ICHEC-EC-EARTH/rcp85/r12i1p1/RCA4/v1-${method}/day/tasAdjust/v20160919/` +
    `tasAdjust_EUR-11_ICHEC-EC-EARTH_rcp85_r12i1p1_SMHI-RCA4_v1-${method}_day_20060101-20101231.nc`;
  const headerOf = (method: string) => ({
    project_id: "CORDEX-Adjust",
    CORDEX_domain: "EUR-11",
    rcm_version_id: "v1",
    bc_info: method,
  });

  it("are two datasets of CORDEX-Adjust, in an archive as on disk", async () => {
    const archived = await Promise.all(METHODS.map((one) => factsOf("cordex", pathOf(one))));
    const opened = await Promise.all(
      METHODS.map((one) => factsOf("cordex", pathOf(one), headerOf(one))),
    );
    for (const facts of [archived, opened]) {
      for (const [i, { fields, notes }] of facts.entries()) {
        expect(fields).toMatchObject({
          project: "CORDEX-Adjust",
          rcm_version: `v1-${METHODS[i]}`,
          variable: "tasAdjust",
        });
        expect(notes).toEqual([]);
      }
    }
    const names = opened.map(({ dataset }) => dataset);
    expect(new Set(names).size).toBe(2);
    expect(archived.map(({ dataset }) => dataset)).toEqual(names);
  });
});

describe("a file that may not be opened", () => {
  const CMIP = "MPI-M/MPI-ESM1-2-LR/historical/r1i1p1f1";
  it.each<[string, string, Record<string, string>]>([
    [
      "cmip6",
      `/x/CMIP/${CMIP}/Amon/tas/gn/v20190710/tas_Amon_MPI-ESM1-2-LR_historical_r1i1p1f1_gn_185001-186912.nc`,
      { mip_era: "CMIP6", realm: "atmos", frequency: "mon" },
    ],
    [
      "cmip7",
      `/x/CMIP7/CMIP/${CMIP}/glb/mon/tas/tavg-h2m-hxy-u/g13s/v20250622/` +
        "tas_tavg-h2m-hxy-u_mon_glb_g13s_MPI-ESM1-2-LR_historical_r1i1p1f1_190001-190912.nc",
      { mip_era: "CMIP7", realm: "atmos" },
    ],
    [
      "cmip5",
      "/x/output1/MPI-M/MPI-ESM-LR/rcp45/mon/atmos/Amon/r1i1p1/v20120625/tas/tas_Amon_MPI-ESM-LR_rcp45_r1i1p1_200601-210012.nc",
      { project_id: "CMIP5", product: "output" },
    ],
    [
      "cordex",
      "/x/cordex/output/EUR-11/MPI-CSC/MPI-M-MPI-ESM-LR/rcp85/r1i1p1/REMO2009/v1/day/tas/v20160525/" +
        "tas_EUR-11_MPI-M-MPI-ESM-LR_rcp85_r1i1p1_MPI-CSC-REMO2009_v1_day_20060101-20101231.nc",
      { project_id: "CORDEX", model_id: "MPI-CSC-REMO2009", rcm_version_id: "v1" },
    ],
    [
      "cordex-cmip6",
      "/x/CORDEX-CMIP6/DD/EUR-12/CLMcom-BTU/EC-Earth3-Veg/historical/r1i1p1f1/ICON-CLM/v1-r1/mon/tas/v20240920/" +
        "tas_EUR-12_EC-Earth3-Veg_historical_r1i1p1f1_CLMcom-BTU_ICON-CLM_v1-r1_mon_200101-201012.nc",
      { project_id: "CORDEX-CMIP6", version_realization: "v1-r1" },
    ],
    [
      "nextgems",
      "/x/nextgems_cycle3/MPI-M/ICON/ngc3028/atm/v20230405/ngc3028_atm_2d_day_mean_hpz3_20200101-20200115.nc",
      { project_id: "nextGEMS", realm: "atm" },
    ],
    [
      "obs4mips",
      "/x/obs4MIPs/NASA-LaRC/CERES-EBAF-4-2/mon/rsdt/gn/v20240513/rsdt_mon_CERES-EBAF-4-2_RSS_gn_200003-202310.nc",
      { activity_id: "obs4MIPs", realm: "atmos", product: "observations" },
    ],
    [
      "freva",
      "/x/reanalysis/NOAA/NODC/OC5/mon/ocean/Omon/r1i1p1/v20200101/hc700/hc700_Omon_NODC_OC5_r1i1p1_201201-201212.nc",
      { project_id: "reanalysis", product: "reanalysis" },
    ],
  ])("has the dataset that its header would give it: %s", async (standard, path, attributes) => {
    const opened = await factsOf(standard, path, attributes);
    const archived = await factsOf(standard, path);
    expect(opened.notes).toEqual([]);
    expect(opened.dataset).toMatch(/\./);
    expect(archived.dataset).toBe(opened.dataset);
  });
});
